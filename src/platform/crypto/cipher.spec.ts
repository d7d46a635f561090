import { randomBytes } from 'node:crypto';
import { encrypt, ENCRYPTION_OVERHEAD, encryptInto, decrypt, decryptInPlace } from './cipher';

const KEY = randomBytes(32);

describe('encrypted bytes', () => {
  it.each([0, 1, 15, 16, 17, 100_000])('are decrypted unchanged (%i bytes)', (length) => {
    const plain = randomBytes(length);
    const ciphertext = encrypt(KEY, plain, 'here');
    expect(ciphertext).toHaveLength(length + ENCRYPTION_OVERHEAD);
    expect(decrypt(KEY, ciphertext, 'here')).toEqual(plain);
    expect(decryptInPlace(KEY, ciphertext, 'here')).toEqual(plain);
  });

  it('are decrypted in place only when they are complete and unchanged', () => {
    const ciphertext = encrypt(KEY, Buffer.alloc(100_000), 'here');
    for (const at of [0, 11, 12, 50_000, 100_011, 100_012, 100_027]) {
      const changed = Buffer.from(ciphertext);
      changed[at]! ^= 1;
      expect(() => decryptInPlace(KEY, changed, 'here')).toThrow();
    }
    expect(() => decryptInPlace(KEY, Buffer.from(ciphertext), 'there')).toThrow();
    expect(() => decryptInPlace(KEY, ciphertext.subarray(0, 27), 'here')).toThrow();
  });

  it('are encrypted and decrypted without further memory', () => {
    const parts = [randomBytes(10), randomBytes(500_000), randomBytes(300_000)];
    const memory = Buffer.alloc(800_010 + ENCRYPTION_OVERHEAD);
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 40; round++) decryptInPlace(KEY, encryptInto(memory, KEY, parts, 'here'), 'here');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
  });

  it('differ each time', () => {
    const plain = Buffer.from('the same text');
    const [first, second] = [encrypt(KEY, plain, 'here'), encrypt(KEY, plain, 'here')];
    expect(first.equals(second)).toBe(false);
    expect(first.includes(plain)).toBe(false);
  });

  it('cannot be decrypted with another key or context', () => {
    const ciphertext = encrypt(KEY, Buffer.from('text'), 'here');
    expect(() => decrypt(randomBytes(32), ciphertext, 'here')).toThrow();
    expect(() => decrypt(KEY, ciphertext, 'there')).toThrow();
    expect(() => decrypt(KEY, ciphertext, '')).toThrow();
  });

  it('cannot be decrypted when any bit has changed', () => {
    const ciphertext = encrypt(KEY, Buffer.from('text'), 'here');
    for (let i = 0; i < ciphertext.length; i++) {
      const changed = Buffer.from(ciphertext);
      changed[i]! ^= 1;
      expect(() => decrypt(KEY, changed, 'here')).toThrow();
    }
  });

  it('cannot be decrypted when they are truncated', () => {
    const ciphertext = encrypt(KEY, Buffer.from('text'), 'here');
    for (let length = 0; length < ciphertext.length; length++) {
      expect(() => decrypt(KEY, ciphertext.subarray(0, length), 'here')).toThrow();
    }
  });
});
