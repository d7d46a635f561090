import { once } from 'node:events';
import { join } from 'node:path';
import { type ParsedKey, utils } from 'ssh2';
import { startThread } from '../../../platform/threads/start-thread';
import { badKey, missingPassphrase, wrongPassphrase } from './key-refusals';
import type { LockedKey } from './open-key-thread';
import { writeOpenSshKey } from './openssh-key';
import { pemIn, readPemKey } from './pem-key';
import { readPuttyKey } from './putty-key';

/** What ssh2 reads by itself; of the others it knows some kinds, or an older version. */
const OPENSSH = 'OPENSSH PRIVATE KEY';
const DSA = 'DSA PRIVATE KEY';
/** OpenSSH hashes a passphrase 16 or 24 times by default, a second or two here; a key may say any other number. */
const LIMIT_MS = 20_000;

/**
 * Reads a private key in the format of OpenSSH or PuTTY, or in PEM. Forms of one line swallow line breaks, or make spaces of them,
 * and who takes a key out of a settings file has `\n` for them: it gets them back.
 * @throws InvalidCredentials when it is no private key, or the passphrase is missing or does not open it; names the field
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

/** In a thread of its own, which ends with it: nothing else could be done meanwhile. */
async function unlocked(key: LockedKey, limitMs: number): Promise<string> {
  const thread = startThread(join(__dirname, 'open-key-thread'), 'key', { maxOldGenerationSizeMb: 64 });
  thread.on('error', () => undefined); // whoever waits for it hears it
  const signal = AbortSignal.timeout(limitMs);
  let pem: string | null;
  try {
    const answered = once(thread, 'message', { signal });
    thread.postMessage(key);
    [pem] = (await answered) as [string | null];
  } catch (error) {
    throw signal.aborted ? badKey('takes too much time to open') : error;
  } finally {
    await thread.terminate();
  }
  if (pem === null) throw wrongPassphrase();
  return pem;
}

function isMissingPassphrase(result: unknown): boolean {
  return result instanceof Error && /no passphrase/i.test(result.message);
}

/** What the parser says is about formats and passphrases, never the key itself; but nobody has promised that. */
function parsed(text: string, passphrase?: string): ParsedKey {
  const result = utils.parseKey(text, passphrase) as ParsedKey | ParsedKey[] | Error;
  if (result instanceof Error) {
    if (isMissingPassphrase(result)) throw missingPassphrase();
    throw passphrase === undefined || !/passphrase|decrypt/i.test(result.message) ? badKey() : wrongPassphrase();
  }
  const key = Array.isArray(result) ? result[0] : result;
  if (!key?.isPrivateKey()) throw badKey('is a public one');
  return key;
}
