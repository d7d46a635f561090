import type { EntityManager } from '@mikro-orm/postgresql';
import { countByHour, type HourCounts } from '../../platform/history/hour-counts';

/** SQL: read from the index of the delivery log by environment alone. */
export const ATTEMPTS_BY_HOUR = `
  select width_bucket(uuid, $4::uuid[]) as nth, (count(*) filter (where error_code is null))::int as ok,
    (count(*) filter (where error_code is not null))::int as failed
  from delivery_attempt where environment_uuid = $1 and uuid >= $2 and uuid < $3
  group by 1`;

/** Counts the attempts to push documents of an environment, by hour. */
export const countAttemptsByHour = (
  em: EntityManager,
  environmentUuid: string,
  from: Date,
  to: Date,
): Promise<HourCounts[]> => countByHour(em, ATTEMPTS_BY_HOUR, environmentUuid, from, to);
