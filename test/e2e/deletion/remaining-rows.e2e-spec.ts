import { randomUUID } from 'node:crypto';
import type { Receiver } from '../../fakes/receiver';
import { eventually } from '../../harness/eventually';
import { NO_PARTITION } from '../../harness/app/find-occurrences';
import type { TestEngine } from '../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../harness/engine/use-engine-and-receiver';
import { waitForIdlePush, createPushClient } from '../provisioning/push/push-setup';
import type { DeletedResource } from './related-rows';

/** The only table that may still mention deleted rows (docs/operate/operations.md, "Data that remains after a deletion"). */
const LOG = 'public.audit_log';

describe.each<DeletedResource>(['connection', 'identity'])('After the deletion of a %s', (target) => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  /** The tables of every schema, the job engine's included, in which a text occurs. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await engine.rows<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
         and ${NO_PARTITION}`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const count = await engine.count(`select count(*) from ${name} t where position($1 in t::text) > 0`, text);
      if (count > 0) found.push(name);
    }
    return found;
  }

  const jobsAtRest = () =>
    eventually(
      async () => (await engine.count("select count(*) from pgboss.job where state = 'active'")) === 0,
      'no job runs',
    );

  const allRedelivered = () =>
    eventually(
      async () => (await engine.count('select count(*) from redelivery where finished_at is null')) === 0,
      'all redeliveries are processed',
    );

  it('no table holds its uuids, its name, its account or its documents, and the audit log holds uuids only', async () => {
    const client = await createPushClient(engine, receiver.url());
    const data = {
      customer: `customer-${randomUUID()}`,
      name: `Portal of ${randomUUID()}`,
      user: `user-${randomUUID()}`,
      password: `secret-${randomUUID()}`,
      renamed: `Renamed ${randomUUID()}`,
    };
    const keyed = (path: string, body: object = {}) =>
      client.request('post', path).set('Idempotency-Key', randomUUID()).send(body);
    const owner = await keyed('/v1/identities', { client_identifier: data.customer }).expect(201);
    const identity = owner.body.data.identity_uuid as string;
    const token = await client.createToken(identity);
    const created = await keyed('/v1/connections', {
      integration_id: 'sandbox',
      name: data.name,
      identity_uuid: identity,
      fields: { user: data.user, password: data.password, documents: 3 },
    }).expect(201);
    const connection = created.body.data.uuid as string;
    const path = `/v1/connections/${connection}`;
    await client.request('put', `${path}/webhook`).send({ url: receiver.url() }).expect(200);
    await client.requestWithToken(token, 'put', `${path}/step2`).send({ fields: {} }).expect(204);
    await client.requestWithToken(token, 'put', path).send({ name: data.renamed }).expect(204);
    await eventually(async () => (await engine.transactions(connection)).length === 3, 'its documents are recorded');
    await keyed(`${path}/fetch-now`).expect(202);
    for (const { uuid } of await engine.transactions(connection))
      await keyed(`/v1/transactions/${uuid}/redeliver`).expect(202);
    // The second one, of the whole environment, is not deleted with the connection.
    for (const filter of [{ connection_uuid: connection }, {}]) {
      await waitForIdlePush(engine);
      const { body } = await keyed('/v1/transactions/redeliver', { status: 'DELIVERED', ...filter }).expect(202);
      expect(body.data.count).toBeGreaterThan(0);
      await allRedelivered();
    }
    await waitForIdlePush(engine);
    await jobsAtRest();
    const documents = await engine.transactions(connection);
    const fetches = await engine.rows<{ uuid: string }>(
      'select uuid from "fetch" where connection_uuid = $1',
      connection,
    );
    const uuids = [connection, ...[...documents, ...fetches].map(({ uuid }) => uuid)];
    const texts = [data.name, data.renamed, data.user, ...documents.flatMap((row) => [row.external_id!, row.sha256])];
    if (target === 'identity') [uuids, texts].forEach((all, i) => all.push([identity, data.customer][i]!));
    // Proves that the search finds rows at all.
    expect(await tablesWith(connection)).toEqual(
      expect.arrayContaining(['public.connection', 'public.idempotency_key', LOG]),
    );
    expect(await tablesWith(data.user)).toContain('public.connection');

    await client.request('delete', target === 'connection' ? path : `/v1/identities/${identity}`).expect(204);

    for (const uuid of uuids)
      expect([uuid, (await tablesWith(uuid)).filter((table) => table !== LOG)]).toEqual([uuid, []]);
    for (const text of texts) expect([text, await tablesWith(text)]).toEqual([text, []]);
    expect(await tablesWith(data.password)).toEqual([]);
    const keys = await engine.rows<{ resource_uuids: string[]; response: Buffer | null }>(
      'select resource_uuids, response from idempotency_key where environment_uuid = $1 and resource_uuids && $2::uuid[]',
      client.environmentUuid,
      uuids,
    );
    expect(keys).toEqual([]);
  });
});
