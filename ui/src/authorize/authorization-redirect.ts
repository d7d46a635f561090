import type { Connection } from '@docfetch/sdk';
import type { Route } from '../route';
import type { Outcome } from '../session/session';

/** Longer than a visit and the way to a provider together: what is younger was made in this visit. */
const VISIT_MS = 3_600_000;

interface AuthorizationRedirect {
  readonly route: Route;
  readonly action: Outcome['action'];
  readonly unfinished: boolean;
  /** It had worked before. */
  readonly recovered: boolean;
}

/**
 * Where it goes on once a connection has been authorised: to the second step, or to the first fetch, or to what has been
 * mended. The page has been left meanwhile, so that only the connection itself can tell.
 */
export function redirectAfterAuthorization(connection: Connection, now = Date.now()): AuthorizationRedirect {
  const { uuid, setup_complete: complete, last_success_at: succeeded, created_at: created } = connection;
  const action = !succeeded && now - Date.parse(created) < VISIT_MS ? 'created' : 'updated';
  if (!complete) return { route: { view: 'content', uuid }, action, unfinished: true, recovered: false };
  return {
    route: { view: succeeded ? 'connection' : 'done', uuid },
    action,
    unfinished: false,
    recovered: !!succeeded,
  };
}
