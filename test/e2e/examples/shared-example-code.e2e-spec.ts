import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../harness/eventually';
import { ExampleProcess } from './example-process';

const EXAMPLES = resolve(__dirname, '../../../docs/examples');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('Shared code of the examples', () => {
  it('is identical in the marked parts, because each example is a single file', async () => {
    const [one, other] = await Promise.all(
      ['polling.mjs', 'webhook-pull.mjs'].map(async (file) => {
        const text = await readFile(join(EXAMPLES, file), 'utf8');
        return text.split('// From here on polling.mjs and webhook-pull.mjs are the same.\n')[1];
      }),
    );
    expect(one).toContain('async function download');
    expect(other).toBe(one);
  });

  it.each(['push-receiver.mjs', 'webhook-pull.mjs'])(
    '%s hears the events of a webhook, signed with its secret, and keeps nothing of them',
    async (script) => {
      const folder = await mkdtemp(join(tmpdir(), 'events-'));
      const example = new ExampleProcess(script, {
        SECRET,
        FOLDER: folder,
        DOCFETCH_URL: 'http://127.0.0.1:9',
        API_KEY: 'k',
      });
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
        await eventually(() => Promise.resolve(example.jsonOutput.length > 0), 'the event is heard');
        expect(example.jsonOutput).toEqual([event]);
        expect(await readdir(folder)).toEqual([]);
      } finally {
        await example.kill();
        await rm(folder, { recursive: true });
      }
    },
  );
});
