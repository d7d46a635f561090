import { decrypt, decryptInPlace, encrypt, encryptInto, ENCRYPTION_OVERHEAD } from './cipher';

/** The version of the key that an owner begins with. Its ciphertexts name no version. */
export const ORIGINAL_VERSION = 1;

/** Precedes the version. A nonce is random, so that a ciphertext without a version begins like a known version once in 2^64. */
const MARK = Buffer.from('DFKV');
const HEADER_BYTES = MARK.length + 4;

/** Bytes that encryption by a key ring adds to the plaintext, at most. */
export const MAX_ENCRYPTION_OVERHEAD = HEADER_BYTES + ENCRYPTION_OVERHEAD;

/** One version of a data key. */
export interface KeyVersion {
  readonly version: number;
  readonly key: Buffer;
}

/** The version of the data key that a ciphertext names. */
export const keyVersionOf = (ciphertext: Buffer): number =>
  hasHeader(ciphertext) ? ciphertext.readUInt32BE(MARK.length) : ORIGINAL_VERSION;

/** The parts of a ciphertext in the form that names every version, the original one too: equal plaintexts then have equal lengths. */
export const withVersion = (ciphertext: Buffer): readonly Buffer[] =>
  hasHeader(ciphertext) ? [ciphertext] : [headerOf(ORIGINAL_VERSION), ciphertext];

/** A ring that was read longer ago encrypts nothing more: a former version is destroyed an hour after this. */
const MAX_AGE_MS = 24 * 3600 * 1000;

/**
 * The data key of an owner in all its versions. The current one encrypts; each ciphertext names the version that decrypts it. Keep it in
 * memory only as long as the work needs it.
 */
export class KeyRing {
  private readonly keys: ReadonlyMap<number, Buffer>;
  readonly #readAt = performance.now();
  readonly #reread: (() => Promise<KeyRing>) | undefined;

  /** `others`: former versions, and the successor of the current one. `reread` reads the ring again. */
  constructor(
    readonly current: KeyVersion,
    readonly others: readonly KeyVersion[] = [],
    reread?: () => Promise<KeyRing>,
  ) {
    this.#reread = reread;
    this.keys = new Map([current, ...others].map(({ version, key }) => [version, key]));
  }

  /** A ring that can decrypt this: while a long document is read, its key may be replaced. */
  async including(ciphertext: Buffer): Promise<KeyRing> {
    return this.keys.has(keyVersionOf(ciphertext)) || !this.#reread ? this : this.#reread();
  }

  /** Encrypts with the current key. `context` is authenticated. @throws when the ring was read too long ago */
  encrypt(plain: Buffer, context: string): Buffer {
    const { version, key } = this.encryptingKey();
    if (version === ORIGINAL_VERSION) return encrypt(key, plain, context);
    return Buffer.concat([headerOf(version), encrypt(key, plain, context)]);
  }

  /**
   * Like {@link encrypt}, for bytes in several parts, into a reused buffer. Returns the filled part of it.
   * @throws RangeError when `memory` is too small
   */
  encryptInto(memory: Buffer, plain: readonly Buffer[], context: string): Buffer {
    const { version, key } = this.encryptingKey();
    if (version === ORIGINAL_VERSION) return encryptInto(memory, key, plain, context);
    memory.set(headerOf(version));
    const { length } = encryptInto(memory.subarray(HEADER_BYTES), key, plain, context);
    return memory.subarray(0, HEADER_BYTES + length);
  }

  /** @throws when the context differs, a bit has changed, or the version is not on the ring */
  decrypt(ciphertext: Buffer, context: string): Buffer {
    return decrypt(this.keyFor(ciphertext), bodyOf(ciphertext), context);
  }

  /** Like {@link decrypt}, but overwrites the ciphertext with the plaintext. Returns the part that contains it. */
  decryptInPlace(ciphertext: Buffer, context: string): Buffer {
    return decryptInPlace(this.keyFor(ciphertext), bodyOf(ciphertext), context);
  }

  /** One result for each version, that of the current one first. */
  mapKeys<Result>(work: (key: Buffer) => Result): [Result, ...Result[]] {
    return [work(this.current.key), ...this.others.map(({ key }) => work(key))];
  }

  private encryptingKey(): KeyVersion {
    if (performance.now() - this.#readAt > MAX_AGE_MS) throw new Error('The data key was read too long ago.');
    return this.current;
  }

  private keyFor(ciphertext: Buffer): Buffer {
    const version = keyVersionOf(ciphertext);
    const key = this.keys.get(version);
    if (!key) throw new Error(`The data key has no version ${version}, which has encrypted this.`);
    return key;
  }
}

function headerOf(version: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MARK.copy(header);
  header.writeUInt32BE(version, MARK.length);
  return header;
}

const hasHeader = (ciphertext: Buffer): boolean =>
  ciphertext.length >= HEADER_BYTES && MARK.equals(ciphertext.subarray(0, MARK.length));

const bodyOf = (ciphertext: Buffer): Buffer => (hasHeader(ciphertext) ? ciphertext.subarray(HEADER_BYTES) : ciphertext);
