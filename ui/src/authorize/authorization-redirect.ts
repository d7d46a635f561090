import type { Connection } from '@docfetch/sdk';
import type { Route } from '../route';
import type { SessionOutcome } from '../session/session';

/** Longer than a session including the authorization at the provider: a younger connection was created in this session. */
const MAX_SESSION_MS = 3_600_000;

interface AuthorizationRedirect {
  readonly route: Route;
  readonly action: SessionOutcome['action'];
  readonly unfinished: boolean;
}

/**
 * The view to show after an authorization: the second step, the first fetch, or the fetch that catches up. It is derived
 * from the connection alone, because the page lost its state when the browser went to the provider.
 */
export function redirectAfterAuthorization(connection: Connection, now = Date.now()): AuthorizationRedirect {
  const { uuid, setup_complete: complete, last_success_at: succeeded, created_at: created } = connection;
  const action = !succeeded && now - Date.parse(created) < MAX_SESSION_MS ? 'created' : 'updated';
  if (!complete) return { route: { view: 'content', uuid }, action, unfinished: true };
  return { route: { view: succeeded ? 'recovery' : 'done', uuid }, action, unfinished: false };
}
