import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import { type HourCounts, hourOf, uuidRange } from '../../platform/history/hour-counts';

/** SQL: read from the index of the delivery log by environment alone. */
export const ATTEMPTS_BY_HOUR = `
  select ${hourOf('uuid')} as hour, (count(*) filter (where error_code is null))::int as ok,
    (count(*) filter (where error_code is not null))::int as failed
  from delivery_attempt where environment_uuid = $1 and uuid >= $2 and uuid < $3
  group by 1`;

/** Counts the attempts to push documents of an environment, by hour. */
export const countAttemptsByHour = (
  em: EntityManager,
  environmentUuid: string,
  from: Date,
  to: Date,
): Promise<HourCounts[]> => sql<HourCounts>(em, ATTEMPTS_BY_HOUR, [environmentUuid, ...uuidRange(from, to)]);
