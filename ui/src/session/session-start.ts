import { type AuthorizationOutcome, type AuthorizationResult, createDocfetch, resumeUiSession } from '@docfetch/sdk';
import type { Lang } from '../messages/date-format';

/** What a token says of itself. Only the service can tell whether it is true: it is good for expecting, and for nothing else. */
export interface TokenClaims {
  readonly return_url?: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  readonly lang?: Lang;
}

/** What the address of the page brought along. */
export interface SessionStart {
  readonly token: string | null;
  readonly claims: TokenClaims;
  /** The connection whose authorisation has just been granted or refused, on the way back from a provider. */
  readonly resumed: {
    readonly connection: string;
    readonly result: AuthorizationResult;
    readonly code: AuthorizationOutcome;
  } | null;
  /** How an authorisation ended that was not begun here: there is no session to go on with. */
  readonly externalAuthorization: { readonly result: AuthorizationResult; readonly code: string | null } | null;
}

const NOTHING: SessionStart = { token: null, claims: {}, resumed: null, externalAuthorization: null };

/**
 * Takes the token out of the address bar and out of the history, before anything else can read it. From then on it is in
 * memory only: a reload needs a new one. On the way back from a provider the address holds a code instead, good once, for
 * which the service gives the session back.
 */
export async function readSessionStart(): Promise<SessionStart> {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const code = query.get('resume');
  if (code !== null) return resume(code);
  const result = query.get('result');
  const isEnd = result === 'success' || result === 'cancelled' || result === 'error';
  const token = query.get('token');
  return {
    ...NOTHING,
    token,
    claims: claimsOf(token),
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
    return NOTHING; // used already, or too late: the page is opened anew from where the user came
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

/** The address to return to, without result and signature: for when the service no longer gives one. */
export function unsignedReturnUrl({ return_url: url }: TokenClaims): string | null {
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : null;
}
