import { Injectable, Logger } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { SandboxPortals } from '../../integrations/shared/sandbox/sandbox-portals';
import { OAuthClient } from '../../integrations/shared/oauth/oauth-client';
import { type OAuthIntegration, usesOAuth } from '../../integrations/shared/oauth/registered-client';
import { classifyTokenError } from '../../integrations/shared/oauth/oauth-errors';
import type { TokenSet } from '../../integrations/core/oauth-spec';
import {
  AuthorizationRevoked,
  ClientRefused,
  InvalidCredentials,
  NewTokenRefused,
  RateLimited,
  SourceError,
  Transient,
} from '../../integrations/core/source-errors';
import { ApiError } from '../../platform/errors/errors';
import { AcceptAuthorization } from './accept-authorization';
import { Connection } from '../state/connection.entity';
import { type ConsumedFlow, OAuthFlowRepository } from './flow/oauth-flow.repository';
import { CredentialCheck } from '../credentials/credential-check';
import { missingScopes } from './start-authorization';
import type { RequestCookies } from './oauth-cookies';
import { type AuthorizationOutcome, type OAuthRedirect, redirectToUi } from './oauth-redirect';

/**
 * `GET /oauth/callback` (decisions 5): handles the provider's redirect. Always redirects to the hosted UI, which shows the
 * outcome. The old credentials stay until the new ones are accepted (decisions 4).
 */
@Injectable()
export class FinishAuthorization {
  private readonly logger = new Logger(FinishAuthorization.name);

  constructor(
    private readonly flows: OAuthFlowRepository,
    private readonly integrations: IntegrationRegistry,
    private readonly client: OAuthClient,
    private readonly credentials: CredentialCheck,
    private readonly acceptAuthorization: AcceptAuthorization,
    private readonly portals: SandboxPortals,
  ) {}

  async finish(query: URLSearchParams, cookies: RequestCookies): Promise<OAuthRedirect> {
    const flow = await this.flows.consume(query.get('state') ?? '', cookies);
    if (typeof flow === 'string') return redirectToUi(this.flows.publicUrl, flow);
    let outcome: AuthorizationOutcome;
    try {
      outcome = await this.process(flow, query);
    } catch (error) {
      outcome = outcomeOfError(error);
      const connection = { connection_uuid: flow.connection.uuid };
      if (outcome === 'INTERNAL_ERROR')
        this.logger.error({ ...connection, err: error }, 'An authorization failed unexpectedly');
      else this.logger.warn({ ...connection, outcome, error: String(error) }, 'An authorization failed');
    }
    const resume = await this.flows.complete(flow, outcome);
    return redirectToUi(this.flows.publicUrl, outcome, resume ?? undefined);
  }

  private async process(flow: ConsumedFlow, query: URLSearchParams): Promise<AuthorizationOutcome> {
    const integration = this.integrations.get(flow.connection.integrationId);
    if (!usesOAuth(integration)) return 'AUTHORIZATION_INVALID';
    const providerError = query.get('error');
    if (providerError === 'access_denied') return 'AUTHORIZATION_DENIED';
    if (providerError !== null) throw classifyTokenError(providerError);
    const tokens = await this.client.exchange(integration, { parameters: query, ...flow });
    const scopes = tokens.scopes ?? flow.scopes;
    if (missingScopes(integration.oauth, flow.scopes, scopes).length > 0) return 'SCOPE_MISSING';
    const { id, display } = await this.account(integration, flow.connection, tokens);
    if (flow.connection.accountId != null && flow.connection.accountId !== id) return 'ACCOUNT_MISMATCH';
    const isAccepted = await this.acceptAuthorization.accept(flow, integration, {
      tokens,
      scopes,
      readAccount: { id, display },
    });
    return isAccepted ? 'AUTHORIZED' : 'AUTHORIZATION_EXPIRED';
  }

  /** Reads the account with the new token, which also verifies the token. */
  private async account(integration: OAuthIntegration, connection: Connection, tokens: TokenSet) {
    const input = {
      fields: connection.settings,
      step2: connection.step2,
      portal: this.portals.of(connection.uuid),
      accessToken: (refused?: string) =>
        refused === tokens.accessToken
          ? Promise.reject(new NewTokenRefused('The provider rejects a token that it has just issued.'))
          : Promise.resolve(tokens.accessToken),
    };
    return this.credentials.withSession(integration, input, (session) => integration.check(session));
  }
}

/** Maps an error to an outcome. Failures that the operator has to fix are not attributed to the user. */
function outcomeOfError(error: unknown): AuthorizationOutcome {
  if (error instanceof ApiError) {
    const isWithoutAccess =
      error.cause instanceof InvalidCredentials && error.cause.reason === 'LOGIN_REJECTED_NO_ACCESS';
    if (isWithoutAccess) return 'ACCOUNT_WITHOUT_ACCESS';
    const isKnown = error.code === 'PROVIDER_UNREACHABLE' || error.code === 'INTEGRATION_NOT_AVAILABLE';
    return isKnown ? error.code : 'AUTHORIZATION_FAILED';
  }
  if (error instanceof ClientRefused) return 'INTEGRATION_NOT_AVAILABLE';
  if (error instanceof Transient || error instanceof RateLimited) return 'PROVIDER_UNREACHABLE';
  if (error instanceof AuthorizationRevoked || error instanceof InvalidCredentials) return 'AUTHORIZATION_FAILED';
  return error instanceof SourceError ? 'AUTHORIZATION_FAILED' : 'INTERNAL_ERROR';
}
