import { randomBytes } from 'node:crypto';
import { encrypt, ENCRYPTION_OVERHEAD } from './cipher';
import { KeyRing, type KeyVersion, keyVersionOf, MAX_ENCRYPTION_OVERHEAD, withVersion } from './key-ring';

const keyOf = (version: number): KeyVersion => ({ version, key: Buffer.alloc(32, version) });
const [FIRST, SECOND, THIRD] = [keyOf(1), keyOf(2), keyOf(3)];

/** The plaintext "Rechnung" with the context "here", as written before keys had versions. */
const WITHOUT_VERSION = 'AAECAwQFBgcICQoL6cP2Tk6LaB5JjT/55foHWVD4UasETbtG';
/** The same by version 3. */
const WITH_VERSION = 'REZLVgAAAAMAAwYJDA8SFRgbHiEygGv1CJcqvWpoKJsyX72ea4/3LUAgaaw=';

describe('a key ring', () => {
  const plain = Buffer.from('Rechnung');
  const ring = new KeyRing(THIRD, [FIRST, SECOND]);

  it('reads what was written before keys had versions', () => {
    const ciphertext = Buffer.from(WITHOUT_VERSION, 'base64');
    expect(keyVersionOf(ciphertext)).toBe(1);
    expect(new KeyRing(FIRST).decrypt(ciphertext, 'here')).toEqual(plain);
    expect(ring.decrypt(ciphertext, 'here')).toEqual(plain);
    expect(ring.decryptInPlace(ciphertext, 'here')).toEqual(plain);
  });

  it('reads a ciphertext that names its version', () => {
    const ciphertext = Buffer.from(WITH_VERSION, 'base64');
    expect(ciphertext.subarray(0, 8)).toEqual(Buffer.from('DFKV\0\0\0\x03', 'latin1'));
    expect(keyVersionOf(ciphertext)).toBe(3);
    expect(ring.decrypt(ciphertext, 'here')).toEqual(plain);
    expect(() => ring.decrypt(ciphertext, 'there')).toThrow();
  });

  it('writes with its original key what processes without versions can read', () => {
    const original = new KeyRing(FIRST, [SECOND]);
    const written = original.encrypt(plain, 'here');
    const memory = Buffer.alloc(100);
    const inMemory = original.encryptInto(memory, [plain.subarray(0, 3), plain.subarray(3)], 'here');
    for (const ciphertext of [written, inMemory]) {
      expect(ciphertext).toHaveLength(plain.length + ENCRYPTION_OVERHEAD);
      expect(keyVersionOf(ciphertext)).toBe(1);
      expect(ring.decrypt(ciphertext, 'here')).toEqual(plain);
    }
  });

  it.each([0, 1, 100_000])('names the version of a later key (%i bytes)', (length) => {
    const bytes = randomBytes(length);
    const memory = Buffer.alloc(length + MAX_ENCRYPTION_OVERHEAD);
    for (const ciphertext of [ring.encrypt(bytes, 'here'), ring.encryptInto(memory, [bytes], 'here')]) {
      expect(ciphertext).toHaveLength(length + MAX_ENCRYPTION_OVERHEAD);
      expect(keyVersionOf(ciphertext)).toBe(3);
      expect(new KeyRing(THIRD).decrypt(ciphertext, 'here')).toEqual(bytes);
      expect(new KeyRing(FIRST, [THIRD]).decryptInPlace(ciphertext, 'here')).toEqual(bytes);
    }
  });

  it('reads nothing of a version that it does not have, or of another key under that version', () => {
    const ciphertext = new KeyRing(SECOND).encrypt(plain, 'here');
    expect(() => new KeyRing(THIRD, [FIRST]).decrypt(ciphertext, 'here')).toThrow('has no version 2');
    expect(() => new KeyRing(THIRD).decrypt(encrypt(FIRST.key, plain, 'here'), 'here')).toThrow('has no version 1');
    expect(() => new KeyRing({ ...SECOND, key: THIRD.key }).decrypt(ciphertext, 'here')).toThrow();
  });

  it('reads nothing in which any bit has changed, those of the version included', () => {
    const ciphertext = ring.encrypt(plain, 'here');
    for (let at = 0; at < ciphertext.length * 8; at++) {
      const changed = Buffer.from(ciphertext);
      changed[at >> 3]! ^= 1 << (at & 7);
      expect(() => ring.decrypt(changed, 'here')).toThrow();
    }
    for (let length = 0; length < ciphertext.length; length++) {
      expect(() => ring.decrypt(ciphertext.subarray(0, length), 'here')).toThrow();
    }
  });

  it('gives every ciphertext the same form when its version is written in front', () => {
    const versioned = (current: KeyVersion) => Buffer.concat(withVersion(new KeyRing(current).encrypt(plain, 'here')));
    for (const current of [FIRST, SECOND]) {
      const ciphertext = versioned(current);
      expect(ciphertext).toHaveLength(plain.length + MAX_ENCRYPTION_OVERHEAD);
      expect(keyVersionOf(ciphertext)).toBe(current.version);
      expect(Buffer.concat(withVersion(ciphertext))).toEqual(ciphertext);
      expect(ring.decrypt(ciphertext, 'here')).toEqual(plain);
    }
  });

  it('maps all keys, the current one first', () => {
    expect(ring.mapKeys((key) => key[0])).toEqual([3, 1, 2]);
  });

  it('is read again for a version that it does not have', async () => {
    const newest = new KeyRing(THIRD, [SECOND]);
    const early = new KeyRing(SECOND, [], () => Promise.resolve(newest));
    expect(await early.including(new KeyRing(SECOND).encrypt(plain, 'here'))).toBe(early);
    expect(await early.including(newest.encrypt(plain, 'here'))).toBe(newest);
  });

  it('decrypts, but encrypts nothing more a day after it was read', () => {
    const now = jest.spyOn(performance, 'now');
    try {
      now.mockReturnValue(0);
      const old = new KeyRing(SECOND);
      now.mockReturnValue(24 * 3_600_000);
      const ciphertext = old.encrypt(plain, 'here');
      now.mockReturnValue(24 * 3_600_000 + 1);
      expect(() => old.encrypt(plain, 'here')).toThrow('too long ago');
      expect(() => old.encryptInto(Buffer.alloc(100), [plain], 'here')).toThrow('too long ago');
      expect(old.decrypt(ciphertext, 'here')).toEqual(plain);
    } finally {
      now.mockRestore();
    }
  });
});
