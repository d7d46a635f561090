import type { EntityManager } from '@mikro-orm/postgresql';
import type { SigningSecret } from '../../identities/environments/environment.entity';
import type { Encrypted } from '../../platform/crypto/encrypted';
import type { KeyManager } from '../../platform/crypto/key-manager';

/** Encryption purpose. The row is part of the authenticated data: a ciphertext that is copied into another row cannot be decrypted. */
const purposeOf = (webhookUuid: string): string => `webhook.signing-secrets:${webhookUuid}`;

/** The columns from which a webhook's secrets are decrypted. */
export interface StoredSecrets {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly secrets: Encrypted;
}

/** Decrypts a webhook's secrets, newest first. @throws if they belong to another row, or the environment's data key is deleted */
export async function decryptWebhookSecrets(
  em: EntityManager,
  keyManager: KeyManager,
  { uuid, environmentUuid, secrets }: StoredSecrets,
): Promise<SigningSecret[]> {
  return keyManager.decrypt<SigningSecret[]>(await keyManager.key(em, environmentUuid), purposeOf(uuid), secrets);
}

/** Encrypts a webhook's secrets, bound to its row. */
export async function encryptWebhookSecrets(
  em: EntityManager,
  keyManager: KeyManager,
  { uuid, environmentUuid }: Pick<StoredSecrets, 'uuid' | 'environmentUuid'>,
  secrets: readonly SigningSecret[],
): Promise<Encrypted> {
  return keyManager.encrypt(await keyManager.key(em, environmentUuid), purposeOf(uuid), secrets);
}
