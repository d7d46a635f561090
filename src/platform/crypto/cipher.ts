import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { releaseBuffer } from '../buffers/release-buffer';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Bytes that encryption adds to the plaintext. */
export const ENCRYPTION_OVERHEAD = NONCE_BYTES + TAG_BYTES;

/** Cached key objects: creating one from bytes takes a quarter of the time of encrypting 150 KB. */
const keyObjects = new WeakMap<Buffer, KeyObject>();

function keyObject(key: Buffer): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, known);
  return known;
}

/** AES-256-GCM: nonce, ciphertext, tag. `context` is authenticated, so the bytes can be decrypted only with the same context. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  return encryptInto(Buffer.allocUnsafe(plain.length + ENCRYPTION_OVERHEAD), key, [plain], context);
}

/**
 * Like {@link encrypt}, for bytes in several parts, into a reused buffer. Returns the filled part of it.
 * @throws RangeError when `memory` is too small
 */
export function encryptInto(memory: Buffer, key: Buffer, plain: readonly Buffer[], context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), nonce);
  cipher.setAAD(Buffer.from(context));
  memory.set(nonce);
  let end = NONCE_BYTES;
  for (const part of plain) {
    const ciphertext = cipher.update(part);
    memory.set(ciphertext, end);
    end += ciphertext.length;
    releaseBuffer(ciphertext);
  }
  cipher.final(); // returns no bytes in a stream mode
  memory.set(cipher.getAuthTag(), end);
  return memory.subarray(0, end + TAG_BYTES);
}

/** @throws when the key or the context differs, or a bit has changed */
export function decrypt(key: Buffer, ciphertext: Buffer, context: string): Buffer {
  if (ciphertext.length < ENCRYPTION_OVERHEAD) throw new Error('The ciphertext is too short.');
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), ciphertext.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(ciphertext.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Bytes decrypted per call: the temporary buffers stay small and short-lived. */
const PIECE_BYTES = 32 * 1024;

/** Like {@link decrypt}, but overwrites `encrypted` with the plaintext. Returns the part that contains it. */
export function decryptInPlace(key: Buffer, ciphertext: Buffer, context: string): Buffer {
  if (ciphertext.length < ENCRYPTION_OVERHEAD) throw new Error('The ciphertext is too short.');
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), Buffer.from(ciphertext.subarray(0, NONCE_BYTES)));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(Buffer.from(ciphertext.subarray(-TAG_BYTES)));
  const end = ciphertext.length - TAG_BYTES;
  for (let at = NONCE_BYTES; at < end; at += PIECE_BYTES) {
    const piece = decipher.update(ciphertext.subarray(at, Math.min(end, at + PIECE_BYTES)));
    ciphertext.set(piece, at - NONCE_BYTES);
    releaseBuffer(piece);
  }
  decipher.final();
  return ciphertext.subarray(0, end - NONCE_BYTES);
}
