import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { usesOAuth } from '../../integrations/shared/oauth/oauth-client';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import type { Connection } from '../state/connection.entity';
import { OAuthGrant } from './tokens/oauth-grant.entity';
import { scopesMissing, scopesNeeded, shortName, StartAuthorization } from './start-authorization';

/** OpenID Connect: some providers grant them unasked. Asked for, they would bring an identity token, which is not wanted. */
const IDENTITY = ['openid', 'profile', 'email'];

/** Asks the user for more when the second step needs more than was granted (decisions 4: PUT step2 answers 200). */
@Injectable()
export class FurtherConsent {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly start: StartAuthorization,
    private readonly clock: Clock,
  ) {}

  /** In the caller's transaction, with the new choice in the row. Answers `authorization_url`; null when nothing is missing. */
  async run(em: EntityManager, caller: Caller, connection: Connection): Promise<string | null> {
    const integration = this.integrations.get(connection.integrationId);
    if (!usesOAuth(integration)) return null;
    const granted = (await em.findOne(OAuthGrant, connection.uuid))?.scopes ?? [];
    const needed = scopesNeeded(integration.oauth, connection.step2);
    if (scopesMissing(integration.oauth, needed, granted).length === 0) return null;
    connection.lackScopes(this.clock.now());
    // What was granted stays asked for: some providers replace the old grant by the new one.
    const kept = granted.filter((scope) => !IDENTITY.includes(scope) && !needed.includes(shortName(scope)));
    return this.start.run(em, caller, connection, integration, [...new Set([...kept, ...needed])]);
  }
}
