import type { EntityManager } from '@mikro-orm/postgresql';
import { dateOrNull, sql } from '../platform/database/sql';

/**
 * `CLOSED`: documents are sent as they become due. `OPEN`: none is sent. `HALF_OPEN`: one at a time is sent as a trial, whose
 * outcome closes the circuit or keeps it open.
 */
export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** The circuit of an environment's endpoint as clients see it; `failingSince` is the first failure since the last success. */
export async function circuitOf(
  em: EntityManager,
  environmentUuid: string,
  now: Date,
): Promise<{ readonly circuit: CircuitState; readonly failingSince: Date | null }> {
  const [endpoint] = await sql<{ held: boolean }>(
    em,
    `select held_until > $2 as held from endpoint
     where environment_uuid = $1 and held_until is not null and consecutive_failures > 0`,
    [environmentUuid, now],
  );
  if (!endpoint) return { circuit: 'CLOSED', failingSince: null };
  const [row] = await sql<{ since: string | null }>(
    em,
    `select min(a.started_at) as since from transaction t join delivery_attempt a on a.transaction_uuid = t.uuid
     where t.environment_uuid = $1 and t.last_attempt_at is not null and a.error_code is not null
       and a.started_at > coalesce((select max(settled_at) from transaction
         where environment_uuid = $1 and status = 'DELIVERED'), '-infinity')`,
    [environmentUuid],
  );
  return { circuit: endpoint.held ? 'OPEN' : 'HALF_OPEN', failingSince: dateOrNull(row?.since ?? null) };
}
