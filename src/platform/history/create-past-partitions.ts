import { LOCK_TIMEOUT, missingPartitions, PARTITIONS_LOCK, type Query } from './create-partitions';
import { neededPartitions, partitionSets, timeOf } from './history-partitions';
import { RETENTION_CLASSES } from './retention-class';

/** The uuids of the oldest rows that will be written, by the table of their class (`outbox_standard`). */
export type OldestRows = Readonly<Record<string, string>>;

/** Creates the partitions for rows that were recorded in the past, in the caller's transaction, which should be short. */
export async function createPastPartitions(query: Query, now: Date, oldest: OldestRows): Promise<void> {
  const needed = partitionSets(RETENTION_CLASSES)
    .filter(({ parent }) => oldest[parent] !== undefined)
    .flatMap((set) => neededPartitions(set, now, timeOf(oldest[set.parent]!)));
  await query(LOCK_TIMEOUT);
  await query(PARTITIONS_LOCK);
  for (const { name, parent, from, to } of await missingPartitions(query, needed)) {
    await query(`create table ${name} partition of ${parent} for values from ('${from}') to ('${to}')`);
  }
}
