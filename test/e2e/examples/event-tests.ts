import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../harness/eventually';
import { ExampleProcess } from './example-process';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What every receiver of `docs/examples` does with the events of a webhook, in whatever language. */
export function itPrintsEvents(script: string): void {
  it(`${script} prints the events of a webhook, signed with its secret, and stores nothing of them`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'events-'));
    const env = { SECRET, FOLDER: folder, DOCFETCH_URL: 'http://127.0.0.1:9', API_KEY: 'k' };
    const example = new ExampleProcess(script, env);
    try {
      const url = await example.url();
      const event = { type: 'fetch.finished', timestamp: '2026-11-20T08:30:00.000Z', data: { uuid: randomUUID() } };
      const send = async (secret: string): Promise<number> => {
        const [body, id, at] = [JSON.stringify(event), randomUUID(), new Date()];
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign(id, at, body),
        };
        return (await fetch(url, { method: 'POST', headers, body })).status;
      };
      expect(await send(`whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(401);
      expect(await send(SECRET)).toBe(200);
      await eventually(() => Promise.resolve(example.jsonOutput.length > 0), 'the event is printed');
      expect(example.jsonOutput).toEqual([event]);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await example.kill();
      await rm(folder, { recursive: true });
    }
  });
}
