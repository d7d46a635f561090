import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import type { NamedKey } from '../config/settings';

/** 256 random bits as text. Keep its {@link digestOf} only. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** In constant time. */
export function matchesDigest(secret: string, digest: Buffer | Uint8Array | null | undefined): boolean {
  return digest != null && timingSafeEqual(digestOf(secret), digest);
}

/** Id, random bits and signature, one behind the other. */
const LENGTHS = { id: 16, random: 32, signature: 32 } as const;

/** A random text that carries an id (a uuid) and our signature: what is not ours is known without a look into the database. */
export function signToken(keys: readonly NamedKey[], purpose: string, id: string): string {
  const content = Buffer.concat([parse(id), randomBytes(LENGTHS.random)]);
  return Buffer.concat([content, mac(keys[0]!, purpose, content)]).toString('base64url');
}

/** The id that a ticket carries; null when it was not signed by us for this purpose. */
export function verifyToken(keys: readonly NamedKey[], purpose: string, ticket: string): string | null {
  const bytes = Buffer.from(ticket, 'base64url');
  const end = LENGTHS.id + LENGTHS.random;
  if (bytes.length !== end + LENGTHS.signature || bytes.toString('base64url') !== ticket) return null;
  const content = bytes.subarray(0, end);
  const isOurs = keys.some((key) => timingSafeEqual(mac(key, purpose, content), bytes.subarray(end)));
  return isOurs ? stringify(content.subarray(0, LENGTHS.id)) : null;
}

function mac(key: NamedKey, purpose: string, content: Buffer): Buffer {
  const ownKey = createHmac('sha256', key.bytes).update(`ticket:${purpose}`).digest();
  return createHmac('sha256', ownKey).update(content).digest();
}
