import { join } from 'node:path';
import { type ParsedKey, utils } from 'ssh2';
import { runInThread } from '../../../platform/threads/run-in-thread';
import { badKey, missingPassphrase, wrongPassphrase } from './key-problems';
import type { LockedKey } from './open-key-thread';
import { writeOpenSshKey } from './openssh-key';
import { pemIn, readPemKey } from './pem-key';
import { readPuttyKey } from './putty-key';

/** The formats that ssh2 reads completely; it supports others only in part. */
const OPENSSH = 'OPENSSH PRIVATE KEY';
const DSA = 'DSA PRIVATE KEY';
/** OpenSSH hashes a passphrase with 16 or 24 rounds by default, which take one or two seconds; a key may specify any other number. */
const LIMIT_MS = 20_000;

/**
 * Reads a private key in the format of OpenSSH or PuTTY, or in PEM. Restores line breaks that single-line inputs remove or replace by spaces, or that are written as `
` as in settings files.
 * @throws InvalidCredentials when it is not a private key, or the passphrase is missing or wrong; names the field
 */
export async function readPrivateKey(
  text: string,
  passphrase: string | undefined,
  limitMs = LIMIT_MS,
): Promise<ParsedKey> {
  const lines = text.trim().replace(/\r\n?/g, '\n');
  const plain = lines.includes('\n') ? lines : lines.replace(/(\\r)?\\n/g, '\n').trim();
  const pem = pemIn(plain);
  if (pem?.label === OPENSSH && passphrase !== undefined && isMissingPassphrase(utils.parseKey(pem.pem))) {
    return readPrivateKey(await unlocked({ text: pem.pem, passphrase }, limitMs), undefined);
  }
  if (pem?.label === OPENSSH || pem?.label === DSA) return parsed(pem.pem, passphrase);
  if (pem) return parsed(writeOpenSshKey(readPemKey(pem.pem, passphrase)));
  if (plain.startsWith('PuTTY-')) return parsed(writeOpenSshKey(await readPuttyKey(plain, passphrase)));
  return parsed(plain);
}

/** Decrypts a key in a worker thread, because it would block the process. */
async function unlocked(key: LockedKey, limitMs: number): Promise<string> {
  const pem = await runInThread<string | null>(join(__dirname, 'open-key-thread'), key, {
    name: 'key',
    resourceLimits: { maxOldGenerationSizeMb: 64 },
    limitMs,
    timedOut: () => badKey('takes too much time to decrypt'),
  });
  if (pem === null) throw wrongPassphrase();
  return pem;
}

function isMissingPassphrase(result: unknown): boolean {
  return result instanceof Error && /no passphrase/i.test(result.message);
}

/** The parser's messages are not passed on, because they might contain parts of the key. */
function parsed(text: string, passphrase?: string): ParsedKey {
  const result = utils.parseKey(text, passphrase) as ParsedKey | ParsedKey[] | Error;
  if (result instanceof Error) {
    if (isMissingPassphrase(result)) throw missingPassphrase();
    throw passphrase === undefined || !/passphrase|decrypt/i.test(result.message) ? badKey() : wrongPassphrase();
  }
  const key = Array.isArray(result) ? result[0] : result;
  if (!key?.isPrivateKey()) throw badKey('is a public key');
  return key;
}
