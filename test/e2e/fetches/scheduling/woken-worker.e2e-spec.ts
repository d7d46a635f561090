import { Writable } from 'node:stream';
import { createTestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { connectSandbox, TestEngine } from '../../../harness/engine/test-engine';

describe('A worker that a request has woken', () => {
  it('does not keep the id of the request for the fetches of other clients', async () => {
    const lines: { msg: string; request_id?: string; fetch_uuid?: string; res?: object }[] = [];
    const log = new Writable({
      write(chunk: Buffer, _encoding, done) {
        for (const text of chunk.toString().trim().split('\n')) lines.push(JSON.parse(text));
        done();
      },
    });
    const engine = await TestEngine.start({ log, settings: { logLevel: 'info', workerConcurrency: 1 } });
    try {
      const [client, other] = [await createTestClient(engine.app), await createTestClient(engine.app)];
      const failing = await connectSandbox(other, { scenario: 'folder_gone', documents: 1 });
      const slow = await connectSandbox(client, { scenario: 'slow', delay_ms: 400, documents: 1, new_per_fetch: 1 });
      for (const uuid of [failing, slow]) await engine.waitForFetches(uuid, 1);

      const { headers } = await client.request('post', `/v1/connections/${slow}/fetch-now`).expect(202);
      await eventually(
        async () => (await engine.fetches(slow)).at(-1)!.status === 'RUNNING',
        'the only place is taken',
      );
      await engine.rows('update connection set next_fetch_at = $2 where uuid = $1', failing, engine.app.clock.in(-1));
      const fetch = await engine.waitForLastFetch(failing, 2);
      const line = await eventually(
        async () => lines.find(({ msg, fetch_uuid }) => msg === 'Fetch ended' && fetch_uuid === fetch.uuid),
        'the failed fetch is in the log',
      );
      expect(line.request_id).toBeUndefined();
      expect(lines.map(({ request_id }) => request_id)).toContain(headers['x-request-id']);
    } finally {
      await engine.stop();
    }
  });
});
