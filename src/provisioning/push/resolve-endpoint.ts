import type { EntityManager } from '@mikro-orm/postgresql';
import {
  CLIENT_AUTH_SECRET,
  type Environment,
  SIGNING_SECRETS,
  type SigningSecret,
} from '../../identities/environments/environment.entity';
import type { KeyManager } from '../../platform/crypto/key-manager';
import { authenticatedTarget, type PushTarget } from '../shared/client-auth';

/** A client's endpoint with its secrets decrypted; to be held only while pushing. */
export interface ResolvedEndpoint {
  readonly target: PushTarget;
  readonly endpointVersion: number;
  readonly secrets: readonly SigningSecret[];
}

export async function resolveEndpoint(
  em: EntityManager,
  keyManager: KeyManager,
  environment: Environment,
): Promise<ResolvedEndpoint> {
  const key = await keyManager.key(em, environment.uuid);
  const { endpointVersion, clientAuthSecret } = environment;
  const secret = clientAuthSecret ? keyManager.decrypt<string>(key, CLIENT_AUTH_SECRET, clientAuthSecret) : null;
  return {
    target: authenticatedTarget(environment.provisioningUrl!, environment.clientAuth, secret),
    endpointVersion,
    secrets: keyManager.decrypt<SigningSecret[]>(key, SIGNING_SECRETS, environment.signingSecrets),
  };
}
