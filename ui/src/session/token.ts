/** What the address of the page brought along. */
export interface Arrival {
  readonly token: string | null;
  /** The connection whose authorisation has just been granted or refused, on the way back from a provider. */
  readonly authorized: { readonly connection: string; readonly result: string } | null;
}

/**
 * Takes the token out of the address bar and out of the history, before anything else can read it. From then on it is in
 * memory only: a reload needs a new one.
 */
export function arrive(): Arrival {
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const connection = query.get('connection_uuid');
  return {
    token: query.get('token'),
    authorized: connection ? { connection, result: query.get('result') ?? 'success' } : null,
  };
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
