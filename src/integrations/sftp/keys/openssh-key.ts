import { badKey } from './key-problems';

/**
 * The parts of a key as in PuTTY's format: SSH fields (RFC 4251 section 5) without their lengths. RSA: `e n` and `d p q iqmp`;
 * ECDSA: curve and point, and `d`; Ed25519: public key, and seed; DSA: `p q g y` and `x`.
 */
export interface KeyParts {
  readonly type: string;
  readonly publicFields: readonly Buffer[];
  readonly privateFields: readonly Buffer[];
}

const CIPHER_BLOCK = 8;

/**
 * Writes a key in OpenSSH's format without a passphrase (`PROTOCOL.key` of OpenSSH), which ssh2 reads for every type of key.
 * @throws InvalidCredentials for a key type that ssh2 does not support
 */
export function writeOpenSshKey(key: KeyParts): string {
  const type = Buffer.from(key.type);
  const publicBlob = joined([type, ...key.publicFields]);
  const section = [Buffer.alloc(8), joined([type, ...fieldsOf(key), Buffer.alloc(0)])];
  const padding = CIPHER_BLOCK - (section[1]!.length % CIPHER_BLOCK);
  section.push(Buffer.from(Array.from({ length: padding % CIPHER_BLOCK }, (_, n) => n + 1)));
  const none = Buffer.from('none');
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    joined([none, none, Buffer.alloc(0)]),
    Buffer.from([0, 0, 0, 1]),
    joined([publicBlob, Buffer.concat(section)]),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/** The public and private fields in OpenSSH's order. */
function fieldsOf({ type, publicFields, privateFields }: KeyParts): readonly Buffer[] {
  const [first, second] = publicFields;
  const [secret, ...others] = privateFields;
  if (!first || !secret) throw badKey();
  if (type === 'ssh-rsa') {
    const [p, q, iqmp] = others;
    if (second && p && q && iqmp) return [second, first, secret, iqmp, p, q];
  } else if (type === 'ssh-ed25519') {
    return [first, Buffer.concat([secret, first])];
  } else if (type === 'ssh-dss' || type.startsWith('ecdsa-sha2-nistp')) {
    return [...publicFields, secret];
  }
  throw badKey('is of an unknown type, or incomplete');
}

function joined(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields.flatMap((field) => [uint32(field.length), field]));
}

/** A 32-bit integer in SSH's encoding, which also precedes strings. */
export function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
