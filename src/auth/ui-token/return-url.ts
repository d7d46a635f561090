import { createHmac, timingSafeEqual } from 'node:crypto';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** The maximum length of a return URL as a browser sends it. It is part of the token, which is sent in a header. */
export const MAX_RETURN_URL = 2048;

/** The parameters that are added to a return URL, in this order (decisions 3 "Return"), followed by `sig`. */
export const RETURN_PARAMETERS = [
  'result',
  'action',
  'identity_uuid',
  'connection_uuid',
  'integration_id',
  'status',
  'state',
  'ts',
  'nonce',
] as const;
export type ReturnParameter = (typeof RETURN_PARAMETERS)[number];
export type ReturnParameters = Readonly<Partial<Record<ReturnParameter, string>>>;

const RESERVED: readonly string[] = [...RETURN_PARAMETERS, 'sig'];

/**
 * Why a `return_url` is rejected, or null (decisions 3): it must be absolute https (http only for this machine), with an origin on
 * the environment's list. It must not have a fragment, which is not sent to a server, or one of the added parameters, which could be
 * confused with the signed ones.
 */
export function findReturnUrlProblem(returnUrl: string, allowedOrigins: readonly string[]): string | null {
  const url = URL.canParse(returnUrl) ? new URL(returnUrl) : null;
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL.includes(url.hostname));
  if (!url || !secure || url.username || url.password) return 'INVALID_RETURN_URL';
  if (!allowedOrigins.includes(url.origin)) return 'ORIGIN_NOT_ALLOWED';
  if (url.href.includes('#')) return 'FRAGMENT_NOT_ALLOWED';
  if ([...url.searchParams.keys()].some(isReserved)) return 'RESERVED_PARAMETER';
  return url.href.length > MAX_RETURN_URL ? 'TOO_LONG' : null;
}

/** Some frameworks ignore case, treat `result[]` as `result`, or replace dots and spaces by `_`. */
function isReserved(name: string): boolean {
  const read = name.trim().toLowerCase().split('[')[0]!;
  return RESERVED.includes(read.replaceAll(/[.\s]/g, '_'));
}

/** The URL as a browser sends it, so that the signature matches. */
export const asSent = (returnUrl: string): string => new URL(returnUrl).href;

/**
 * Adds the parameters that are given, in the order of decisions 3, and signs everything up to there: `sig` is
 * base64url(HMAC-SHA256(secret, "v1." + the URL before `&sig=`)). The URL's own query is kept as it is.
 */
export function signReturnUrl(returnUrl: string, parameters: ReturnParameters, secret: string): string {
  const base = asSent(returnUrl);
  const added = RETURN_PARAMETERS.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [`${name}=${encoded(value)}`];
  }).join('&');
  const glue = !base.includes('?') ? '?' : /[?&]$/.test(base) ? '' : '&';
  const signed = base + glue + added;
  return `${signed}&sig=${macOf(signed, secret)}`;
}

/** Why a return URL was rejected. */
export type ReturnUrlProblem = 'MALFORMED' | 'SIGNATURE_MISSING' | 'SIGNATURE_INVALID' | 'EXPIRED' | 'FROM_THE_FUTURE';

/** A return URL that is not valid; `reason` is for the log, not for the user. */
export class InvalidReturnUrl extends Error {
  constructor(readonly reason: ReturnUrlProblem) {
    super(`The return address is not to be believed: ${reason}.`);
    this.name = 'InvalidReturnUrl';
  }
}

/**
 * Verifies the return URL (decisions 3 "Return") and returns its parameters. Requires the complete URL as requested by the browser,
 * including scheme and host; with several secrets, during their rotation, one has to match. A URL is valid for `toleranceSeconds`
 * around `ts`; store `nonce` for that time to accept it only once.
 * @throws InvalidReturnUrl when it was changed, is not signed, or is too old
 * @throws TypeError when there is no secret to verify with, or an empty one
 */
export function verifyReturnUrl(
  url: string,
  secrets: string | readonly string[],
  { now = new Date(), toleranceSeconds = 300 }: { now?: Date; toleranceSeconds?: number } = {},
): ReturnParameters {
  const candidates = typeof secrets === 'string' ? [secrets] : secrets;
  if (candidates.length === 0) throw new TypeError('A return address is verified with at least one secret.');
  if (!URL.canParse(url)) throw new InvalidReturnUrl('MALFORMED');
  const address = url.split('#')[0]!; // a fragment is not sent to a server
  const parameters = new URL(address).searchParams;
  if (!parameters.has('sig')) throw new InvalidReturnUrl('SIGNATURE_MISSING');
  const [signed, signature, ...more] = address.split('&sig=');
  if (more.length > 0 || parameters.getAll('sig').length > 1 || !/^[\w-]{43}$/.test(signature ?? '')) {
    throw new InvalidReturnUrl('SIGNATURE_INVALID');
  }
  // All secrets are checked, so that the duration does not reveal which one matches.
  const fitting = candidates.filter((secret) => isEqual(macOf(signed!, secret), signature!));
  if (fitting.length === 0) throw new InvalidReturnUrl('SIGNATURE_INVALID');
  return current(parameters, now, toleranceSeconds);
}

function current(parameters: URLSearchParams, now: Date, toleranceSeconds: number): ReturnParameters {
  const ts = parameters.get('ts') ?? '';
  const isTwice = RETURN_PARAMETERS.some((name) => parameters.getAll(name).length > 1);
  if (isTwice || !/^\d{1,15}$/.test(ts)) throw new InvalidReturnUrl('MALFORMED');
  const age = now.getTime() / 1000 - Number(ts);
  if (age > toleranceSeconds) throw new InvalidReturnUrl('EXPIRED');
  if (age < -toleranceSeconds) throw new InvalidReturnUrl('FROM_THE_FUTURE');
  return Object.fromEntries(
    RETURN_PARAMETERS.filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)!]),
  );
}

/** The key is the decoded base64 after `whsec_`, like for pushes (Standard Webhooks). */
function macOf(text: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new TypeError('The signing secret is empty.'); // anyone could sign with an empty key
  return createHmac('sha256', key).update(`v1.${text}`).digest('base64url');
}

/** Compares in constant time. The texts are compared, because different base64url texts can decode to the same bytes. */
function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Every character that a URL parser could write differently is escaped, so that the signed text does not change. */
const encoded = (value: string) =>
  encodeURIComponent(value).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
