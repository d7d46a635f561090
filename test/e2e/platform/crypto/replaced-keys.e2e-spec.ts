import { hash } from 'node:crypto';
import { answer, type Receiver } from '../../../fakes/receiver';
import { replaceDataKey } from '../../../harness/encryption/replace-data-key';
import { connectSandbox, type TestEngine } from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import { eventually } from '../../../harness/eventually';
import { createPushClient } from '../../provisioning/push/push-setup';

describe('An environment whose data keys were replaced', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  it('reads what the former keys have encrypted, and encrypts with the new ones', async () => {
    receiver.always(answer(200));
    const client = await createPushClient(engine, receiver.url());
    const connection = await connectSandbox(client, { documents: 3, new_per_fetch: 1, document_size_kb: 300 });
    await engine.waitForFetches(connection, 1);
    const areDelivered = (count: number) =>
      eventually(async () => {
        const transactions = await engine.transactions(connection);
        return transactions.length === count && transactions.every(({ status }) => status === 'DELIVERED');
      }, `${count} documents are delivered`);
    await areDelivered(3);
    const post = (body: object) =>
      client.request('post', '/v1/identities').set('Idempotency-Key', 'the-same').send(body);
    const first = await post({ client_identifier: 'twice' }).expect(201);

    for (const owner of [client.environmentUuid, connection]) await replaceDataKey(engine.app.app, owner);
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await engine.waitForFetches(connection, 2);
    await areDelivered(4);
    expect(
      await engine.rows(
        `select key_version, count(distinct uuid)::int as contents, bool_and(substring(bytes for 4) = 'DFKV') as named
         from content join content_chunk on content_uuid = uuid where owner_uuid = $1 group by 1 order by 1`,
        connection,
      ),
    ).toEqual([
      { key_version: 1, contents: 3, named: false },
      { key_version: 2, contents: 1, named: true },
    ]);
    for (const { uuid, sha256 } of await engine.transactions(connection)) {
      const pulled = await fetch(`${engine.app.url}/v1/transactions/${uuid}/document`, {
        headers: { 'X-API-KEY': client.apiKey, Accept: 'application/octet-stream' },
      });
      expect(hash('sha256', Buffer.from(await pulled.arrayBuffer()), 'hex')).toBe(sha256);
    }
    expect((await post({ client_identifier: 'twice' }).expect(201)).body).toEqual(first.body);
    await post({ client_identifier: 'other' }).expect(422);
  });
});
