import { Injectable } from '@nestjs/common';
import type { identityToRecipient } from 'age-encryption';
import { hkdfSync } from 'node:crypto';
import { isKmsKey, type NamedKey } from '../../platform/config/master-key';
import { Settings } from '../../platform/config/settings';
import { TransferError } from '../transfer';
import { loadAge } from './load-age';

/** A secret key. */
export type TransferIdentity = Exclude<Parameters<typeof identityToRecipient>[0], string>;

/** PKCS #8 (RFC 8410) of an X25519 key, before its 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

const NEEDS_LOCAL_KEY =
  'ENCRYPTION_KEYS must contain a key of the form id:base64 (at the end of the list) for imports: other keys never leave their KMS.';

/**
 * The keys to which exports for this installation are encrypted: X25519 keys of the format age, derived from `ENCRYPTION_KEYS`.
 * There is nothing else to keep, and after a rotation an export to the former key can be read as long as that is in the settings.
 */
@Injectable()
export class TransferKeys {
  constructor(private readonly settings: Settings) {}

  /** The public key of this installation (`age1…`). @throws TransferError when all keys are in a KMS, which gives none away */
  async recipient(): Promise<string> {
    const [key] = this.localKeys();
    const { identityToRecipient } = await loadAge();
    return identityToRecipient(await identityOf(key!.bytes));
  }

  /** The secret keys, newest first. @throws TransferError likewise */
  identities(): Promise<TransferIdentity[]> {
    return Promise.all(this.localKeys().map(({ bytes }) => identityOf(bytes)));
  }

  private localKeys(): NamedKey[] {
    const keys = this.settings.encryptionKeys.filter((key): key is NamedKey => !isKmsKey(key));
    if (keys.length === 0) throw new TransferError(NEEDS_LOCAL_KEY);
    return keys;
  }
}

async function identityOf(masterKey: Buffer): Promise<TransferIdentity> {
  const secret = Buffer.from(hkdfSync('sha256', masterKey, '', 'docfetch environment transfer', 32));
  const pkcs8 = Buffer.concat([PKCS8_PREFIX, secret]);
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'X25519' }, false, ['deriveBits']);
  return key as TransferIdentity; // two descriptions of the same interface
}

/** @throws TransferError when it is not a public key */
export async function assertRecipient(recipient: string): Promise<void> {
  const { Encrypter } = await loadAge();
  try {
    new Encrypter().addRecipient(recipient);
  } catch {
    throw new TransferError(
      '--recipient must be the key that "environment transfer-key" prints at the target (age1…).',
    );
  }
}
