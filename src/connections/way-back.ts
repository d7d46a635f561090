/** How an authorisation ended. All but the first leave the connection as it was. */
export const OUTCOMES = [
  'AUTHORIZED',
  'AUTHORIZATION_DENIED',
  'AUTHORIZATION_EXPIRED',
  'AUTHORIZATION_USED',
  'AUTHORIZATION_INVALID',
  'AUTHORIZATION_FAILED',
  'ACCOUNT_MISMATCH',
  'SCOPE_MISSING',
  'PROVIDER_UNREACHABLE',
  'INTEGRATION_NOT_AVAILABLE',
  'INTERNAL_ERROR',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What `state` tickets are signed for. */
export const STATE = 'oauth-state';

/** What a browser shows of itself. */
export interface Browser {
  cookie(name: string): string | undefined;
}

/** Where a browser is sent, and the cookie that it gets or gives back. */
export interface Way {
  readonly url: string;
  readonly cookie?: { readonly name: string; readonly value: string; readonly seconds: number };
}

/**
 * The cookie of one flow, so that two of them side by side do not disturb each other. With https no other host can set it
 * (`__Host-`).
 */
export function cookieName(publicUrl: string, flowUuid: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}docfetch-oauth-${flowUuid}`;
}

/**
 * The hosted UI after an authorisation: with `resume`, a code by which it gets its session back; without a session to go
 * back to it only says how it ended.
 */
export function wayBack(publicUrl: string, outcome: Outcome, resume?: string): Way {
  if (resume !== undefined) return { url: `${publicUrl}/ui?resume=${resume}` };
  const result = outcome === 'AUTHORIZED' ? 'success' : outcome === 'AUTHORIZATION_DENIED' ? 'cancelled' : 'error';
  return { url: `${publicUrl}/ui?result=${result}&code=${outcome}` };
}

/** Reads a `Cookie` header (RFC 6265 section 4.2). */
export function browserOf(header: string | undefined): Browser {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return {
    cookie: (name) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1),
  };
}
