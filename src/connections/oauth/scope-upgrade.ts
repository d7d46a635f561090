import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { KeyRing } from '../../platform/crypto/key-ring';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { Connection } from '../state/connection.entity';
import { OAuthGrant } from './tokens/oauth-grant.entity';
import { missingScopes, requiredScopes, shortName, StartAuthorization } from './start-authorization';

/** OpenID Connect scopes, which some providers grant unasked. Requesting them would return an ID token, which is not needed. */
const OPENID_SCOPES = ['openid', 'profile', 'email'];

/** Starts another authorization when the second step needs scopes that are not granted (decisions 4: PUT step2 answers 200). */
@Injectable()
export class ScopeUpgrade {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly authorization: StartAuthorization,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  /** The data key for {@link request}, to be read before the transaction; null without OAuth. */
  async readKey(
    em: EntityManager,
    { uuid, integrationId }: Pick<Connection, 'uuid' | 'integrationId'>,
  ): Promise<KeyRing | null> {
    return usesOAuth(this.integrations.get(integrationId)) ? this.keyManager.key(em, uuid) : null;
  }

  /** Runs in the caller's transaction, after `step2` is set. Returns `authorization_url`, or null if no scope is missing. */
  async request(
    em: EntityManager,
    caller: Caller,
    connection: Connection,
    dataKey: KeyRing | null,
  ): Promise<string | null> {
    const integration = this.integrations.get(connection.integrationId);
    if (!dataKey || !usesOAuth(integration)) return null;
    const granted = (await em.findOne(OAuthGrant, connection.uuid))?.scopes ?? [];
    const needed = requiredScopes(integration.oauth, connection.step2);
    if (missingScopes(integration.oauth, needed, granted).length === 0) return null;
    connection.markScopesMissing(this.clock.now());
    // Granted scopes are requested again, because some providers replace the old grant by the new one.
    const kept = granted.filter((scope) => !OPENID_SCOPES.includes(scope) && !needed.includes(shortName(scope)));
    const scopes = [...new Set([...kept, ...needed])];
    return this.authorization.start(em, caller, { connection, dataKey }, integration, scopes);
  }
}
