import { type AuthorizationOutcome, type AuthorizationResult, createDocfetch, resumeUiSession } from '@docfetch/sdk';

/** What the address of the page brought along. */
export interface Arrival {
  readonly token: string | null;
  /** The connection whose authorisation has just been granted or refused, on the way back from a provider. */
  readonly authorized: {
    readonly connection: string;
    readonly result: AuthorizationResult;
    readonly code: AuthorizationOutcome;
  } | null;
  /** How an authorisation ended that was not begun here: there is no session to go on with. */
  readonly ended: { readonly result: AuthorizationResult; readonly code: string | null } | null;
}

const NOTHING: Arrival = { token: null, authorized: null, ended: null };

/**
 * Takes the token out of the address bar and out of the history, before anything else can read it. From then on it is in
 * memory only: a reload needs a new one. On the way back from a provider the address holds a code instead, good once, for
 * which the service gives the session back.
 */
export async function arrive(): Promise<Arrival> {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const code = query.get('resume');
  if (code !== null) return resume(code);
  const result = query.get('result');
  const isEnd = result === 'success' || result === 'cancelled' || result === 'error';
  return { ...NOTHING, token: query.get('token'), ended: isEnd ? { result, code: query.get('code') } : null };
}

async function resume(code: string): Promise<Arrival> {
  try {
    const client = createDocfetch({ baseUrl: location.origin });
    const {
      token,
      connection_uuid: connection,
      result,
      code: outcome,
    } = (await resumeUiSession({ client, body: { code } })).data;
    return { ...NOTHING, token, authorized: { connection, result, code: outcome } };
  } catch {
    return NOTHING; // used already, or too late: the page is opened anew from where the user came
  }
}

/** The address to return to, as the token carries it: without result and signature, for when the service no longer gives one. */
export function plainReturnUrl(token: string | null): string | null {
  try {
    const payload = token!.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const { return_url } = JSON.parse(new TextDecoder().decode(bytes)) as { return_url?: unknown };
    return typeof return_url === 'string' && /^https?:\/\//.test(return_url) ? return_url : null;
  } catch {
    return null;
  }
}
