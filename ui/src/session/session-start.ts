import { type AuthorizationOutcome, type AuthorizationResult, createDocfetch, resumeUiSession } from '@docfetch/sdk';
import type { Lang } from '../messages/date-format';

/** Unverified claims of the token. Only the service verifies the token: use them for preloading, never for decisions. */
export interface TokenClaims {
  readonly return_url?: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly lang?: Lang;
}

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
}

const NOTHING: SessionStart = {
  token: null,
  claims: {},
  resumed: null,
  externalAuthorization: null,
  isPopup: false,
};

/** Name of the entry in the tab's storage. */
const REMEMBERED = 'docfetch-return';

/**
 * Remembers the address of the client's application and the language for this tab, so that a page without a session, for example
 * after a reload, leads back. The token itself is never stored.
 */
export function rememberReturn(claims: Pick<TokenClaims, 'return_url' | 'lang'>): void {
  try {
    sessionStorage.setItem(REMEMBERED, JSON.stringify({ return_url: claims.return_url, lang: claims.lang }));
  } catch {
    // The browser blocks storage, for example in a frame: the user goes back without the page's help.
  }
}

function rememberedReturn(): TokenClaims {
  try {
    return (JSON.parse(sessionStorage.getItem(REMEMBERED) ?? '{}') as TokenClaims | null) ?? {};
  } catch {
    return {};
  }
}

/**
 * Removes the token from the address bar and the history before any other code can read it. The token is then in memory only,
 * so the user opens the page again from the application after a reload. On return from a provider the URL has a one-time code instead, which resumes the session.
 */
export async function readSessionStart(): Promise<SessionStart> {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const code = query.get('resume');
  if (code !== null) return resume(code);
  const lang = query.get('popup');
  if (lang !== null) return { ...NOTHING, isPopup: true, claims: { lang: lang === 'de' ? 'de' : 'en' } };
  const result = query.get('result');
  const isEnd = result === 'success' || result === 'cancelled' || result === 'error';
  const token = query.get('token');
  return {
    ...NOTHING,
    token,
    // An authorization that was not started here may belong to another application.
    claims: isEnd ? {} : { ...rememberedReturn(), ...claimsOf(token) },
    externalAuthorization: isEnd ? { result, code: query.get('code') } : null,
  };
}

async function resume(code: string): Promise<SessionStart> {
  try {
    const client = createDocfetch({ baseUrl: location.origin });
    const {
      token,
      connection_uuid: connection,
      result,
      code: outcome,
    } = (await resumeUiSession({ client, body: { code } })).data;
    return { ...NOTHING, token, claims: claimsOf(token), resumed: { connection, result, code: outcome } };
  } catch {
    // Already used or expired: the user opens the page again from the application.
    return { ...NOTHING, claims: rememberedReturn() };
  }
}

function claimsOf(token: string | null): TokenClaims {
  try {
    const payload = token!.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return (JSON.parse(new TextDecoder().decode(bytes)) as TokenClaims | null) ?? {};
  } catch {
    return {};
  }
}

/** The return URL without result and signature, for when the service no longer signs one. Null if it is not an http(s) URL. */
export function unsignedReturnUrl({ return_url: url }: TokenClaims): string | null {
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : null;
}
