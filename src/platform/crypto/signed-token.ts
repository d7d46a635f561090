import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import type { NamedKey } from '../config/master-key';

/** 256 random bits as text. Store only its {@link digestOf}. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Compares in constant time. */
export function matchesDigest(secret: string, digest: Buffer | Uint8Array | null | undefined): boolean {
  return digest != null && timingSafeEqual(digestOf(secret), digest);
}

/** Bytes of the parts of a token, in their order. */
const LENGTHS = { id: 16, random: 32, signature: 32 } as const;

/** A random token that contains a UUID and a signature, so that a forged one is rejected without a database query. */
export function signToken(keys: readonly NamedKey[], purpose: string, id: string): string {
  const content = Buffer.concat([parse(id), randomBytes(LENGTHS.random)]);
  return Buffer.concat([content, mac(keys[0]!, purpose, content)]).toString('base64url');
}

/** The UUID of a token; null when the token was not signed with one of the keys for this purpose. */
export function verifyToken(keys: readonly NamedKey[], purpose: string, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  const end = LENGTHS.id + LENGTHS.random;
  if (bytes.length !== end + LENGTHS.signature || bytes.toString('base64url') !== token) return null;
  const content = bytes.subarray(0, end);
  const isValid = keys.some((key) => timingSafeEqual(mac(key, purpose, content), bytes.subarray(end)));
  return isValid ? stringify(content.subarray(0, LENGTHS.id)) : null;
}

/** A text that everybody can read and nobody can change: base64url of the text, a dot, and its signature. */
export function signText(keys: readonly NamedKey[], purpose: string, text: string): string {
  const content = Buffer.from(text);
  return `${content.toString('base64url')}.${mac(keys[0]!, purpose, content).toString('base64url')}`;
}

/** The signed text; null when it was not signed with one of the keys for this purpose. */
export function verifyText(keys: readonly NamedKey[], purpose: string, signed: string): string | null {
  const [text = '', signature = '', ...more] = signed.split('.');
  const [content, given] = [Buffer.from(text, 'base64url'), Buffer.from(signature, 'base64url')];
  if (given.length !== LENGTHS.signature || more.length > 0) return null;
  // A text has one encoding.
  if (content.toString('base64url') !== text || given.toString('base64url') !== signature) return null;
  const isValid = keys.some((key) => timingSafeEqual(mac(key, purpose, content), given));
  return isValid ? content.toString() : null;
}

function mac(key: NamedKey, purpose: string, content: Buffer): Buffer {
  const derivedKey = createHmac('sha256', key.bytes).update(`ticket:${purpose}`).digest();
  return createHmac('sha256', derivedKey).update(content).digest();
}
