/** Members of a UI token. They are not verified: only the service can do that. */
export interface TokenClaims {
  /** The address of the service. */
  readonly iss: string;
  /** The identity. */
  readonly sub: string;
  readonly return_url: string;
  readonly lang?: string;
}

/**
 * Reads a UI token.
 * @throws TypeError if the text is not a UI token
 */
export function readToken(token: string): TokenClaims {
  try {
    const payload = token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/');
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as TokenClaims;
    if (claims.iss && claims.sub && claims.return_url) return claims;
  } catch {
    // reported below, without the text: it may be a secret
  }
  throw new TypeError('token is not a UI token of POST /token.');
}

/**
 * The address of the hosted UI.
 * @throws TypeError if `baseUrl` is not an http(s) URL
 */
export function uiUrl(baseUrl: string, token: string): URL {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/ui`);
  // A token must never be able to run a script (javascript:).
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl is not an http(s) URL.');
  url.searchParams.set('token', token);
  return url;
}

/** The address of the hosted UI that reports to the page that opens it. */
export function reportingUrl(uiAddress: URL, mode: string): URL {
  const url = new URL(uiAddress);
  url.searchParams.set('connect', mode);
  return url;
}
