import { EntityManager } from '@mikro-orm/postgresql';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { countUsage, readUsage } from '../../../src/fetches/history/monthly-usage';

interface Usage {
  readonly month: string;
  readonly connections: number;
  readonly fetches: number;
  readonly documents: number;
  readonly bytes: number;
}

describe('The usage of the month in GET /v1/environment (decisions 4 and 9)', () => {
  const context = useTestContext({ role: 'all' });
  const usageOf = async (client: TestClient): Promise<Usage> =>
    ((await client.request('get', '/v1/environment').expect(200)).body as { data: { usage: Usage } }).data.usage;
  const identityOf = async (client: TestClient) => {
    const uuid = await client.createIdentity();
    return { uuid, token: await client.createToken(uuid) };
  };
  const clientWithDocuments = async (fields: Record<string, unknown>) => {
    const client = await createTestClient(context.app);
    const identity = await identityOf(client);
    const connection = await client
      .request('post', '/v1/connections')
      .send({
        integration_id: 'sandbox',
        name: 'Portal',
        identity_uuid: identity.uuid,
        fields: { user: 'u', password: 'p', ...fields },
      })
      .expect(201);
    const { uuid } = (connection.body as { data: { uuid: string } }).data;
    await client
      .requestWithToken(identity.token, 'put', `/v1/connections/${uuid}/step2`)
      .send({ fields: {} })
      .expect(204);
    await fetchesEnd(uuid, 1);
    return { client, connection: uuid, identity: identity.uuid };
  };
  const fetchesEnd = (connection: string, count: number) =>
    eventually(async () => {
      const [row] = await context.query<{ n: number }>(
        'select count(*)::int as n from "fetch" where connection_uuid = $1 and finished_at is not null',
        [connection],
      );
      return row!.n >= count;
    }, `${count} fetches end`);

  it('counts nothing for an unused environment', async () => {
    const month = context.app.clock.now().toISOString().slice(0, 7);
    expect(await usageOf(await createTestClient(context.app))).toEqual({
      month,
      connections: 0,
      fetches: 0,
      documents: 0,
      bytes: 0,
    });
  });

  it('counts each connection once, each finished fetch, and new documents with their size', async () => {
    const { client, connection } = await clientWithDocuments({ documents: 4 });
    const [sizes] = await context.query<{ bytes: string }>(
      'select sum(size) as bytes from transaction where connection_uuid = $1',
      [connection],
    );
    const bytes = Number(sizes!.bytes);
    expect(bytes).toBeGreaterThan(0);
    expect(await usageOf(client)).toMatchObject({ connections: 1, fetches: 1, documents: 4, bytes });
    // A document of an earlier fetch is not new.
    await context.query('update connection set cursor = null where uuid = $1', [connection]);
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await fetchesEnd(connection, 2);
    expect(await usageOf(client)).toMatchObject({ connections: 1, fetches: 2, documents: 4, bytes });
  });

  it('remains after the deletion of connection and identity, and contains no data of them', async () => {
    const { client, connection, identity } = await clientWithDocuments({ documents: 3 });
    const before = await usageOf(client);
    expect(before).toMatchObject({ connections: 1, fetches: 1, documents: 3 });
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
    await client.request('delete', `/v1/identities/${identity}`).expect(204);
    expect(await usageOf(client)).toEqual(before);
    const rows = JSON.stringify(
      await context.query('select * from monthly_usage where environment_uuid = $1', [client.environmentUuid]),
    );
    expect(rows).not.toContain(connection);
    expect(rows).not.toContain(identity);
  });

  it('restarts each month, in UTC', async () => {
    const { client, connection } = await clientWithDocuments({ documents: 2 });
    const before = await usageOf(client);
    const now = context.app.clock.now();
    // Not its first day: on the last day of a month the fetch of the next day would not be due yet.
    const seconds = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 3) - now.getTime()) / 1000;
    context.app.clock.advance(seconds);
    try {
      const next = context.app.clock.now().toISOString().slice(0, 7);
      expect(next > before.month).toBe(true);
      await fetchesEnd(connection, 2); // the scheduled one has become due
      await eventually(async () => (await usageOf(client)).fetches > 0, 'the fetch is counted in the new month');
      expect(await usageOf(client)).toMatchObject({ month: next, connections: 1, fetches: 1 });
    } finally {
      context.app.clock.advance(-seconds);
    }
    expect(await usageOf(client)).toEqual(before);
  });

  it('counts correctly under concurrency, and ignores rolled back transactions', async () => {
    const { environmentUuid } = await createTestClient(context.app);
    const em = context.app.app.get(EntityManager).fork();
    const now = context.app.clock.now();
    const one = (fails: boolean) =>
      em.fork().transactional(async (tx) => {
        await countUsage(tx, environmentUuid, now, { fetches: 1, documents: 2, bytes: 3 });
        if (fails) throw new Error('rolled back');
      });
    const done = await Promise.allSettled(Array.from({ length: 300 }, (_, i) => one(i % 3 === 0)));
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(200);
    expect(await readUsage(em, environmentUuid, now)).toEqual({
      connections: 0,
      fetches: 200,
      documents: 400,
      bytes: 600,
    });
  });

  it('lets two processes count concurrently without waiting for each other', async () => {
    const { environmentUuid } = await createTestClient(context.app);
    const em = context.app.app.get(EntityManager);
    const now = context.app.clock.now();
    await em.fork().transactional(async (tx) => {
      await countUsage(tx, environmentUuid, now, { fetches: 1 });
      // Its row is locked until the commit, so another shard counts the next one.
      await eventually(
        () =>
          em.fork().transactional(async (other) => {
            await other.execute(`set local lock_timeout = '200ms'`);
            await countUsage(other, environmentUuid, now, { fetches: 1 });
            return true;
          }),
        'another one counts meanwhile',
      );
    });
    expect((await readUsage(em.fork(), environmentUuid, now)).fetches).toBe(2);
  });

  it('is separate for each environment', async () => {
    const before = await usageOf(context.otherClient);
    await connectionWithDocuments(context, { documents: 1 });
    expect(await usageOf(context.otherClient)).toEqual(before);
  });
});
