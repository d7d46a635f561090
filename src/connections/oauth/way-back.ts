import { newSecret } from '../../platform/crypto/signed-token';

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

/** Seconds for which the hosted UI's cookie is kept: a session, its continuation, and the life of a link made at their end. */
const PAGE_SECONDS = 7200;
const PAGE_COOKIE = /^[\w-]{43}$/;

/** What a browser shows of itself. */
export interface Browser {
  cookie(name: string): string | undefined;
}

/** A cookie that a browser gets. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
}

/** Where a browser is sent, and the cookie that it gets. */
export interface Way {
  readonly url: string;
  readonly cookie?: Cookie;
}

/**
 * The cookie of one flow, so that two of them side by side do not disturb each other. With https no other host can set it
 * (`__Host-`).
 */
export function cookieName(publicUrl: string, flowUuid: string): string {
  return `${prefixOf(publicUrl)}docfetch-oauth-${flowUuid}`;
}

/** The value of the cookie that marks a browser in which the hosted UI was opened; null when there is none (decisions 3). */
export function pageCookieOf(browser: Browser, publicUrl: string): string | null {
  const value = browser.cookie(pageCookieName(publicUrl));
  return value !== undefined && PAGE_COOKIE.test(value) ? value : null;
}

/** The same cookie for a browser that opens the hosted UI: what it has already is kept, so that links made before stay good. */
export function pageCookieFor(browser: Browser, publicUrl: string): Cookie {
  const value = pageCookieOf(browser, publicUrl) ?? newSecret();
  return { name: pageCookieName(publicUrl), value, seconds: PAGE_SECONDS };
}

/** How our cookies are set: not readable by scripts, and sent when a provider leads the browser back. `maxAge` in milliseconds. */
export function cookieOptions(publicUrl: string, { seconds }: Cookie) {
  return {
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'lax',
    path: '/',
    maxAge: seconds * 1000,
    encode: (value: string) => value,
  } as const;
}

const pageCookieName = (publicUrl: string): string => `${prefixOf(publicUrl)}docfetch-ui`;

const prefixOf = (publicUrl: string): string => (publicUrl.startsWith('https:') ? '__Host-' : '');

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
