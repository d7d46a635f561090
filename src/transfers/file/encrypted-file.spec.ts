import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../platform/config/settings';
import { readEncrypted, writeEncrypted } from './encrypted-file';
import { assertRecipient, TransferKeys } from './transfer-keys';

const keysOf = (...fills: number[]) =>
  new TransferKeys({
    encryptionKeys: fills.map((fill) => ({ id: `k${fill}`, bytes: Buffer.alloc(32, fill) })),
  } as unknown as Settings);

async function* pieces(...parts: Buffer[]) {
  yield* parts;
}

async function read(path: string, keys: TransferKeys): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of readEncrypted(path, await keys.identities())) parts.push(part);
  return Buffer.concat(parts);
}

describe('an encrypted file', () => {
  const plain = randomBytes(200_000);
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docfetch-transfer-'));
    path = join(folder, 'environment.age');
    await writeEncrypted(path, await keysOf(1).recipient(), pieces(plain.subarray(0, 3), plain.subarray(3)));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is read with the key that it was written for, also after a rotation', async () => {
    expect((await read(path, keysOf(1))).equals(plain)).toBe(true);
    expect((await read(path, keysOf(2, 1))).equals(plain)).toBe(true);
  });

  it('contains nothing in plain text, and only its owner may read it', async () => {
    expect((await readFile(path)).includes(plain.subarray(0, 16))).toBe(false);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is refused with another key', async () => {
    await expect(read(path, keysOf(2))).rejects.toThrow('encrypted to the key of another installation');
  });

  it.each([0, 30, 150, 70_000, -1])('is refused when byte %i was altered', async (at) => {
    const bytes = await readFile(path);
    bytes[at < 0 ? bytes.length + at : at]! ^= 1;
    const altered = join(folder, 'altered.age');
    await writeFile(altered, bytes);
    await expect(read(altered, keysOf(1))).rejects.toThrow(/altered|another installation/);
  });

  it.each([0, 100, 100_000])('is refused when it ends after %i bytes', async (length) => {
    const cut = join(folder, 'cut.age');
    await writeFile(cut, (await readFile(path)).subarray(0, length));
    await expect(read(cut, keysOf(1))).rejects.toThrow('altered');
  });

  it('leaves nothing when writing it fails', async () => {
    const failing = async function* () {
      yield Buffer.from('a');
      throw new Error('The database is gone.');
    };
    const target = join(folder, 'failed.age');
    await expect(writeEncrypted(target, await keysOf(1).recipient(), failing())).rejects.toThrow(
      'The database is gone.',
    );
    expect((await readdir(folder)).filter((name) => name.startsWith('failed'))).toEqual([]);
  });

  it('is written for a public key only', async () => {
    const recipient = await keysOf(1).recipient();
    expect(recipient).toMatch(/^age1[a-z0-9]{58}$/);
    expect(await keysOf(1, 2).recipient()).toBe(recipient);
    await expect(assertRecipient(recipient)).resolves.toBeUndefined();
    await expect(assertRecipient('age1abc')).rejects.toThrow('--recipient must be the key');
  });
});
