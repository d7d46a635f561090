import type { ProvisionedDocument } from './generated/types.gen.js';

/** Why the verification of a message or a return URL failed. */
export type VerificationFailureReason =
  'MALFORMED' | 'SIGNATURE_MISSING' | 'SIGNATURE_INVALID' | 'EXPIRED' | 'FROM_THE_FUTURE';

/** Verification failed: do not use the data. `reason` is for your log, not for the sender. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  constructor(
    subject: string,
    readonly reason: VerificationFailureReason,
  ) {
    super(`The ${subject} could not be verified: ${reason}.`);
  }
}

export interface VerifyOptions {
  /** Default: the current time. */
  readonly now?: Date;
  /** Maximum difference between the signed time and `now`. Default 300. */
  readonly toleranceSeconds?: number;
}

/** The signing secret of the environment (`whsec_…`); several during a rotation, of which one must match. */
export type Secrets = string | readonly string[];

/** `Headers`, or an object such as `request.headers` of Node; names are case-insensitive. */
export type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const RETURN_PARAMETERS = [
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

/** The parameters of a return URL, named as in the URL. */
export interface ReturnParameters {
  readonly result: 'success' | 'cancelled' | 'error';
  readonly action: 'created' | 'updated' | 'deleted' | 'none';
  readonly identity_uuid: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  /** The connection's status when the user left the hosted UI. */
  readonly status?: string;
  /** The `state` that you sent when you opened the UI. */
  readonly state?: string;
  /** Time of the signature, in seconds since 1970. */
  readonly ts: string;
  /** Store it while the URL is valid, to accept the URL only once. */
  readonly nonce: string;
}

/**
 * Verifies the URL with which a user returned from the hosted UI, and returns its parameters.
 * @param url the full URL as requested by the browser, including scheme and host
 * @throws VerificationError when the URL was changed, is not signed, or is too old
 * @throws TypeError when no secret is given, or one is invalid
 */
export async function verifyReturnUrl(
  url: string,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<ReturnParameters> {
  const keys = await keysOf(secrets);
  const fail = (reason: VerificationFailureReason) => new VerificationError('return URL', reason);
  const address = url.split('#')[0]!; // A browser may add a fragment; a server never receives it.
  let query: URLSearchParams;
  try {
    query = new URL(address).searchParams;
  } catch {
    throw fail('MALFORMED');
  }
  if (!query.has('sig')) throw fail('SIGNATURE_MISSING');
  const [signed, signature, ...more] = address.split('&sig=');
  if (more.length > 0 || query.getAll('sig').length > 1 || !/^[\w-]{43}$/.test(signature ?? '')) {
    throw fail('SIGNATURE_INVALID');
  }
  const mac = bytesOf(signature!.replaceAll('-', '+').replaceAll('_', '/') + '=');
  if (!mac || !(await matchesOne(keys, [mac], utf8(`v1.${signed}`)))) throw fail('SIGNATURE_INVALID');

  const ts = query.get('ts') ?? '';
  const hasDuplicates = RETURN_PARAMETERS.some((name) => query.getAll(name).length > 1);
  if (hasDuplicates || !/^\d{1,15}$/.test(ts)) throw fail('MALFORMED');
  const reason = checkTime(Number(ts), options);
  if (reason) throw fail(reason);
  const entries = RETURN_PARAMETERS.filter((name) => query.has(name)).map((name) => [name, query.get(name)]);
  return Object.fromEntries(entries) as ReturnParameters;
}

/**
 * Verifies a pushed document and returns it. Store it before you answer 200: Docfetch then considers it delivered. It may arrive
 * twice, with the same `transaction_uuid`.
 * @param body the raw body, before any parsing
 * @throws VerificationError when it is not from Docfetch, was changed, or is too old: answer 401
 * @throws TypeError when no secret is given, or one is invalid
 */
export async function verifyPush(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeaderBag,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<ProvisionedDocument> {
  return (await verifyMessage(body, headers, secrets, options)) as ProvisionedDocument;
}

/** The body of a webhook; `data` depends on `type`. */
export interface WebhookMessage {
  /** E.g. `document.available`. Answer 200 to unknown types and ignore them. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Like {@link verifyPush}, for a webhook. Its secret was returned when the webhook was registered. */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeaderBag,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<WebhookMessage> {
  return (await verifyMessage(body, headers, secrets, options)) as WebhookMessage;
}

async function verifyMessage(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeaderBag,
  secrets: Secrets,
  options: VerifyOptions,
): Promise<unknown> {
  const keys = await keysOf(secrets);
  const fail = (reason: VerificationFailureReason) => new VerificationError('message', reason);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, name));
  if (!id || !timestamp || !signatures) throw fail('SIGNATURE_MISSING');
  if (!/^\d{1,15}$/.test(timestamp)) throw fail('MALFORMED');
  const macs = signatures
    .split(' ')
    .filter((signature) => /^v1,[A-Za-z0-9+/]{43}=$/.test(signature))
    .map((signature) => bytesOf(signature.slice('v1,'.length)))
    .filter((mac) => mac !== null);
  const bytes = typeof body === 'string' ? utf8(body) : new Uint8Array(body);
  if (!(await matchesOne(keys, macs, joined(utf8(`${id}.${timestamp}.`), bytes)))) throw fail('SIGNATURE_INVALID');
  const reason = checkTime(Number(timestamp), options);
  if (reason) throw fail(reason);
  const message = objectOf(bytes);
  if (!message) throw fail('MALFORMED');
  return message;
}

/** The JSON object that the bytes are; null if they are something else. */
function objectOf(bytes: Uint8Array): object | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function checkTime(seconds: number, { now = new Date(), toleranceSeconds = 300 }: VerifyOptions) {
  const age = now.getTime() / 1000 - seconds;
  if (age > toleranceSeconds) return 'EXPIRED';
  return age < -toleranceSeconds ? 'FROM_THE_FUTURE' : null;
}

/** Imports the secrets: the key is the base64-decoded part after `whsec_` (Standard Webhooks). */
async function keysOf(secrets: Secrets): Promise<CryptoKey[]> {
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  if (all.length === 0) throw new TypeError('At least one secret is required.');
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return Promise.all(
    all.map((secret) => {
      const key = bytesOf(secret.replace(/^whsec_/, ''));
      // Anyone can sign with an empty key.
      if (!key?.length) throw new TypeError('A signing secret is empty or not base64.');
      return crypto.subtle.importKey('raw', key, hmac, false, ['verify']);
    }),
  );
}

/** Verifies all pairs, each in constant time, so that the duration does not reveal which one matches. */
async function matchesOne(keys: CryptoKey[], macs: Uint8Array[], text: Uint8Array): Promise<boolean> {
  const pairs = keys.flatMap((key) => macs.map((mac) => ({ key, mac })));
  const matches = await Promise.all(
    pairs.map(({ key, mac }) => crypto.subtle.verify('HMAC', key, mac as BufferSource, text as BufferSource)),
  );
  return matches.includes(true);
}

function headerOf(headers: HeaderBag, suffix: string): string | null {
  const name = `webhook-${suffix}`;
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers as Record<string, string | readonly string[] | undefined>).filter(
    ([key, value]) => key.toLowerCase() === name && value !== undefined,
  );
  const value = found.length === 1 ? found[0]![1] : undefined;
  return typeof value === 'string' ? value : null;
}

/** Decodes base64; null for invalid input, including non-canonical base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(base64);
    return btoa(binary) === base64 ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text);

function joined(start: Uint8Array, end: Uint8Array): Uint8Array {
  const all = new Uint8Array(start.length + end.length);
  all.set(start);
  all.set(end, start.length);
  return all;
}
