import { EntityManager } from '@mikro-orm/postgresql';
import { FallBackToPull } from '../../../src/provisioning/push/fall-back-to-pull';
import { type DueTransaction, readDue } from '../../../src/provisioning/push/read-due';
import { DeliveredResultBatcher } from '../../../src/provisioning/push/delivered-result-batcher';
import type { TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { TestEngine } from '../../harness/engine/test-engine';
import { createDocuments } from '../provisioning/push/push-setup';

const ARRIVED = { status: 200, errorCode: null, retryAfterSeconds: null, responseExcerpt: 'ok', durationMs: 1 };

/**
 * Every statement that locks several transactions locks them in the order of their uuids. The test holds the last one
 * until both statements wait, the other one first: if that one had started with the last, it would get it now, and each
 * would wait for a lock of the other.
 */
describe('Acknowledging documents while their delivery results are recorded', () => {
  let engine: TestEngine;

  beforeAll(async () => (engine = await TestEngine.start()));
  afterAll(() => engine.stop());

  const service = <Type>(type: new (...of: never[]) => Type): Type => engine.app.app.get(type, { strict: false });

  /** Creates two documents that wait behind an open circuit, the last one first. */
  async function waiting(): Promise<{ client: TestClient; last: DueTransaction; first: DueTransaction }> {
    const { client } = await createDocuments(engine, 'http://127.0.0.1:1/', 2);
    await eventually(
      () =>
        engine
          .rows<{ ended: boolean }>(
            'select bool_and(attempts = 1) as ended from transaction where environment_uuid = $1',
            client.environmentUuid,
          )
          .then(([row]) => row!.ended),
      'both were tried once',
    );
    const em = service(EntityManager).fork();
    const at = engine.app.clock.in(3600);
    const due = await readDue(em, {
      environmentUuid: client.environmentUuid,
      lowPriority: false,
      at,
      excluded: [],
      limit: 2,
    });
    const [first, last] = due.map(({ transaction }) => transaction).sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
    return { client, last: last!, first: first! };
  }

  /** Locks a transaction in a separate database session until it is released. */
  async function holding({ uuid }: DueTransaction, by = 'select from transaction where uuid = $1 for update') {
    const session = await engine.pool.connect();
    await session.query('begin');
    await session.query(by, [uuid]);
    return { letGo: () => session.query('commit').finally(() => session.release()) };
  }

  const blocked = (count: number) =>
    eventually(
      async () =>
        (await engine.count(
          `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )) === count,
      `${count} wait for a lock`,
    );

  const acknowledge = (client: TestClient, documents: readonly DueTransaction[]) =>
    client
      .request('post', '/v1/transactions/acknowledge')
      .send({ result: 'ACCEPTED', transaction_uuids: documents.map(({ uuid }) => uuid) })
      .then(({ status }) => status);
  const deliver = (documents: readonly DueTransaction[]) =>
    Promise.all(
      documents.map((one) => service(DeliveredResultBatcher).record(one, 0, engine.app.clock.now(), ARRIVED)),
    );
  const statusOf = async (document: DueTransaction) =>
    (await engine.transactions(document.connectionUuid)).find(({ uuid }) => uuid === document.uuid)!.status;

  it.each<[string, (documents: readonly DueTransaction[], client: TestClient) => Promise<unknown>]>([
    ['a delivery', deliver],
    ['a fall-back to pull', (documents) => service(FallBackToPull).makeAvailable(documents)],
    ['another acknowledgement', async (documents, client) => expect(await acknowledge(client, documents)).toBe(204)],
  ])('does not deadlock with %s', async (_, settle) => {
    const { client, last, first } = await waiting();
    // Moves the last one to the front of the table, whose order a statement without `order by` uses.
    await engine.rows('update transaction set last_attempt_at = last_attempt_at where uuid = $1', first.uuid);
    const holder = await holding(last);
    const settled = settle([last, first], client);
    await blocked(1);
    const acknowledged = acknowledge(client, [first, last]);
    await blocked(2);
    await holder.letGo();
    expect(await acknowledged).toBe(204);
    await settled;
    expect([await statusOf(first), await statusOf(last)]).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED']);
  });

  it('keeps an acknowledgement that is committed before a waiting success', async () => {
    const { last, first } = await waiting();
    const holder = await holding(last, "update transaction set status = 'REJECTED', due_at = null where uuid = $1");
    const delivered = deliver([last, first]);
    await blocked(1);
    await holder.letGo();
    expect(await delivered).toEqual([null, expect.objectContaining({ number: 2 })]);
    expect([await statusOf(first), await statusOf(last)]).toEqual(['DELIVERED', 'REJECTED']);
  });
});
