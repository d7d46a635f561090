import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** How much longer sealed bytes are than the plain ones. */
export const SEAL_OVERHEAD = NONCE_BYTES + TAG_BYTES;

/** AES-256-GCM: nonce, ciphertext, tag. `context` is authenticated: sealed bytes open only where they belong. */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws when the key is another one, the context differs or a bit has changed. */
export function unseal(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < SEAL_OVERHEAD) throw new Error('Sealed bytes are too short.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
