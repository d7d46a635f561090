import type { EntityManager } from '@mikro-orm/postgresql';
import {
  CLIENT_AUTH_SECRET,
  type Environment,
  SIGNING_SECRETS,
  type SigningSecret,
} from '../../identities/environments/environment.entity';
import type { Vault } from '../../platform/crypto/vault';
import { authenticate, type Target } from '../shared/client-auth';

/** A client's endpoint with its secrets opened: hold it only while pushing. */
export interface OpenEndpoint {
  readonly target: Target;
  readonly addressVersion: number;
  readonly secrets: readonly SigningSecret[];
}

export async function openEndpoint(em: EntityManager, vault: Vault, environment: Environment): Promise<OpenEndpoint> {
  const key = await vault.key(em, environment.uuid);
  const { addressVersion, clientAuthSecret } = environment;
  const secret = clientAuthSecret ? vault.open<string>(key, CLIENT_AUTH_SECRET, clientAuthSecret) : null;
  return {
    target: authenticate(environment.provisioningUrl!, environment.clientAuth, secret),
    addressVersion,
    secrets: vault.open<SigningSecret[]>(key, SIGNING_SECRETS, environment.signingSecrets),
  };
}
