import { NIL, version } from 'uuid';
import { PARTITION_DAYS, RETENTION_DAYS, type RetentionClass } from './retention-class';

/**
 * Tables partitioned by retention class, and each class by the time in the rows' uuids (version 7). A row is found by its uuid
 * in one partition of each class, and every index that begins with another column is in the order of time from partition to partition.
 */
export const HISTORY_TABLES = ['fetch', 'delivery_attempt', 'webhook_delivery', 'outbox'] as const;

/** Days for which partitions exist in advance: rows can be written for this long although no worker runs. */
export const DAYS_AHEAD = 30;

export const DAY_MS = 86_400_000;

/** One time range of one retention class. */
export interface HistoryPartition {
  readonly name: string;
  readonly parent: string;
  /** Uuids: the first one, and the first one after the range. */
  readonly from: string;
  readonly to: string;
}

/** The rows of one table that are kept for the same time: the partitions of `parent`. */
export interface PartitionSet {
  readonly table: (typeof HISTORY_TABLES)[number] | 'audit_log';
  readonly parent: string;
  readonly retentionClass: RetentionClass;
}

/** All sets of these classes. The audit log is kept for 400 days, whatever the class of its environment. */
export const partitionSets = (classes: readonly RetentionClass[]): PartitionSet[] => [
  ...HISTORY_TABLES.flatMap((table) =>
    classes.map((retentionClass) => ({ table, parent: `${table}_${retentionClass.toLowerCase()}`, retentionClass })),
  ),
  { table: 'audit_log', parent: 'audit_log', retentionClass: 'LONG' },
];

/**
 * The partitions of a set that must exist at `now`, from `since`, by default a day ago, because clocks differ, until `DAYS_AHEAD` later.
 * Their limits depend on the class alone, so that all processes agree about them.
 */
export function neededPartitions(
  { parent, retentionClass }: Pick<PartitionSet, 'parent' | 'retentionClass'>,
  now: Date,
  since = now.getTime() - DAY_MS,
): HistoryPartition[] {
  const width = PARTITION_DAYS[retentionClass] * DAY_MS;
  const partitions: HistoryPartition[] = [];
  const end = now.getTime() + DAYS_AHEAD * DAY_MS;
  for (let start = Math.floor(since / width) * width; start <= end; start += width) {
    partitions.push({
      name: `${parent}_${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}`,
      parent,
      from: uuidAt(start),
      to: uuidAt(start + width),
    });
  }
  return partitions;
}

/** Whether the retention of all rows before the uuid `to` has ended. */
export const isExpired = (to: string, retentionClass: RetentionClass, now: Date): boolean =>
  timeOf(to) <= now.getTime() - RETENTION_DAYS[retentionClass] * DAY_MS;

/** The smallest uuid of a time in milliseconds since 1970: uuids of version 7 begin with 48 bits of it. */
export function uuidAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The time in a uuid of version 7, in milliseconds since 1970. */
export const timeOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

/**
 * A uuid before those of everything that was recorded because of a row: partitions that are older need not be read. A day
 * earlier than the row, because the clocks of processes differ; the smallest uuid when the row's uuid has no time.
 */
export const earliestUuid = (uuid: string): string => (version(uuid) === 7 ? uuidAt(timeOf(uuid) - DAY_MS) : NIL);
