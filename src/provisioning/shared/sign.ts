import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isRetired, type SigningSecret } from '../../identities/environments/environment.entity';

/** The headers of a signed message (Standard Webhooks, decisions 6). */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Signs a body with every secret that has not retired, reading it once as a stream: HMAC-SHA256 over
 * `id.timestamp.body` with the decoded part after `whsec_`.
 */
export async function sign(
  secrets: readonly SigningSecret[],
  id: string,
  at: Date,
  body: AsyncIterable<Buffer> | readonly Buffer[],
): Promise<SignatureHeaders> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const macs = secrets
    .filter((secret) => !isRetired(secret, at))
    .map((secret) => createHmac('sha256', hmacKeyOf(secret)));
  for (const mac of macs) mac.update(`${id}.${timestamp}.`);
  for await (const chunk of body) for (const mac of macs) mac.update(chunk);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': macs.map((mac) => `v1,${mac.digest('base64')}`).join(' '),
  };
}

/** Node prepares a key each time it is given as bytes; many documents are signed with the same one. */
const hmacKeys = new WeakMap<SigningSecret, KeyObject>();

function hmacKeyOf(signing: SigningSecret): KeyObject {
  const known = hmacKeys.get(signing);
  if (known) return known;
  const key = createSecretKey(Buffer.from(signing.secret.replace(/^whsec_/, ''), 'base64'));
  hmacKeys.set(signing, key);
  return key;
}
