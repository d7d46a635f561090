import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Connection } from '../../connections/state/connection.entity';
import { countConnections } from '../../identities/count-connections';
import { Environment } from '../../identities/environments/environment.entity';
import { Identity } from '../../identities/identity.entity';
import { identityView } from '../../identities/identity.view';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { Settings } from '../../platform/config/settings';
import { currentLang } from '../../platform/i18n/lang';
import type { UiCaller } from '../tokens/ui-caller';
import { SessionReferences } from './session-references';
import { UI_ACTIONS, type UiAction, type UiSessionView } from './ui-session.view';

/** `GET /v1/ui/session` (decisions 5): the identity, theme and permissions of a UI token. */
@Injectable()
export class DescribeUiSession {
  constructor(
    private readonly em: EntityManager,
    private readonly integrations: IntegrationRegistry,
    private readonly settings: Settings,
    private readonly references: SessionReferences,
  ) {}

  async describe(caller: UiCaller): Promise<UiSessionView> {
    const { claims, onlyConnectionUuid } = caller;
    const identity = await this.em.findOneOrFail(Identity, caller.identityUuid);
    const { theme, returnOrigins } = await this.em.findOneOrFail(Environment, caller.environmentUuid);
    const connection = onlyConnectionUuid ? await this.em.findOne(Connection, onlyConnectionUuid) : null;
    const counts = await countConnections(this.em, [identity.uuid]);
    return {
      identity: identityView(identity, counts(identity.uuid)),
      preselection: {
        connection_uuid: onlyConnectionUuid,
        integration_id: caller.onlyIntegrationId ?? connection?.integrationId ?? null,
      },
      allowed_actions: this.allowed(caller, connection),
      theme: {
        // Removed values are stored as empty texts.
        name: theme.name || null,
        logo_url: theme.logo_url || null,
        primary_color: theme.primary_color || null,
      },
      lang: claims.lang ?? currentLang(),
      expires_at: new Date(claims.exp * 1000).toISOString(),
      has_return_url: claims.return_url !== '',
      client_origin: allowedOriginOf(claims.return_url, returnOrigins),
      show_unavailable: this.settings.showUnavailable,
      reload_reference: await this.references.create(caller),
    };
  }

  /** Tells the UI which actions to offer; the server rejects all others with 403 `NOT_ALLOWED_BY_TOKEN`. */
  private allowed(caller: UiCaller, connection: Connection | null): UiAction[] {
    if (caller.onlyConnectionUuid !== null) {
      return connection ? UI_ACTIONS.filter((action) => action !== 'CREATE') : [];
    }
    const canCreate =
      caller.onlyIntegrationId === null ||
      this.integrations.find(caller.onlyIntegrationId, caller.isTest) !== undefined;
    return UI_ACTIONS.filter((action) => action !== 'CREATE' || canCreate);
  }
}

/** The origin of the return URL, which may have been removed from the list since the token was issued. */
function allowedOriginOf(returnUrl: string, allowedOrigins: readonly string[]): string | null {
  const origin = returnUrl === '' ? null : new URL(returnUrl).origin;
  return origin !== null && allowedOrigins.includes(origin) ? origin : null;
}
