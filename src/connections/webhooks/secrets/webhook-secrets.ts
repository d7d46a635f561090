import type { EntityManager } from '@mikro-orm/postgresql';
import type { SigningSecret } from '../../../identities/environments/environment.entity';
import type { Encrypted } from '../../../platform/crypto/encrypted';
import type { KeyManager } from '../../../platform/crypto/key-manager';

/** What earlier versions sealed the secrets of every webhook for: such a ciphertext opens in any row of its environment. */
const UNBOUND = 'webhook.signing-secrets';

/** The row is part of the authenticated data: a ciphertext that is copied into another row does not open there. */
const boundTo = (webhookUuid: string): string => `${UNBOUND}:${webhookUuid}`;

/** The columns of a webhook that its secrets are opened from. */
export interface StoredSecrets {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly secrets: Encrypted;
  readonly secretsBound: boolean;
}

/** The secrets of a webhook, newest first. @throws when they belong to another row, or the environment's data key is gone */
export async function openWebhookSecrets(
  em: EntityManager,
  vault: KeyManager,
  { uuid, environmentUuid, secrets, secretsBound }: StoredSecrets,
): Promise<SigningSecret[]> {
  const key = await vault.key(em, environmentUuid);
  return vault.decrypt<SigningSecret[]>(key, secretsBound ? boundTo(uuid) : UNBOUND, secrets);
}

/** The columns for a webhook's secrets, sealed for its row alone. */
export async function sealWebhookSecrets(
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
