import { createHash } from 'node:crypto';
import type { ServerHostKeyAlgorithm } from 'ssh2';

/** The type and fingerprint of a key: `ssh-ed25519 SHA256:…`. */
export function describeKey(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0;
  const type = key.toString('latin1', 4, 4 + length);
  return `${type} SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** The fingerprint alone, as OpenSSH prints it: `SHA256:…`. */
export function fingerprintOf(description: string): string {
  return description.slice(description.lastIndexOf(' ') + 1);
}

/** Best first. SHA-1 signatures are the last resort for old servers; the key is verified nevertheless. */
const ALGORITHMS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/** The algorithms with that of the trusted key first, because a server may have several keys and get new ones. */
export function hostKeyAlgorithms(trusted: string | undefined): ServerHostKeyAlgorithm[] {
  const type = trusted?.split(' ')[0];
  const isSame = (algorithm: string) => algorithm === type || (type === 'ssh-rsa' && algorithm.startsWith('rsa-'));
  return [...ALGORITHMS.filter(isSame), ...ALGORITHMS.filter((algorithm) => !isSame(algorithm))];
}
