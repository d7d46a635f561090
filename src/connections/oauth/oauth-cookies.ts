import { newSecret } from '../../platform/crypto/signed-token';

/** Lifetime of the hosted UI's cookie: a session, its continuation, and the validity of a link created at their end. */
const PAGE_SECONDS = 7200;
const PAGE_COOKIE = /^[\w-]{43}$/;

/** The cookies of a request. */
export interface RequestCookies {
  get(name: string): string | undefined;
}

/** A cookie to set in a response. */
export interface ResponseCookie {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
}

/**
 * Name of the cookie of one flow; concurrent flows have separate cookies. The prefix `__Host-`, with https, prevents other
 * hosts from setting it.
 */
export function flowCookieName(publicUrl: string, flowUuid: string): string {
  return `${cookiePrefix(publicUrl)}docfetch-oauth-${flowUuid}`;
}

/** The value of the cookie that the hosted UI sets in a browser; null if there is none (decisions 3). */
export function readPageCookie(cookies: RequestCookies, publicUrl: string): string | null {
  const value = cookies.get(pageCookieName(publicUrl));
  return value !== undefined && PAGE_COOKIE.test(value) ? value : null;
}

/** The same cookie for a browser that opens the hosted UI. An existing value is kept, so that earlier links stay valid. */
export function renewPageCookie(cookies: RequestCookies, publicUrl: string): ResponseCookie {
  const value = readPageCookie(cookies, publicUrl) ?? newSecret();
  return { name: pageCookieName(publicUrl), value, seconds: PAGE_SECONDS };
}

/** Cookie attributes: not readable by scripts, and sent when a provider redirects the browser back. `maxAge` in milliseconds. */
export function cookieOptions(publicUrl: string, { seconds }: ResponseCookie) {
  return {
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'lax',
    path: '/',
    maxAge: seconds * 1000,
    encode: (value: string) => value,
  } as const;
}

const pageCookieName = (publicUrl: string): string => `${cookiePrefix(publicUrl)}docfetch-ui`;

const cookiePrefix = (publicUrl: string): string => (publicUrl.startsWith('https:') ? '__Host-' : '');

/** Reads a `Cookie` header (RFC 6265 section 4.2). */
export function parseCookies(header: string | undefined): RequestCookies {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return {
    get: (name) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1),
  };
}
