import { createDocfetch, restoreUiSession, resumeUiSession } from '@docfetch/sdk';
import { type Problem, problemOf } from '../api/problem';
import type { SessionStart } from './session-start';
import { endTabSession, type TabState } from './tab-state';
import { claimsOf, type TokenClaims } from './token-claims';

interface RestoredSession {
  readonly token: string | null;
  readonly claims: TokenClaims;
  /** The state before the reload; null when the session could not be restored. */
  readonly restored: TabState | null;
  /** Why not, if the reason helps the user. */
  readonly end: Problem | null;
}

/** Restores the session that this tab had before a reload (decisions 3). */
export async function restoreSession(state: TabState & { readonly reference: string }): Promise<RestoredSession> {
  const nothing = { token: null, claims: state, restored: null, end: null };
  try {
    const client = createDocfetch({ baseUrl: location.origin, maxRetryWaitMs: 5_000, timeoutMs: 30_000 });
    const { token } = (await restoreUiSession({ client, body: { reference: state.reference } })).data;
    // The language that the user has selected since.
    return { ...nothing, token, claims: { ...claimsOf(token), lang: state.lang }, restored: state };
  } catch (error) {
    const end = problemOf(error);
    if (end.kind !== 'expired' && end.kind !== 'invalid-token') return { ...nothing, end };
    endTabSession();
    // Revoked, or the browser no longer has the cookie: the user opens the page again from the application.
    return { ...nothing, end: end.kind === 'expired' ? end : null };
  }
}

/**
 * Continues the session that the user has left for a provider.
 * @throws when the code has been used, or has expired
 */
export async function resumeSession(code: string): Promise<Pick<SessionStart, 'token' | 'claims' | 'resumed'>> {
  const client = createDocfetch({ baseUrl: location.origin });
  const {
    token,
    connection_uuid: connection,
    result,
    code: outcome,
  } = (await resumeUiSession({ client, body: { code } })).data;
  return { token, claims: claimsOf(token), resumed: { connection, result, code: outcome } };
}
