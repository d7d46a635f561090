import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParsedKey, utils } from 'ssh2';
import { newKey } from '../../../../test/fakes/sftp/fake-sftp-server';
import { readPrivateKey } from './private-key';
import { rejectionOf } from '../../../../test/harness/rejection-of';

const PASSPHRASE = 'geheim ü';
const SAMPLES = join(__dirname, '../../../../test/samples/ssh-keys');
const sample = (name: string): string => readFileSync(join(SAMPLES, name), 'utf8');
const publicOf = (name: string): string => sample(`${name}.pub`).split(' ').slice(0, 2).join(' ');

/** The forms of a key from a form field, a settings file or an editor. */
const WAYS: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['with line breaks of Windows', (text) => text.replaceAll('\n', '\r\n')],
  ['with spaces for line breaks', (text) => text.replaceAll('\n', ' ')],
  ['without line breaks', (text) => text.replaceAll('\n', '')],
  ['with \\n for line breaks', (text) => text.replaceAll('\n', '\\n')],
];

/** `ssh-ed25519 AAAA…`, after verifying a signature with it. */
function verifiedPublicKey(key: ParsedKey): string {
  const message = randomBytes(32);
  const signature = key.sign(message) as Buffer | Error;
  if (signature instanceof Error) throw signature;
  const publicKey = `${key.type} ${key.getPublicSSH().toString('base64')}`;
  expect((utils.parseKey(publicKey) as ParsedKey).verify(message, signature)).toBe(true);
  return publicKey;
}

type FieldError = Error & { field?: string };

