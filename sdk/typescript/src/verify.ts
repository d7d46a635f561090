import type { ProvisionedDocument } from './generated/types.gen.js';

/** Why a message or a return address was not believed. */
export type VerificationFault = 'MALFORMED' | 'SIGNATURE_MISSING' | 'SIGNATURE_INVALID' | 'EXPIRED' | 'FROM_THE_FUTURE';

/** Something that must not be acted upon; `reason` is for the log, not for whoever sent it. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  constructor(
    what: string,
    readonly reason: VerificationFault,
  ) {
    super(`The ${what} is not to be believed: ${reason}.`);
  }
}

export interface VerifyOptions {
  /** Default: the present moment. */
  readonly now?: Date;
  /** How far its time may be away from ours. Default 300. */
  readonly toleranceSeconds?: number;
}

/** The signing secret of the environment (`whsec_…`); several while it is being rotated, of which one has to fit. */
export type Secrets = string | readonly string[];

/** Header names in any case, as `Headers` or as Node's `request.headers`. */
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

/** What a return address says, in the words of the service. */
export interface ReturnParameters {
  readonly result: 'success' | 'cancelled' | 'error';
  readonly action: 'created' | 'updated' | 'deleted' | 'none';
  readonly identity_uuid: string;
  readonly connection_uuid?: string;
  readonly integration_id?: string;
  /** The connection's status when the user left the hosted UI. */
  readonly status?: string;
  /** What you gave when you opened the UI. */
  readonly state?: string;
  /** When it was signed, in seconds since 1970. */
  readonly ts: string;
  /** Remember it for as long as the address is good, to accept it only once. */
  readonly nonce: string;
}

/**
 * Verifies the address under which a user came back from the hosted UI, and answers what it says.
 * @param url the whole address as the browser asked for it, scheme and host included
 * @throws VerificationError when it was changed, is not signed, or is too old
 * @throws TypeError when there is no secret to verify with, or one that is none
 */
export async function verifyReturnUrl(
  url: string,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<ReturnParameters> {
  const keys = await keysOf(secrets);
  const fail = (reason: VerificationFault) => new VerificationError('return address', reason);
  const address = url.split('#')[0]!; // A browser may add a fragment; it is no part of what a server sees.
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
  if (!mac || !(await fitsOne(keys, [mac], utf8(`v1.${signed}`)))) throw fail('SIGNATURE_INVALID');

  const ts = query.get('ts') ?? '';
  const isTwice = RETURN_PARAMETERS.some((name) => query.getAll(name).length > 1);
  if (isTwice || !/^\d{1,15}$/.test(ts)) throw fail('MALFORMED');
  const fault = faultOfTime(Number(ts), options);
  if (fault) throw fail(fault);
  const given = RETURN_PARAMETERS.filter((name) => query.has(name)).map((name) => [name, query.get(name)]);
  return Object.fromEntries(given) as ReturnParameters;
}

/**
 * Verifies a pushed document and answers it. Keep it before you answer 200: from then on it is yours alone. It may
 * arrive twice, with the same `transaction_uuid`.
 * @param body the body exactly as it arrived, before anything has parsed it
 * @throws VerificationError when it is not from Docfetch, was changed, or is too old: answer 401
 * @throws TypeError when there is no secret to verify with, or one that is none
 */
export async function verifyPush(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeaderBag,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<ProvisionedDocument> {
  return (await verifyMessage(body, headers, secrets, options)) as ProvisionedDocument;
}

/** What a webhook tells; `data` depends on `type`. */
export interface WebhookMessage {
  /** E.g. `document.available`. Expect types that you do not know: answer 200 and ignore them. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** As {@link verifyPush}, for a webhook; its secret is the one that was shown when the webhook was registered. */
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
  const fail = (reason: VerificationFault) => new VerificationError('message', reason);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, name));
  if (!id || !timestamp || !signatures) throw fail('SIGNATURE_MISSING');
  if (!/^\d{1,15}$/.test(timestamp)) throw fail('MALFORMED');
  const macs = signatures
    .split(' ')
    .filter((signature) => /^v1,[A-Za-z0-9+/]{43}=$/.test(signature))
    .map((signature) => bytesOf(signature.slice('v1,'.length)))
    .filter((mac) => mac !== null);
  const bytes = typeof body === 'string' ? utf8(body) : new Uint8Array(body);
  if (!(await fitsOne(keys, macs, joined(utf8(`${id}.${timestamp}.`), bytes)))) throw fail('SIGNATURE_INVALID');
  const fault = faultOfTime(Number(timestamp), options);
  if (fault) throw fail(fault);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw fail('MALFORMED');
  }
}

function faultOfTime(seconds: number, { now = new Date(), toleranceSeconds = 300 }: VerifyOptions) {
  const age = now.getTime() / 1000 - seconds;
  if (age > toleranceSeconds) return 'EXPIRED';
  return age < -toleranceSeconds ? 'FROM_THE_FUTURE' : null;
}

/** The keys are what the base64 behind `whsec_` stands for (Standard Webhooks). */
async function keysOf(secrets: Secrets): Promise<CryptoKey[]> {
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  if (all.length === 0) throw new TypeError('Give at least one secret to verify with.');
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return Promise.all(
    all.map((secret) => {
      const key = bytesOf(secret.replace(/^whsec_/, ''));
      // Anybody can sign with nothing.
      if (!key?.length) throw new TypeError('A signing secret is empty or not base64.');
      return crypto.subtle.importKey('raw', key, hmac, false, ['verify']);
    }),
  );
}

/** Tries all of them, each in constant time, so that the time it takes does not tell which one fits. */
async function fitsOne(keys: CryptoKey[], macs: Uint8Array[], text: Uint8Array): Promise<boolean> {
  const pairs = keys.flatMap((key) => macs.map((mac) => ({ key, mac })));
  const fits = await Promise.all(
    pairs.map(({ key, mac }) => crypto.subtle.verify('HMAC', key, mac as BufferSource, text as BufferSource)),
  );
  return fits.includes(true);
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

/** Decodes base64; null for another text, also for one that stands for the same bytes but is not how they are written. */
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
