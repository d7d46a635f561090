import type { CookieOptions } from 'express';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookies } from '../../connections/oauth/oauth-cookies';

/** Lifetime of a session. */
export const SESSION_SECONDS = 8 * 3600;

const SECRET = /^[\w-]{43}$/;

/** With https, the prefix `__Host-` prevents other hosts from setting the cookie. */
export const sessionCookieName = (publicUrl: string): string =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}docfetch_console`;

/** The secret of the session that a browser sends; null if there is none. */
export function readSessionCookie(cookieHeader: string | undefined, publicUrl: string): string | null {
  const value = parseCookies(cookieHeader).get(sessionCookieName(publicUrl));
  return value !== undefined && SECRET.test(value) ? value : null;
}

/** Not readable by scripts, and sent only with requests of our own pages. */
export const sessionCookieOptions = (publicUrl: string): CookieOptions => ({
  httpOnly: true,
  secure: publicUrl.startsWith('https:'),
  sameSite: 'strict',
  path: '/',
});

/** Derived from the cookie, so that it need not be stored; the cookie does not follow from it. */
export const csrfTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update('docfetch console csrf').digest('base64url');

/** Compares in constant time. */
export function isCsrfToken(secret: string, given: string): boolean {
  const [expected, sent] = [Buffer.from(csrfTokenOf(secret)), Buffer.from(given)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
