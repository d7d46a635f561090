import type { AuthorizationOutcome, AuthorizationResult } from '@docfetch/sdk';
import type { Problem } from '../api/problem';
import type { Lang } from '../messages/date-format';
import { browserLang } from '../messages/load-messages';
import { endTabSession, readTab, type TabState } from './tab-state';
import { claimsOf, type TokenClaims } from './token-claims';

/** The parameters of the URL that the page was opened with. */
export interface SessionStart {
  readonly token: string | null;
  readonly claims: TokenClaims;
  /** The connection and the result of its authorization, when the user returns from a provider. */
  readonly resumed: {
    readonly connection: string;
    readonly result: AuthorizationResult;
    readonly code: AuthorizationOutcome;
  } | null;
  /** Result of an authorization that was not started in the hosted UI: there is no session to continue. */
  readonly externalAuthorization: { readonly result: AuthorizationResult; readonly code: string | null } | null;
  /** The page is in a popup that the hosted UI in a frame has opened for a provider. */
  readonly isPopup: boolean;
  /** The state before a reload, when the session has been restored. */
  readonly restored: TabState | null;
  /** Why the session could not be restored, if the reason helps the user. */
  readonly end: Problem | 'unreachable' | null;
}

export const NO_SESSION: SessionStart = {
  token: null,
  claims: {},
  resumed: null,
  externalAuthorization: null,
  isPopup: false,
  restored: null,
  end: null,
};

/**
 * Removes the token from the address bar and the history before any other code can read it. The token is then in memory only:
 * after a reload, which keeps the view in the fragment, a reference and the cookie of this browser restore the session. On return
 * from a provider the URL has a one-time code instead, which resumes it.
 */
export async function readSessionStart(): Promise<SessionStart> {
  const query = new URLSearchParams(location.search);
  const isReload = location.search === '' || query.has('theme');
  history.replaceState(null, '', location.pathname + (isReload ? location.hash : ''));
  const code = query.get('resume');
  if (code !== null) return resume(code);
  const lang = query.get('popup');
  if (lang !== null) return { ...NO_SESSION, isPopup: true, claims: { lang: lang === 'de' ? 'de' : 'en' } };
  const result = query.get('result');
  const isEnd = result === 'success' || result === 'cancelled' || result === 'error';
  const token = query.get('token');
  if (token === null && !isEnd) return restore();
  if (token !== null) endTabSession();
  return {
    ...NO_SESSION,
    token,
    // An authorization that was not started here may belong to another application.
    claims: isEnd ? {} : { ...readTab(), ...claimsOf(token) },
    externalAuthorization: isEnd ? { result, code: query.get('code') } : null,
  };
}

async function resume(code: string): Promise<SessionStart> {
  try {
    const { resumeSession } = await import('./restore-session');
    return { ...NO_SESSION, ...(await resumeSession(code)) };
  } catch {
    return restore(); // already used or expired
  }
}

async function restore(): Promise<SessionStart> {
  const { reference, ...state } = readTab();
  if (!reference) return { ...NO_SESSION, claims: state };
  try {
    const { restoreSession } = await import('./restore-session');
    return { ...NO_SESSION, ...(await restoreSession({ ...state, reference })) };
  } catch {
    return { ...NO_SESSION, claims: state, end: 'unreachable' }; // the file could not be loaded
  }
}

/** The language until the session is loaded: the one in the token, else that of the browser. */
export const initialLanguage = ({ lang }: TokenClaims): Lang => (lang === 'en' || lang === 'de' ? lang : browserLang());

/** The return URL without result and signature, for when the service no longer signs one. Null if it is not an http(s) URL. */
export function unsignedReturnUrl({ return_url: url }: TokenClaims): string | null {
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : null;
}
