import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../identities/environments/environment.entity';
import { Identity } from '../../../identities/identity.entity';
import { IntegrationRegistry } from '../../../integrations/integration-registry';
import { Settings } from '../../../platform/config/settings';
import { signToken } from '../../../platform/crypto/signed-token';
import { localize } from '../../../platform/i18n/lang';
import { Connection } from '../../state/connection.entity';
import type { OAuthFlow } from '../flow/oauth-flow.entity';
import { LINK_SECONDS } from '../start-authorization';
import { type ResponseCookie, flowCookieName } from '../oauth-cookies';

/** Content of the confirmation page and its form. */
export interface Confirmation {
  readonly integration: string;
  /** The account at the provider, if known: the consent is renewed. */
  readonly account: string | null;
  readonly customer: string;
  readonly client: string;
  readonly theme: Environment['theme'];
  /** The hidden fields. */
  readonly form: Readonly<Record<string, string>>;
  readonly cookie: ResponseCookie;
}

/** Signing purpose of the form's proof, which shows that the page was displayed in the browser with this cookie. */
export const proofPurpose = (cookie: string): string => `oauth-confirmation:${cookie}`;

/** Describes what is connected and for whom, because the link to the provider may come from an untrusted source. */
@Injectable()
export class DescribeConfirmation {
  constructor(
    private readonly integrations: IntegrationRegistry,
    private readonly settings: Settings,
  ) {}

  async describe(
    em: EntityManager,
    flow: OAuthFlow,
    { link, cookie, isPopup }: { readonly link: string; readonly cookie: string; readonly isPopup: boolean },
  ): Promise<Confirmation> {
    const connection = await em.findOneOrFail(Connection, flow.connectionUuid);
    const identity = await em.findOneOrFail(Identity, connection.identityUuid);
    const { clientName, theme } = await em.findOneOrFail(Environment, connection.environmentUuid);
    const proof = signToken(this.settings.tokenKeys, proofPurpose(cookie), flow.uuid);
    return {
      integration: localize(this.integrations.get(connection.integrationId).name),
      account: connection.accountDisplay ?? null,
      customer: identity.displayName ?? identity.clientIdentifier,
      client: theme.name || clientName,
      theme,
      form: { link, proof, ...(isPopup && { apart: 'true' }) },
      cookie: { name: flowCookieName(this.settings.publicUrl, flow.uuid), value: cookie, seconds: LINK_SECONDS },
    };
  }
}
