import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from '../../../platform/database/sql';
import type { OAuthFlow } from './oauth-flow.entity';

/**
 * Whether the key that started a flow, or that issued its UI token, has been revoked since, or the sessions of the identity
 * have been ended (decisions 3). Checked at every step, so that a revocation takes effect immediately in every process.
 */
export async function isFlowRevoked(
  em: EntityManager,
  { connectionUuid, keyUuid, sessionGeneration }: Pick<OAuthFlow, 'connectionUuid' | 'keyUuid' | 'sessionGeneration'>,
): Promise<boolean> {
  const found = await prepared(
    em,
    `select 1 from connection c join identity i on i.uuid = c.identity_uuid and i.environment_uuid = c.environment_uuid
       join api_key k on k.uuid = $2 and k.environment_uuid = c.environment_uuid and k.revoked_at is null
     where c.uuid = $1 and i.session_generation = $3`,
    [connectionUuid, keyUuid, sessionGeneration],
  );
  return found.length === 0;
}