describe.each(WAYS)('A private key %s', (_, written) => {
  it.each([
    'ed25519',
    'ed25519-v2',
    'ed25519-locked',
    'rsa-locked',
    'rsa-locked-v2',
    'ecdsa-256',
    'ecdsa-521-locked',
    'western',
    'dsa',
  ])('of PuTTY (%s.ppk) is read', async (name) => {
    const key = await readPrivateKey(written(sample(`${name}.ppk`)), PASSPHRASE);
    expect(verifiedPublicKey(key)).toBe(publicOf(name));
  });

  it.each([
    ['rsa', generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['ecdsa', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ed25519', generateKeyPairSync('ed25519')],
  ])('in PKCS#8 (%s) is read, without and with a passphrase', async (kind, { privateKey }) => {
    const open = written(pem(privateKey, 'pkcs8'));
    const locked = written(pem(privateKey, 'pkcs8', 'aes-256-cbc'));
    expect([open.includes('BEGIN PRIVATE'), locked.includes('BEGIN ENCRYPTED')]).toEqual([true, true]);
    const publicKey = verifiedPublicKey(await readPrivateKey(open, undefined));
    expect(publicKey).toContain(kind);
    expect(verifiedPublicKey(await readPrivateKey(locked, PASSPHRASE))).toBe(publicKey);
  });

  it.each([
    ['PKCS#1', 'pkcs1', generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['SEC 1', 'sec1', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ] as const)('in %s is read, without and with a passphrase', async (_, type, { privateKey }) => {
    const publicKey = verifiedPublicKey(await readPrivateKey(written(pem(privateKey, type)), undefined));
    for (const cipher of ['aes-128-cbc', 'des-ede3-cbc']) {
      const locked = written(pem(privateKey, type, cipher));
      expect(locked).toContain('Proc-Type');
      expect(verifiedPublicKey(await readPrivateKey(locked, PASSPHRASE))).toBe(publicKey);
    }
  });

  it('of OpenSSH is read, without and with a passphrase', async () => {
    for (const passphrase of [undefined, PASSPHRASE]) {
      const pair = newKey(passphrase);
      const key = await readPrivateKey(written(pair.private), passphrase);
      expect(verifiedPublicKey(key)).toBe(pair.public.split(' ').slice(0, 2).join(' '));
    }
  });
});

describe('A private key of OpenSSH with a passphrase', () => {
  it('does not block the process while it is decrypted', async () => {
    let ticks = 0;
    let isOpen = false;
    const count = (): void => {
      ticks += 1;
      if (!isOpen) setImmediate(count);
    };
    const { private: text } = newKey(PASSPHRASE);
    count();
    await readPrivateKey(text, PASSPHRASE);
    isOpen = true;
    expect(ticks).toBeGreaterThan(10);
  });

  it('is rejected when decryption exceeds the time limit', async () => {
    const [first, ...lines] = newKey(PASSPHRASE).private.trim().split('\n');
    const last = lines.pop();
    const bytes = Buffer.from(lines.join(''), 'base64');
    // After names, salt and their lengths: the number of rounds.
    const rounds = bytes.indexOf(Buffer.from([0, 0, 0, 16]), bytes.indexOf('bcrypt')) + 4 + 16;
    expect(bytes.readUInt32BE(rounds)).toBe(4);
    bytes.writeUInt32BE(2 ** 31, rounds);
    const text = [first, bytes.toString('base64'), last].join('\n');
    const error = await rejectionOf<FieldError>(readPrivateKey(text, PASSPHRASE, 1));
    expect(error).toMatchObject({ name: 'InvalidCredentials', field: 'private_key' });
    expect(error.message).toContain('time');
  });
});

describe('A private key that cannot be used', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const locked: [string, string][] = [
    ['PuTTY 3', sample('ed25519-locked.ppk')],
    ['PuTTY 2', sample('rsa-locked-v2.ppk')],
    ['PKCS#8', pem(privateKey, 'pkcs8', 'aes-256-cbc')],
    ['SEC 1', pem(privateKey, 'sec1', 'aes-128-cbc')],
    ['OpenSSH', newKey(PASSPHRASE).private],
  ];

  it.each(locked)('names the passphrase when that is wrong or missing (%s)', async (_, text) => {
    const [wrong, missing] = await Promise.all([
      rejectionOf<FieldError>(readPrivateKey(text, 'falsch ü')),
      rejectionOf<FieldError>(readPrivateKey(text, undefined)),
    ]);
    expect(wrong).toMatchObject({ name: 'InvalidCredentials', field: 'passphrase' });
    expect(missing).toMatchObject({ name: 'InvalidCredentials', field: 'passphrase' });
    expect([wrong.message, missing.message]).toEqual([
      'The passphrase does not open the private key.',
      'The private key has a passphrase, which was not given.',
    ]);
    expect(wrong.cause).toBeUndefined();
  });

  const putty = sample('ed25519-locked.ppk');
  it.each([
    ['of a kind that SSH libraries do not know', sample('ed448.ppk')],
    [
      'with a character changed',
      sample('ed25519.ppk')
        .replace('AAAAIL', 'AAAAIM')
        .replace(/Comment: ./, 'Comment: ?'),
    ],
    ['cut off', putty.slice(0, 300)],
    ['cut off, in PKCS#8', pem(privateKey, 'pkcs8').replace(/\n.{20}/, '\n')],
    ['that is not a key', 'kein Schlüssel'],
    ['that is a public one', publicOf('ed25519')],
    ['with too much memory to be taken', putty.replace('Memory: 512', 'Memory: 4000000')],
    ['with too many passes', putty.replace('Passes: 2', 'Passes: 4294967295')],
    ['with too many lanes', putty.replace('Parallelism: 2', 'Parallelism: 16777215')],
    ['with values that Argon2 does not know', putty.replace('Passes: 2', 'Passes: 0')],
    ['hashed more than a million times', sample('costly.pem')],
    ['with too much of scrypt', sample('costly-scrypt.pem')],
    ['full of spaces', `PuTTY-User-Key-File-3: ssh-rsa${' '.repeat(20_000)}x`],
  ])('names the key when it is one %s', async (_, text) => {
    const began = process.cpuUsage();
    const error = await rejectionOf<FieldError>(readPrivateKey(text, PASSPHRASE));
    expect(error).toMatchObject({ name: 'InvalidCredentials', field: 'private_key' });
    expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
    for (const line of text.split('\n').filter(({ length }) => length > 30)) expect(error.message).not.toContain(line);
  });
});

function pem(key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1', cipher?: string): string {
  const options = { format: 'pem', ...(cipher && { cipher, passphrase: PASSPHRASE }) };
  return key.export({ ...options, type } as never) as unknown as string;
}
