import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeyManager } from '../../../platform/crypto/key-manager';
import type { KeyRing } from '../../../platform/crypto/key-ring';
import { OAuthFlow } from './oauth-flow.entity';

/** The data key of a flow, to be read before the transaction that uses it; null when there is no such flow. */
export async function readFlowKey(
  em: EntityManager,
  keyManager: KeyManager,
  flow: { readonly uuid: string } | { readonly linkDigest: Buffer } | { readonly resumeDigest: Buffer },
): Promise<KeyRing | null> {
  const found = await em.findOne(OAuthFlow, flow);
  return found && keyManager.key(em, found.connectionUuid);
}
