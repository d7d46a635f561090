import { EntityManager } from '@mikro-orm/postgresql';
import { dueStatement, readDue } from '../../../../src/provisioning/push/read-due';
import { usePushBacklog } from './push-backlog';

/** A step of a plan (EXPLAIN). */
interface Step {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Step[];
}

const steps = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(steps)];

describe('The batch of due documents of an endpoint', () => {
  const waiting = usePushBacklog(5_000);

  it('is read from the index in sending order without sorting, however large the backlog', async () => {
    const [row] = await waiting.engine.rows<{ 'QUERY PLAN': [{ Plan: Step }] }>(
      `explain (generic_plan, format json) ${dueStatement(256)}`,
    );
    const all = steps(row!['QUERY PLAN'][0].Plan);
    expect(all.map((step) => step['Index Name'])).toContain('transaction_due');
    expect(all.map((step) => step['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort|Seq Scan|Bitmap/));
  });

  it.each([false, true])('is the oldest first, without those in flight (lowPriority: %s)', async (lowPriority) => {
    const { engine, environment } = waiting;
    const em = engine.app.app.get(EntityManager, { strict: false });
    const wanted = { environmentUuid: environment, lowPriority, at: engine.app.clock.now(), limit: 300 };
    const first = await readDue(em.fork(), { ...wanted, excluded: [] });
    const beside = first.slice(0, 100).map(({ transaction }) => transaction.uuid);
    const next = await readDue(em.fork(), { ...wanted, excluded: beside });
    expect(next.slice(0, 200)).toEqual(first.slice(100));
    const ages = first.map(({ transaction }) => transaction.attempts % 100);
    expect(ages).toEqual(ages.toSorted((a, b) => b - a));
    expect(first.every(({ transaction }) => (transaction.attempts % 2 === 0) === lowPriority)).toBe(true);
    expect(first[0]).toMatchObject({ clientIdentifier: expect.any(String), transaction: { size: 4096 } });
  });
});
