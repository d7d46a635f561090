import { Writable } from 'node:stream';
import { answer, Receiver } from '../../../fakes/receiver';
import { connectSandbox, TestEngine } from '../../../harness/engine/test-engine';
import { eventually } from '../../../harness/eventually';
import { createPushClient, waitForAllDelivered } from '../../provisioning/push/push-setup';

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

describe('The fields of log lines', () => {
  it('lead from a request to its fetch and to the attempts of its document', async () => {
    const lines: Line[] = [];
    const log = new Writable({
      write(chunk: Buffer, _encoding, done) {
        for (const text of chunk.toString().trim().split('\n')) lines.push(JSON.parse(text) as Line);
        done();
      },
    });
    const [engine, receiver] = await Promise.all([
      TestEngine.start({ log, settings: { logLevel: 'debug' } }),
      Receiver.start(),
    ]);
    const line = (msg: string, fields: Readonly<Record<string, unknown>>) =>
      eventually(
        async () => lines.find((each) => each.msg === msg && Object.entries(fields).every(([k, v]) => each[k] === v)),
        `"${msg}" is logged`,
      );
    try {
      const client = await createPushClient(engine, receiver.url());
      const connection_uuid = await connectSandbox(client, { documents: 1, new_per_fetch: 1 });
      await engine.waitForFetches(connection_uuid, 1);
      await waitForAllDelivered(engine, client);
      receiver.next(answer(500));

      const { headers, body } = await client
        .request('post', `/v1/connections/${connection_uuid}/fetch-now`)
        .expect(202);
      const request_id = headers['x-request-id'];
      const { uuid: fetch_uuid } = body as { uuid: string };
      await line('request completed', { request_id, connection_uuid, fetch_uuid });
      await engine.waitForFetches(connection_uuid, 2);
      const ended = await line('Fetch ended', { connection_uuid, fetch_uuid });
      expect(ended).toMatchObject({ level: 30, integration: 'sandbox', status: 'SUCCEEDED', trigger: 'MANUAL' });
      expect(ended['request_id']).toBeUndefined();

      const transaction_uuid = (await engine.transactions(connection_uuid)).at(-1)!.uuid;
      const failed = await line('Push failed', { transaction_uuid, connection_uuid });
      expect(failed).toMatchObject({ level: 40, attempt: 1, status: 500, error_code: 'UNEXPECTED_STATUS' });
      await engine.advanceClock(60);
      await waitForAllDelivered(engine, client);
      await line('Document delivered', { transaction_uuid, connection_uuid, attempt: 2 });
      // Lines are fields: identifiers are never parts of sentences.
      expect(lines.map(({ msg }) => msg).filter((msg) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(msg ?? ''))).toEqual([]);
    } finally {
      await engine.stop();
      await receiver.stop();
    }
  });
});
