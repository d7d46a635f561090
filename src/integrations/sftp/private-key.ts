import { type ParsedKey, utils } from 'ssh2';
import { InvalidCredentials } from '../source-errors';

/**
 * Reads a private key. Forms of one line swallow line breaks, so a PEM that has lost them gets them back.
 * @throws InvalidCredentials when it is no private key, or the passphrase does not open it
 */
export function readPrivateKey(text: string, passphrase: string | undefined): ParsedKey {
  const parsed = utils.parseKey(withLines(text), passphrase) as ParsedKey | ParsedKey[] | Error;
  // What the parser says is about formats and passphrases, never the key itself; but nobody has promised that.
  if (parsed instanceof Error) throw new InvalidCredentials('The private key is not readable with this passphrase.');
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!key?.isPrivateKey()) throw new InvalidCredentials('The key is a public one.');
  return key;
}

function withLines(text: string): string {
  const plain = text.trim().replace(/\r\n?/g, '\n');
  const pem = /^(-----BEGIN [A-Z0-9 ]+-----)([^-]*)(-----END [A-Z0-9 ]+-----)$/.exec(plain);
  if (plain.includes('\n') || !pem) return `${plain}\n`;
  const [, begin, middle, end] = pem;
  // Headers of an encrypted PEM (RFC 1421) stand before the base64 text.
  const headers = /^\s*(Proc-Type: \S+)\s+(DEK-Info: \S+)\s/.exec(middle!);
  const body = middle!.slice(headers?.[0].length ?? 0).replace(/\s+/g, '');
  const lines = body.match(/.{1,64}/g) ?? [];
  return [begin, ...(headers ? [headers[1], headers[2], ''] : []), ...lines, end, ''].join('\n');
}
