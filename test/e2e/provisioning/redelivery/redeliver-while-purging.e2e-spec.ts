import { EntityManager } from '@mikro-orm/postgresql';
import { PurgeDocuments } from '../../../../src/provisioning/retention/purge-documents';
import { ResetDelivery } from '../../../../src/provisioning/redelivery/reset-delivery';
import { TestEngine, connectSandbox } from '../../fetches/engine';
import { createPullClient } from '../webhooks/webhook-receiver';

/** The number of documents that are checked before the tested one: enough time for its concurrent change. */
const LOOKED_AT_BEFORE = 10_000;

describe('A document whose retention has ended', () => {
  let engine: TestEngine;

  beforeAll(async () => (engine = await TestEngine.start()));
  afterAll(() => engine.stop());

  const service = <Type>(type: new (...of: never[]) => Type): Type => engine.app.app.get(type, { strict: false });

  it('keeps its content when its redelivery is committed during the search for documents to purge', async () => {
    const client = await createPullClient(engine);
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    const { uuid } = (await engine.transactions(connection))[0]!;
    await engine.rows('update transaction set available_until = $2 where uuid = $1', uuid, engine.app.clock.in(-7200));
    // The retention of the others ended earlier, but the job queue reports them as being sent.
    await engine.rows(
      `insert into pgboss.job (name, singleton_key, policy, state) values ('drain-endpoint', $1, 'exclusive', 'active')`,
      client.environmentUuid,
    );
    await engine.rows(
      `insert into transaction select (jsonb_populate_record(t, jsonb_build_object('uuid', gen_random_uuid(),
           'dedupe_key', n::text, 'position', null, 'due_at', $3::timestamptz, 'available_until', $3::timestamptz))).*
       from transaction t, generate_series(1, $2::int) n where t.uuid = $1`,
      uuid,
      LOOKED_AT_BEFORE,
      engine.app.clock.in(-9000),
    );
    let over = false;
    const purged = await service(EntityManager)
      .fork()
      .transactional(async (em) => {
        expect(await service(ResetDelivery).reset(em, [uuid], { only: null, lowPriority: false })).toEqual([uuid]);
        const purge = service(PurgeDocuments)
          .purgeBatch()
          .finally(() => (over = true));
        const looking = `select count(*) from pg_stat_activity where state = 'active' and query like 'with oldest%'`;
        while (!over && (await engine.count(looking)) === 0);
        return { purge };
      });
    expect(over).toBe(false); // otherwise it was committed too late for this test
    expect(await purged.purge).toMatchObject({ documents: 0 });
    await client.request('get', `/v1/transactions/${uuid}/document`).expect(200);
  });
});
