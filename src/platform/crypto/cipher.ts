import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { releaseBuffer } from '../buffers/release-buffer';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** How much longer sealed bytes are than the plain ones. */
export const ENCRYPTION_OVERHEAD = NONCE_BYTES + TAG_BYTES;

/** Node prepares a key anew each time it is given as bytes, which takes a quarter as long as sealing 150 KB. */
const prepared = new WeakMap<Buffer, KeyObject>();

function keyObject(key: Buffer): KeyObject {
  const known = prepared.get(key) ?? createSecretKey(key);
  prepared.set(key, known);
  return known;
}

/** AES-256-GCM: nonce, ciphertext, tag. `context` is authenticated: sealed bytes open only where they belong. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  return encryptInto(Buffer.allocUnsafe(plain.length + ENCRYPTION_OVERHEAD), key, [plain], context);
}

/**
 * As {@link encrypt}, of bytes in several parts, into memory that is used again and again; answers the part of it that was
 * filled. @throws RangeError when `memory` is too small.
 */
export function encryptInto(memory: Buffer, key: Buffer, plain: readonly Buffer[], context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), nonce);
  cipher.setAAD(Buffer.from(context));
  memory.set(nonce);
  let end = NONCE_BYTES;
  for (const part of plain) {
    const sealed = cipher.update(part);
    memory.set(sealed, end);
    end += sealed.length;
    releaseBuffer(sealed);
  }
  cipher.final(); // of a stream cipher nothing is left over
  memory.set(cipher.getAuthTag(), end);
  return memory.subarray(0, end + TAG_BYTES);
}

/** @throws when the key is another one, the context differs or a bit has changed. */
export function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < ENCRYPTION_OVERHEAD) throw new Error('Sealed bytes are too short.');
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** So much is opened at a time: what Node makes anew for each piece dies young. */
const PIECE_BYTES = 32 * 1024;

/** As {@link decrypt}, into the memory in which the sealed bytes lie: answers the part of it that is the plain text. */
export function decryptInPlace(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < ENCRYPTION_OVERHEAD) throw new Error('Sealed bytes are too short.');
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), Buffer.from(sealed.subarray(0, NONCE_BYTES)));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(Buffer.from(sealed.subarray(-TAG_BYTES)));
  const end = sealed.length - TAG_BYTES;
  for (let at = NONCE_BYTES; at < end; at += PIECE_BYTES) {
    const piece = decipher.update(sealed.subarray(at, Math.min(end, at + PIECE_BYTES)));
    sealed.set(piece, at - NONCE_BYTES);
    releaseBuffer(piece);
  }
  decipher.final();
  return sealed.subarray(0, end - NONCE_BYTES);
}
