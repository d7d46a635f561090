import type { SigningSecret } from '../../identities/environments/environment.entity';
import type { Encrypted } from '../../platform/crypto/encrypted';
import type { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';

/** Encryption purpose. The row is part of the authenticated data: a ciphertext that is copied into another row cannot be decrypted. */
export const webhookSecretsPurpose = (webhookUuid: string): string => `webhook.signing-secrets:${webhookUuid}`;

/** The columns from which a webhook's secrets are decrypted. */
export interface StoredSecrets {
  readonly uuid: string;
  readonly secrets: Encrypted;
}

/** Decrypts a webhook's secrets, newest first. @throws if they belong to another row */
export const decryptWebhookSecrets = (
  keyManager: KeyManager,
  dataKey: KeyRing,
  { uuid, secrets }: StoredSecrets,
): SigningSecret[] => keyManager.decrypt<SigningSecret[]>(dataKey, webhookSecretsPurpose(uuid), secrets);

/** Encrypts a webhook's secrets with the environment's data key, bound to its row. */
export const encryptWebhookSecrets = (
  keyManager: KeyManager,
  dataKey: KeyRing,
  { uuid }: Pick<StoredSecrets, 'uuid'>,
  secrets: readonly SigningSecret[],
): Encrypted => keyManager.encrypt(dataKey, webhookSecretsPurpose(uuid), secrets);
