import { argon2, type Argon2Algorithm, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type KeyParts, uint32 } from './openssh-key';
import { badKey, missingPassphrase, wrongPassphrase } from './key-problems';

const derive = promisify(argon2);

/** Each field may follow a line break that was lost or replaced by a space, except the comment, in which every space counts. */
const KDF = [
  /Key-Derivation:\s*(?<kdf>Argon2(?:id|i|d))/,
  /Argon2-Memory:\s*(?<memory>\d+)/,
  /Argon2-Passes:\s*(?<passes>\d+)/,
  /Argon2-Parallelism:\s*(?<parallelism>\d+)/,
  /Argon2-Salt:\s*(?<salt>[\da-fA-F]+)/,
];
const FORMAT = sequence([
  /^PuTTY-User-Key-File-(?<version>[23]):\s*(?<type>[a-z\d-]+?)/,
  /Encryption:\s*(?<cipher>none|aes256-cbc)/,
  /Comment:[^\S\n]?(?<comment>.*?)\s?Public-Lines:\s*\d+?/,
  /(?<publicText>AAAA[\w+/=\s]*?)/,
  new RegExp(`(?:${sequence(KDF).source})?`),
  /Private-Lines:(?<privateText>[\w+/=\s]*?)/,
  /Private-MAC:\s*(?<mac>[\da-fA-F]+)$/,
]);

/** PuTTY uses 8 MiB by default, and as many passes as take a tenth of a second: hundreds on the fastest machines. */
const MAX_MEMORY_KIB = 64 * 1024;
const MAX_WORK_KIB = 4 * 1024 * 1024;
const MAX_LANES = 16;

const LINE_LENGTH = 64;
/** Never occurs in keys, and would make `FORMAT` slow. */
const GAP = /\s{32}/;

interface PuttyKey {
  readonly version: '2' | '3';
  readonly type: string;
  readonly cipher: 'none' | 'aes256-cbc';
  readonly comment: string;
  readonly publicBlob: Buffer;
  readonly kdf: Kdf | undefined;
  /** Encrypted when there is a cipher. */
  readonly privateBlob: Buffer;
  readonly mac: Buffer;
}

interface Kdf {
  readonly algorithm: Argon2Algorithm;
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly nonce: Buffer;
}

/** The keys derived from the passphrase. */
interface Keys {
  readonly cipherKey: Buffer;
  readonly iv: Buffer;
  readonly macKey: Buffer;
  readonly hash: 'sha1' | 'sha256';
}

/**
 * Reads a private key in PuTTY's format (PuTTY manual, appendix C: versions 3 and 2), with or without line breaks. Older versions
 * of PuTTY on Windows encode comment and passphrase in the system's code page, of which Latin-1 is tried.
 * @throws InvalidCredentials when it is not such a key, is broken, too expensive to decrypt, or the passphrase is wrong
 */
export async function readPuttyKey(text: string, passphrase: string | undefined): Promise<KeyParts> {
  const key = parsed(text);
  const isLocked = key.cipher !== 'none';
  if (isLocked && !passphrase) throw missingPassphrase();
  const secret = isLocked ? passphrase! : '';
  const isAscii = /^\p{ASCII}*$/u.test(key.comment + secret);
  for (const encoding of isAscii ? (['utf8'] as const) : (['utf8', 'latin1'] as const)) {
    const keys = await keysOf(key, Buffer.from(secret, encoding));
    const blob = isLocked ? decrypted(key.privateBlob, keys) : key.privateBlob;
    if (!isGenuine(key, blob, keys, Buffer.from(key.comment, encoding))) continue;
    const [, ...publicFields] = fieldsIn(key.publicBlob);
    return { type: key.type, publicFields, privateFields: fieldsIn(blob) };
  }
  throw isLocked ? wrongPassphrase() : badKey();
}

function parsed(text: string): PuttyKey {
  const groups = GAP.test(text) ? undefined : FORMAT.exec(text)?.groups;
  if (!groups) throw badKey();
  const { version, type, cipher, comment, publicText, kdf, mac } = groups as Record<string, string>;
  return {
    version: version as PuttyKey['version'],
    type: type!,
    cipher: cipher as PuttyKey['cipher'],
    comment: comment!,
    publicBlob: Buffer.from(publicText!, 'base64'),
    kdf: kdf === undefined ? undefined : kdfOf(groups),
    privateBlob: Buffer.from(withoutLineCount(groups.privateText!), 'base64'),
    mac: Buffer.from(mac!, 'hex'),
  };
}

/** Throws for parameters that would block the process or exhaust its memory. */
function kdfOf({ kdf, memory, passes, parallelism, salt }: Record<string, string>): Kdf {
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isTooMuch =
    cost.memory > MAX_MEMORY_KIB || cost.memory * cost.passes > MAX_WORK_KIB || cost.parallelism > MAX_LANES;
  if (isTooMuch) throw badKey('takes too much memory or time to decrypt');
  return { algorithm: kdf!.toLowerCase() as Argon2Algorithm, ...cost, nonce: Buffer.from(salt!, 'hex') };
}

/** Removes the number of lines before base64. Without line breaks base64 may start with a digit, so the number is the one that matches its length. */
function withoutLineCount(text: string): string {
  const [start, ...rest] = text.trim().split(/\s+/);
  if (rest.length > 0) return rest.join('');
  for (let digits = 1; digits < start!.length; digits++) {
    const base64 = start!.slice(digits);
    if (Number(start!.slice(0, digits)) === Math.ceil(base64.length / LINE_LENGTH)) return base64;
  }
  throw badKey();
}

async function keysOf({ version, kdf }: PuttyKey, passphrase: Buffer): Promise<Keys> {
  if (version === '2') {
    const part = (n: number) => createHash('sha1').update(uint32(n)).update(passphrase).digest();
    const macKey = createHash('sha1').update('putty-private-key-file-mac-key').update(passphrase).digest();
    return { cipherKey: Buffer.concat([part(0), part(1)]).subarray(0, 32), iv: Buffer.alloc(16), macKey, hash: 'sha1' };
  }
  if (!kdf) return { cipherKey: Buffer.alloc(0), iv: Buffer.alloc(0), macKey: Buffer.alloc(0), hash: 'sha256' };
  const { algorithm, ...cost } = kdf;
  const made = await derive(algorithm, { ...cost, message: passphrase, tagLength: 80 }).catch(() => {
    throw badKey();
  });
  return { cipherKey: made.subarray(0, 32), iv: made.subarray(32, 48), macKey: made.subarray(48), hash: 'sha256' };
}

function decrypted(blob: Buffer, { cipherKey, iv }: Keys): Buffer {
  if (blob.length % 16 !== 0 || cipherKey.length === 0) throw badKey();
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(blob), decipher.final()]);
}

function isGenuine({ type, cipher, publicBlob, mac }: PuttyKey, blob: Buffer, keys: Keys, comment: Buffer): boolean {
  const hmac = createHmac(keys.hash, keys.macKey);
  for (const part of [Buffer.from(type), Buffer.from(cipher), comment, publicBlob, blob]) {
    hmac.update(uint32(part.length)).update(part);
  }
  const right = hmac.digest();
  return mac.length === right.length && timingSafeEqual(mac, right);
}

/** The fields of a blob; the rest is padding. */
function fieldsIn(blob: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at + 4 <= blob.length;) {
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) break;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function sequence(parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('\\s*'));
}
