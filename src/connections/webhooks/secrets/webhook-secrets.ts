import type { EntityManager } from '@mikro-orm/postgresql';
import type { SigningSecret } from '../../../identities/environments/environment.entity';
import type { Encrypted } from '../../../platform/crypto/encrypted';
import type { KeyManager } from '../../../platform/crypto/key-manager';

/** Encryption purpose used by earlier versions: such a ciphertext can be decrypted in any row of its environment. */
const UNBOUND = 'webhook.signing-secrets';

/** The row is part of the authenticated data: a ciphertext that is copied into another row cannot be decrypted. */
const boundTo = (webhookUuid: string): string => `${UNBOUND}:${webhookUuid}`;

/** The columns from which a webhook's secrets are decrypted. */
export interface StoredSecrets {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly secrets: Encrypted;
  readonly secretsBound: boolean;
}

/** Decrypts a webhook's secrets, newest first. @throws if they belong to another row, or the environment's data key is deleted */
export async function decryptWebhookSecrets(
  em: EntityManager,
  vault: KeyManager,
  { uuid, environmentUuid, secrets, secretsBound }: StoredSecrets,
): Promise<SigningSecret[]> {
  const key = await vault.key(em, environmentUuid);
  return vault.decrypt<SigningSecret[]>(key, secretsBound ? boundTo(uuid) : UNBOUND, secrets);
}

/** Encrypts a webhook's secrets, bound to its row, and returns their columns. */
export async function encryptWebhookSecrets(
  em: EntityManager,
  vault: KeyManager,
  { uuid, environmentUuid }: Pick<StoredSecrets, 'uuid' | 'environmentUuid'>,
  secrets: readonly SigningSecret[],
): Promise<{ secrets: Encrypted; secretsBound: true }> {
  return {
    secrets: vault.encrypt(await vault.key(em, environmentUuid), boundTo(uuid), secrets),
    secretsBound: true,
  };
}
