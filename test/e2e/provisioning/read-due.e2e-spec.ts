import { EntityManager } from '@mikro-orm/postgresql';
import { dueStatement, readDue } from '../../../src/provisioning/read-due';
import { answer, Receiver } from '../../fakes/receiver';
import { Engine } from '../fetches/engine';
import { documentsFor, drained } from './pushing';

const WAITING = 5_000;

/** A step of a plan (EXPLAIN). */
interface Step {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Step[];
}

const steps = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(steps)];

describe('What is due next for an endpoint', () => {
  let engine: Engine;
  let receiver: Receiver;
  let environment: string;

  beforeAll(async () => {
    [engine, receiver] = await Promise.all([Engine.start(), Receiver.start()]);
    receiver.always(answer(503, { 'retry-after': '3600' }));
    const { client, transactions } = await documentsFor(engine, receiver.url(), 1);
    await drained(engine); // from now on the endpoint is held back
    environment = client.environmentUuid;
    await engine.rows(
      `insert into transaction
       select (jsonb_populate_record(t, jsonb_build_object('uuid', gen_random_uuid(), 'dedupe_key', n::text,
         'bulk', n % 2 = 0, 'due_at', $2::timestamptz - make_interval(secs => n % 100), 'attempts', n))).*
       from transaction t, generate_series(1, $3::int) n where t.uuid = $1`,
      transactions[0]!.uuid,
      engine.app.clock.now(),
      WAITING,
    );
    await engine.rows('analyze transaction');
  });
  afterAll(async () => {
    await engine.stop();
    await receiver.stop();
  });

  it('stands in the index in the order in which it is sent: nothing is sorted, however much waits', async () => {
    const [row] = await engine.rows<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (generic_plan, format json) ${dueStatement(256)}`,
    );
    const all = steps(row!['QUERY PLAN'][0].Plan);
    expect(all.map((step) => step['Index Name'])).toContain('transaction_due');
    expect(all.map((step) => step['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort|Seq Scan|Bitmap/));
  });

  it.each([false, true])('is the oldest first, beside what is being sent already (bulk: %s)', async (bulk) => {
    const em = engine.app.app.get(EntityManager, { strict: false });
    const wanted = { environmentUuid: environment, bulk, at: engine.app.clock.now(), limit: 300 };
    const first = await readDue(em.fork(), { ...wanted, beside: [] });
    const beside = first.slice(0, 100).map(({ transaction }) => transaction.uuid);
    const next = await readDue(em.fork(), { ...wanted, beside });
    expect(next.slice(0, 200)).toEqual(first.slice(100));
    const ages = first.map(({ transaction }) => transaction.attempts % 100);
    expect(ages).toEqual(ages.toSorted((a, b) => b - a));
    expect(first.every(({ transaction }) => (transaction.attempts % 2 === 0) === bulk)).toBe(true);
    expect(first[0]).toMatchObject({ clientIdentifier: expect.any(String), transaction: { size: 4096 } });
  });
});
