import { uuidAt } from './history-partitions';

/** What ended well and badly in an hour; `hour` is its beginning in milliseconds since 1970. */
export interface HourCounts {
  readonly hour: number;
  readonly ok: number;
  readonly failed: number;
}

export const HOUR_MS = 3_600_000;

/** SQL: the beginning of the hour in a uuid of version 7, in milliseconds since 1970. */
export const hourOf = (uuid: string): string =>
  `(floor(extract(epoch from uuid_extract_timestamp(${uuid})) / 3600) * ${HOUR_MS})::float8`;

/** The uuids of what was recorded from a time on and before another. */
export const uuidRange = (from: Date, to: Date): [string, string] => [uuidAt(from.getTime()), uuidAt(to.getTime())];
