import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../platform/database/sql';

/** contract 6: an endpoint that fails so often in a row is held back … */
export const FAILURES_TO_HOLD = 5;
/** … and probed once in so many seconds. */
export const PROBE_SECONDS = 300;

/** How an endpoint may be used right now. */
export type Passage = 'open' | 'probe' | 'held';

/** Looks up whether an endpoint is held back. */
export async function passage(em: EntityManager, environmentUuid: string, now: Date): Promise<Passage> {
  const [endpoint] = await sql<{ passage: Passage }>(
    em,
    `select case when held_until is null then 'open' when held_until > $2 then 'held' else 'probe' end as passage
     from endpoint where environment_uuid = $1`,
    [environmentUuid, now],
  );
  return endpoint?.passage ?? 'open';
}

/**
 * Notes an attempt's outcome and answers whether the endpoint is held back from now on. One that is, and asks for a longer
 * pause than that between two probes (`Retry-After`), gets it.
 */
export async function noteOutcome(
  em: EntityManager,
  environmentUuid: string,
  ok: boolean,
  retryAfterSeconds: number,
  now: Date,
): Promise<boolean> {
  const [endpoint] = await sql<{ held: boolean }>(
    em,
    `insert into endpoint as e (environment_uuid, consecutive_failures) values ($1, $2)
     on conflict (environment_uuid) do update set
       consecutive_failures = case when $2 = 0 then 0 else e.consecutive_failures + 1 end,
       held_until = case when $2 = 0 or e.consecutive_failures + 1 < ${FAILURES_TO_HOLD} then null
                         else $3::timestamptz + make_interval(secs => $4) end
     returning held_until is not null as held`,
    [environmentUuid, ok ? 0 : 1, now, Math.max(PROBE_SECONDS, retryAfterSeconds)],
  );
  return endpoint!.held;
}
