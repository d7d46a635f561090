import { DAY_MS, type HistoryPartition, neededPartitions, partitionSets, timeOf } from './history-partitions';
import { RETENTION_CLASSES, type RetentionClass } from './retention-class';

/** Runs one statement in the caller's transaction. */
export type Query = (text: string, parameters?: unknown[]) => Promise<readonly unknown[]>;

/** Serializes processes that create partitions at the same time; released with the transaction. */
export const PARTITIONS_LOCK = `select pg_advisory_xact_lock(hashtextextended('history partitions', 0))`;
/**
 * Creating and dropping a partition locks its table. Statements that come later wait behind the lock, so the wait for statements
 * that still run is short: the next call tries again.
 */
export const LOCK_TIMEOUT = `set local lock_timeout = '2s'`;

/**
 * Creates the partitions of the classes that do not exist, in the caller's transaction: by default those of all classes that
 * environments have. Returns their names.
 */
export async function createPartitions(
  query: Query,
  now: Date,
  classes?: readonly RetentionClass[],
): Promise<string[]> {
  const used = classes ?? (await usedClasses(query));
  const oldest = await oldestUnfinishedFetch(query, now);
  const needed = partitionSets(used).flatMap((set) =>
    neededPartitions(set, now, set.table === 'fetch' ? oldest : undefined),
  );
  if ((await missingPartitions(query, needed)).length === 0) return [];
  await query(LOCK_TIMEOUT);
  await query(PARTITIONS_LOCK);
  const created = await missingPartitions(query, needed);
  for (const { name, parent, from, to } of created) {
    await query(`create table ${name} partition of ${parent} for values from ('${from}') to ('${to}')`);
  }
  return created.map(({ name }) => name);
}

/** New environments have the class `STANDARD`. A class that no environment has costs no partitions, which every read would visit. */
async function usedClasses(query: Query): Promise<RetentionClass[]> {
  const rows = (await query('select distinct retention_class from environment')) as {
    retention_class: RetentionClass;
  }[];
  const used = new Set(rows.map((row) => row.retention_class)).add('STANDARD');
  return RETENTION_CLASSES.filter((one) => used.has(one));
}

/**
 * The time of the oldest fetch that has not ended, in milliseconds since 1970, if that was more than a day ago: its record moves into
 * the partition of this time when it ends.
 */
async function oldestUnfinishedFetch(query: Query, now: Date): Promise<number | undefined> {
  const [row] = (await query('select uuid from fetch_unfinished order by uuid limit 1')) as { uuid: string }[];
  return row && timeOf(row.uuid) < now.getTime() - DAY_MS ? timeOf(row.uuid) : undefined;
}

export async function missingPartitions(
  query: Query,
  needed: readonly HistoryPartition[],
): Promise<HistoryPartition[]> {
  const rows = (await query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relispartition and relname = any($1::text[])`,
    [needed.map(({ name }) => name)],
  )) as { name: string }[];
  const existing = new Set(rows.map(({ name }) => name));
  return needed.filter(({ name }) => !existing.has(name));
}
