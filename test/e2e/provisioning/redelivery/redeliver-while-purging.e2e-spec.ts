import { EntityManager } from '@mikro-orm/postgresql';
import { PurgeDocuments } from '../../../../src/provisioning/retention/purge-documents';
import { ResetDelivery } from '../../../../src/provisioning/redelivery/reset-delivery';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { createPullClient } from '../webhooks/webhook-receiver';

/** The number of documents that are checked before the tested one. Doubled until that takes longer than its concurrent change. */
const CHECKED_BEFORE = 10_000;
const CHECKED_AT_MOST = 320_000;

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
    const addOthers = (count: number) =>
      engine.rows(
        `insert into transaction select (jsonb_populate_record(t, jsonb_build_object('uuid', gen_random_uuid(),
             'dedupe_key', gen_random_uuid(), 'position', null, 'due_at', $3::timestamptz, 'available_until', $3::timestamptz))).*
         from transaction t, generate_series(1, $2::int) where t.uuid = $1`,
        uuid,
        count,
        engine.app.clock.in(-9000),
      );
    const looking = `select count(*) from pg_stat_activity where state = 'active' and query like 'with oldest%'`;

    /** Commits the redelivery while the purge searches. Null, and nothing is changed, when the search has ended before. */
    async function redeliverDuringPurge(): Promise<{ documents: number } | null> {
      let over = false;
      const em = service(EntityManager).fork();
      await em.begin();
      expect(await service(ResetDelivery).reset(em, [uuid], { only: null, lowPriority: false, cause: null })).toEqual([
        uuid,
      ]);
      const purge = service(PurgeDocuments)
        .purgeBatch()
        .finally(() => (over = true));
      while (!over && (await engine.count(looking)) === 0);
      const isInTime = !over;
      await (isInTime ? em.commit() : em.rollback());
      const result = await purge;
      return isInTime ? result : null;
    }

    let purged: { documents: number } | null = null;
    for (let count = CHECKED_BEFORE; purged === null && count <= CHECKED_AT_MOST; count *= 2) {
      await addOthers(count);
      purged = await redeliverDuringPurge();
    }
    expect(purged).toMatchObject({ documents: 0 });
    await client.request('get', `/v1/transactions/${uuid}/document`).expect(200);
  });
});
