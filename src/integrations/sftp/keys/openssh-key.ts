import { badKey } from './key-refusals';

/**
 * What a key consists of, as PuTTY keeps it: fields as SSH writes them (RFC 4251 section 5), without their lengths. Of RSA these are
 * `e n` and `d p q iqmp`, of ECDSA curve and point and `d`, of Ed25519 public key and seed, of DSA `p q g y` and `x`.
 */
export interface KeyParts {
  readonly type: string;
  readonly publicFields: readonly Buffer[];
  readonly privateFields: readonly Buffer[];
}

const CIPHER_BLOCK = 8;

/**
 * The key in OpenSSH's own format, without a passphrase (`PROTOCOL.key` of OpenSSH): the one that ssh2 reads for every kind of key.
 * @throws InvalidCredentials for a kind of key that ssh2 cannot log in with
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

/** Public and private fields, in OpenSSH's order. */
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
  throw badKey('is of an unknown kind, or incomplete');
}

function joined(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields.flatMap((field) => [uint32(field.length), field]));
}

/** As SSH writes numbers, before texts too. */
export function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
