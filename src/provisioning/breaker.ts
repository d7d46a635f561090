import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../platform/database/sql';

/** contract 6: an endpoint that fails so often in a row is held back … */
export const FAILURES_TO_HOLD = 5;
/** … and probed once in so many seconds. */
export const PROBE_SECONDS = 300;

/** Answers that speak of the one document rather than of the endpoint: unusable, a conflict, too large, of the wrong type. */
const OF_THE_DOCUMENT: readonly (number | null)[] = [400, 409, 413, 415, 422];

/** For so long after it has come back … */
export const CATCH_UP_SECONDS = 900;
/** … an endpoint gets no more documents in a second than this, to each worker that drains it: there is one at a time. */
export const CATCH_UP_PER_SECOND = 50;

/** How an endpoint may be used right now; `catching up`: no faster than {@link CATCH_UP_PER_SECOND}. */
export type Passage = 'open' | 'catching up' | 'probe' | 'held';

/** The way that an attempt has taken. */
export interface Route {
  /** `Environment.addressVersion` as it was when the attempt was prepared. */
  readonly addressVersion: number;
  readonly through: Passage;
}

/** What an attempt leads to: nothing is sent to an endpoint that is `held` back, nor to one that has `moved` since. */
export type Standing = 'open' | 'held' | 'moved';

/**
 * contract 6: while an endpoint is down, waiting documents use up no attempts. One that the endpoint has read and refused
 * does, even as a probe: it would otherwise never come to its end.
 */
export const isFreeProbe = (through: Passage, standing: Standing, status: number | null): boolean =>
  through === 'probe' && standing !== 'open' && !OF_THE_DOCUMENT.includes(status);

/** Looks up whether an endpoint is held back. */
export async function passage(em: EntityManager, environmentUuid: string, now: Date): Promise<Passage> {
  const [endpoint] = await sql<{ passage: Passage }>(
    em,
    `select case when held_until > $2 then 'held' when held_until is not null then 'probe'
       when catch_up_until > $2 then 'catching up' else 'open' end as passage
     from endpoint where environment_uuid = $1`,
    [environmentUuid, now],
  );
  return endpoint?.passage ?? 'open';
}

/**
 * Notes an attempt's outcome and answers what it leads to: the endpoint is held back from now on because it has failed too
 * often, or because it asks for a pause (`Retry-After`), which holds for all its documents. What was on its way when the
 * pause began neither ends it nor counts as one more failure: eight refusals at once are one. And what another address
 * answers that the client has given up since says nothing about the present one.
 */
export async function noteOutcome(
  em: EntityManager,
  { environmentUuid, addressVersion }: { readonly environmentUuid: string; readonly addressVersion: number },
  ok: boolean,
  retryAfterSeconds: number,
  now: Date,
): Promise<Standing> {
  const [endpoint] = await sql<{ held: boolean }>(em, ok ? SUCCEEDED : FAILED, [
    environmentUuid,
    now,
    addressVersion,
    ...(ok ? [] : [retryAfterSeconds]),
  ]);
  if (endpoint) return endpoint.held ? 'held' : 'open';
  return ok ? 'open' : 'moved';
}

/**
 * SQL: what a success changes. Mostly nothing, and then nothing is locked: deliveries of one endpoint do not wait for each
 * other. `environment` is an expression, and `now` a parameter.
 */
export const noteSuccess = (environment: string, now: string) => `
  update endpoint set consecutive_failures = 0,
    held_until = case when asked_until > ${now} then asked_until end,
    asked_until = case when asked_until > ${now} then asked_until end,
    catch_up_until = case when held_until is null or asked_until > ${now} then catch_up_until
                          else ${now}::timestamptz + make_interval(secs => ${CATCH_UP_SECONDS}) end
  where environment_uuid = ${environment} and (consecutive_failures > 0 or held_until is not null)
  returning environment_uuid, held_until is not null as held`;

const SUCCEEDED = noteSuccess('(select uuid from environment where uuid = $1 and address_version = $3)', '$2');

const FAILED = `
  insert into endpoint as e (environment_uuid, consecutive_failures, held_until, asked_until)
  select present.uuid, 1, asked.until, asked.until from (${asked('$4', '$2')}) asked,
    (select uuid from environment where uuid = $1 and address_version = $3 for share) present
  on conflict (environment_uuid) do update set
    consecutive_failures = e.consecutive_failures + case when e.held_until > $2 then 0 else 1 end,
    asked_until = greatest(e.asked_until, excluded.asked_until),
    held_until = greatest(
      excluded.asked_until,
      case when e.held_until > $2 then e.held_until
           when e.consecutive_failures + 1 >= ${FAILURES_TO_HOLD}
             then $2::timestamptz + make_interval(secs => ${PROBE_SECONDS}) end)
  returning held_until is not null as held`;

function asked(seconds: string, now: string): string {
  return `select case when ${seconds}::float8 > 0 then ${now}::timestamptz + make_interval(secs => ${seconds}::float8) end as until`;
}
