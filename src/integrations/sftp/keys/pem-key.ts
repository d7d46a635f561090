import { fromBER, Integer, ObjectIdentifier, Sequence } from 'asn1js';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { badKey, missingPassphrase, wrongPassphrase } from './key-problems';
import type { KeyParts } from './openssh-key';

/** RFC 7468 section 2. */
const LINE_LENGTH = 64;
const BLOCK = /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----([\s\S]*?)-----END \1-----/;
/** The headers of an encrypted PEM (RFC 1421 section 4.6); without line breaks, the end of the vector follows from its length. */
const HEADERS =
  /^\s*Proc-Type:\s*4,\s*ENCRYPTED\s*(DEK-Info:\s*(?:DES[A-Z\d-]*,[\dA-Fa-f]{16}|[A-Z\d-]+,[\dA-Fa-f]{32}))/;

/** RFC 7914 section 7.1. */
const SCRYPT = '1.3.6.1.4.1.11591.4.11';
/** OpenSSL uses 2,048; a million block the process for half a second. */
const MAX_ITERATIONS = 1_000_000;
/** N × r × p: eight times the value of OpenSSL. */
const MAX_SCRYPT_WORK = 1024 * 1024;
const LIMITS = { maxContentLength: 64 * 1024, maxNodes: 1000, parseEmbedded: false };

/**
 * Finds the first private key in a text that may contain more (parameters, certificates) and restores its line breaks; undefined
 * when there is none.
 */
export function pemIn(text: string): { readonly label: string; readonly pem: string } | undefined {
  const [, label, inside] = BLOCK.exec(text) ?? [];
  if (label === undefined || inside === undefined) return undefined;
  const headers = HEADERS.exec(inside);
  const base64 = inside.slice(headers?.[0].length ?? 0).replace(/\s+/g, '');
  const lines = [
    `-----BEGIN ${label}-----`,
    ...(headers ? ['Proc-Type: 4,ENCRYPTED', headers[1]!, ''] : []),
    ...(base64.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? []),
    `-----END ${label}-----`,
    '',
  ];
  return { label, pem: lines.join('\n') };
}

/**
 * Reads a private key in PKCS#8 (RFC 5958), with or without a passphrase, PKCS#1 (RFC 8017) or SEC 1 (RFC 5915).
 * @throws InvalidCredentials when it is broken, of an unknown type, too expensive to decrypt, or the passphrase is wrong
 */
export function readPemKey(pem: string, passphrase: string | undefined): KeyParts {
  const isLocked = pem.includes('ENCRYPTED');
  if (isLocked && !passphrase) throw missingPassphrase();
  assertCheap(pem);
  return partsOf(opened(pem, isLocked ? passphrase : undefined));
}

/** OpenSSL reports a wrong passphrase in many ways, and a broken key only after decryption. */
function opened(pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch {
    throw passphrase === undefined ? badKey() : wrongPassphrase();
  }
}

const CURVES: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' };

/** Converts by JWK (RFC 7518 section 6 and RFC 8037), which has the same parts. */
function partsOf(key: KeyObject): KeyParts {
  const kind = key.asymmetricKeyType;
  if (kind !== 'rsa' && kind !== 'ec' && kind !== 'ed25519') throw badKey('is of an unsupported type');
  const jwk = key.export({ format: 'jwk' });
  const bytes = (name: 'n' | 'e' | 'd' | 'p' | 'q' | 'qi' | 'x' | 'y') => Buffer.from(jwk[name] ?? '', 'base64url');
  if (kind === 'rsa') {
    const [e, n, d, p, q, qi] = (['e', 'n', 'd', 'p', 'q', 'qi'] as const).map((name) => mpint(bytes(name)));
    return { type: 'ssh-rsa', publicFields: [e!, n!], privateFields: [d!, p!, q!, qi!] };
  }
  if (kind === 'ed25519') return { type: 'ssh-ed25519', publicFields: [bytes('x')], privateFields: [bytes('d')] };
  const curve = CURVES[jwk.crv ?? ''];
  if (curve === undefined) throw badKey('uses a curve that SSH does not support');
  const point = Buffer.concat([Buffer.of(4), bytes('x'), bytes('y')]);
  const publicFields = [Buffer.from(curve), point];
  return { type: `ecdsa-sha2-${curve}`, publicFields, privateFields: [mpint(bytes('d'))] };
}

/** An integer in SSH's encoding (RFC 4251 section 5): leading zeros only where it would be negative. */
function mpint(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Buffer.alloc(0) : bytes.subarray(start);
  return (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits;
}

/** Throws for a key whose passphrase hashing would take minutes. */
function assertCheap(pem: string): void {
  if (!pem.startsWith('-----BEGIN ENCRYPTED')) return;
  const { result } = fromBER(Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64'), LIMITS);
  const algorithm = elements(elements(result)[0]);
  const numbers = all(algorithm, Integer).map((each) => Number(each.toBigInt()));
  const isScrypt = all(algorithm, ObjectIdentifier).some((each) => each.getValue() === SCRYPT);
  const work = isScrypt ? numbers.slice(0, 3).reduce((product, each) => product * each, 1) : Math.max(0, ...numbers);
  if (work > (isScrypt ? MAX_SCRYPT_WORK : MAX_ITERATIONS)) throw badKey('takes too much time to decrypt');
}

function all<T>(blocks: readonly unknown[], type: new () => T): T[] {
  return blocks.flatMap((block) => (block instanceof type ? [block] : all(elements(block), type)));
}

function elements(block: unknown): readonly unknown[] {
  return block instanceof Sequence ? block.valueBlock.value : [];
}
