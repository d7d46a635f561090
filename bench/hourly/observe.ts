import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../harness/data/database';
import type { Service } from '../harness/processes/service';

/** The setting of the worker that is observed. */
export const METRICS_TOKEN = 'a'.repeat(32);

/** What one worker and the database did in a period. */
export interface Observation {
  readonly seconds: number;
  readonly fetches: number;
  /** Of the fetches that ended, the share that ended at most this many seconds after they had become due. */
  readonly within: ReadonlyMap<number, number>;
  /** CPU milliseconds for each fetch. */
  readonly workerCpu: number;
  readonly databaseCpu: number;
  /** Bytes of write-ahead log for each fetch, with images of whole pages. */
  readonly log: number;
  /** MiB, the peak of the worker. */
  readonly memory: number;
  /** Connections that were due and not yet fetched at the end, and seconds that the oldest had waited. */
  readonly waiting: number;
  readonly oldest: number;
}

/** Observes for some seconds. */
export async function observe(database: Database, worker: Service, seconds: number): Promise<Observation> {
  worker.usage.resetPeak();
  const before = await counters(database, worker);
  await pause(seconds * 1000);
  const after = await counters(database, worker);
  const ended = (at: number) => (after.within.get(at) ?? 0) - (before.within.get(at) ?? 0);
  const fetches = ended(Infinity);
  const { rows } = await database.client.query<{ waiting: number; oldest: number }>(
    `select count(*)::integer as waiting, coalesce(extract(epoch from now() - min(next_fetch_at)), 0)::float8 as oldest
     from connection where next_fetch_at <= now() and lease_token is null`,
  );
  return {
    seconds: (after.at - before.at) / 1000,
    fetches,
    within: new Map([...after.within.keys()].map((at) => [at, ended(at) / fetches])),
    workerCpu: (after.workerCpu - before.workerCpu) / fetches,
    databaseCpu: (after.databaseCpu - before.databaseCpu) / fetches,
    log: (after.log - before.log) / fetches,
    memory: worker.usage.peak(),
    ...rows[0]!,
  };
}

interface Counters {
  readonly at: number;
  /** Ended fetches by the bounds of the histogram, in seconds. */
  readonly within: ReadonlyMap<number, number>;
  readonly workerCpu: number;
  readonly databaseCpu: number;
  readonly log: number;
}

async function counters({ client, usage }: Database, worker: Service): Promise<Counters> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return {
    within: endedWithin(await metricsOf(worker)),
    at: performance.now(),
    workerCpu: worker.usage.cpu(),
    databaseCpu: usage.cpuOfFamily(),
    log: Number(rows[0]!.bytes),
  };
}

async function metricsOf({ base }: Service): Promise<string> {
  const answer = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!answer.ok) throw new Error(`The metrics could not be read: ${answer.status}.`);
  return answer.text();
}

/** The buckets of `docfetch_fetch_since_due_seconds`. Throws when a fetch has not succeeded. */
function endedWithin(metrics: string): Map<number, number> {
  const within = new Map<number, number>();
  for (const line of metrics.split('\n')) {
    const [, labels, count] = /^docfetch_fetch_since_due_seconds_bucket\{(.*)\} (\d+)/.exec(line) ?? [];
    if (labels === undefined) continue;
    if (!labels.includes('outcome="SUCCEEDED"')) throw new Error(`A fetch has not succeeded: ${labels}`);
    const bound = /le="([^"]+)"/.exec(labels)![1]!;
    const seconds = bound === '+Inf' ? Infinity : Number(bound);
    within.set(seconds, (within.get(seconds) ?? 0) + Number(count));
  }
  return within;
}
