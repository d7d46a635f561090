import { createHmac, timingSafeEqual } from 'node:crypto';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** How long a return address may be, written as a browser sends it. It travels inside the token, so inside a header. */
export const MAX_RETURN_URL = 2048;

/** What is added to a return address, in this order (decisions 3 "Return"); `sig` is last. */
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
 * Why a `return_url` cannot be used, or null (decisions 3): absolute https, http only for this machine, its origin on the
 * environment's list. Without a fragment, which no signature reaches on its way to a server, and without a parameter of
 * ours, which a reader could take for the signed one.
 */
export function returnUrlFault(returnUrl: string, allowedOrigins: readonly string[]): string | null {
  const url = URL.canParse(returnUrl) ? new URL(returnUrl) : null;
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL.includes(url.hostname));
  if (!url || !secure || url.username || url.password) return 'INVALID_RETURN_URL';
  if (!allowedOrigins.includes(url.origin)) return 'ORIGIN_NOT_ALLOWED';
  if (url.href.includes('#')) return 'FRAGMENT_NOT_ALLOWED';
  if ([...url.searchParams.keys()].some(isReserved)) return 'RESERVED_PARAMETER';
  return url.href.length > MAX_RETURN_URL ? 'TOO_LONG' : null;
}

/** Some frameworks ignore case, take `result[]` for `result`, or make `_` of a dot or a space: none shall read ours twice. */
function isReserved(name: string): boolean {
  const read = name.trim().toLowerCase().split('[')[0]!;
  return RESERVED.includes(read.replaceAll(/[.\s]/g, '_'));
}

/** The address as a browser will send it, so that what was signed is what arrives. */
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

/** Why a return address was not believed. */
export type ReturnUrlFault = 'MALFORMED' | 'SIGNATURE_MISSING' | 'SIGNATURE_INVALID' | 'EXPIRED' | 'FROM_THE_FUTURE';

/** A return address that must not be acted upon; `reason` is for the log, not for the user. */
export class InvalidReturnUrl extends Error {
  constructor(readonly reason: ReturnUrlFault) {
    super(`The return address is not to be believed: ${reason}.`);
    this.name = 'InvalidReturnUrl';
  }
}

/**
 * Verifies the address under which a user came back (decisions 3 "Return") and answers what it says. The whole URL as the
 * browser asked for it, scheme and host included; with several secrets, during their rotation, one has to fit.
 * An address is good for `toleranceSeconds` around `ts`; remember `nonce` for as long to accept it only once.
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
  const address = url.split('#')[0]!; // a browser may add one, it is no part of what a server sees
  const parameters = new URL(address).searchParams;
  if (!parameters.has('sig')) throw new InvalidReturnUrl('SIGNATURE_MISSING');
  const [signed, signature, ...more] = address.split('&sig=');
  if (more.length > 0 || parameters.getAll('sig').length > 1 || !/^[\w-]{43}$/.test(signature ?? '')) {
    throw new InvalidReturnUrl('SIGNATURE_INVALID');
  }
  // All of them, so that the time it takes does not tell which one fits.
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

/** The key is what the base64 behind `whsec_` stands for, as for pushes (Standard Webhooks). */
function macOf(text: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new TypeError('The signing secret is empty.'); // anybody can sign with nothing
  return createHmac('sha256', key).update(`v1.${text}`).digest('base64url');
}

/** In constant time. The text is compared, not its bytes: two texts can stand for the same bytes. */
function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Every character that a URL parser could write differently is escaped, so that the signed text stays what it is. */
const encoded = (value: string) =>
  encodeURIComponent(value).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
