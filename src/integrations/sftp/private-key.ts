import { type ParsedKey, utils } from 'ssh2';
import { badKey, missingPassphrase, wrongPassphrase } from './key-refusals';
import { writeOpenSshKey } from './openssh-key';
import { pemIn, readPemKey } from './pem-key';
import { readPuttyKey } from './putty-key';

/** What ssh2 reads by itself; of the others it knows some kinds, or an older version. */
const OF_SSH2 = /^(OPENSSH|DSA) PRIVATE KEY$/;

/**
 * Reads a private key in the format of OpenSSH or PuTTY, or in PEM. Forms of one line swallow line breaks, or make spaces of them,
 * and who takes a key out of a settings file has `\n` for them: it gets them back.
 * @throws InvalidCredentials when it is no private key, or the passphrase is missing or does not open it; names the field
 */
export async function readPrivateKey(text: string, passphrase: string | undefined): Promise<ParsedKey> {
  const lines = text.trim().replace(/\r\n?/g, '\n');
  const plain = lines.includes('\n') ? lines : lines.replace(/(\\r)?\\n/g, '\n').trim();
  const pem = pemIn(plain);
  if (pem && OF_SSH2.test(pem.label)) return parsed(pem.pem, passphrase);
  if (pem) return parsed(writeOpenSshKey(readPemKey(pem.pem, passphrase)));
  if (plain.startsWith('PuTTY-')) return parsed(writeOpenSshKey(await readPuttyKey(plain, passphrase)));
  return parsed(plain);
}

/** What the parser says is about formats and passphrases, never the key itself; but nobody has promised that. */
function parsed(text: string, passphrase?: string): ParsedKey {
  const result = utils.parseKey(text, passphrase) as ParsedKey | ParsedKey[] | Error;
  if (result instanceof Error) {
    if (/no passphrase/i.test(result.message)) throw missingPassphrase();
    throw passphrase === undefined || !/passphrase|decrypt/i.test(result.message) ? badKey() : wrongPassphrase();
  }
  const key = Array.isArray(result) ? result[0] : result;
  if (!key?.isPrivateKey()) throw badKey('is a public one');
  return key;
}
