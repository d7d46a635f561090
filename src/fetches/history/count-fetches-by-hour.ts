import type { EntityManager } from '@mikro-orm/postgresql';
import { countByHour, type HourCounts } from '../../platform/history/hour-counts';

/** SQL: read from the index of each class's history by environment alone; the literal classes leave out what has not ended. */
export const FETCHES_BY_HOUR = `
  select width_bucket(uuid, $4::uuid[]) as nth, (count(*) filter (where status in ('SUCCEEDED', 'PARTIAL')))::int as ok,
    (count(*) filter (where status = 'FAILED'))::int as failed
  from "fetch" where environment_uuid = $1 and retention_class in ('SHORT', 'STANDARD', 'LONG') and uuid >= $2 and uuid < $3
  group by 1`;

/** Counts the fetches of an environment that have ended, by the hour in which they began. */
export const countFetchesByHour = (
  em: EntityManager,
  environmentUuid: string,
  from: Date,
  to: Date,
): Promise<HourCounts[]> => countByHour(em, FETCHES_BY_HOUR, environmentUuid, from, to);
