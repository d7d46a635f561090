import { Injectable, Logger } from '@nestjs/common';
import { IntegrationRegistry } from '../../integrations/integration-registry';
import { SandboxPortals } from '../../integrations/shared/sandbox/sandbox-portals';
import { OAuthClient, type OAuthIntegration, usesOAuth } from '../../integrations/shared/oauth/oauth-client';
import { classifyTokenError } from '../../integrations/shared/oauth/oauth-errors';
import type { TokenSet } from '../../integrations/core/oauth-spec';
import {
  AuthorizationRevoked,
  ClientRefused,
  InvalidCredentials,
  RateLimited,
  SourceError,
  Transient,
} from '../../integrations/core/source-errors';
import { ApiError } from '../../platform/errors/errors';
import { AcceptAuthorization } from './accept-authorization';
import { Connection } from '../state/connection.entity';
import { type AnsweredFlow, FlowStore } from './flow/flow-store';
import { LiveCall } from '../credentials/live-call';
import { scopesMissing } from './start-authorization';
import { type Browser, type Outcome, type Way, wayBack } from './way-back';

/**
 * `GET /oauth/callback` (decisions 5): the browser comes back from the provider. Whatever it brings, it is sent on to the
 * hosted UI, which says what came of it. The old credentials stay until the new ones have passed (decisions 4).
 */
@Injectable()
export class FinishAuthorization {
  private readonly logger = new Logger(FinishAuthorization.name);

  constructor(
    private readonly flows: FlowStore,
    private readonly integrations: IntegrationRegistry,
    private readonly client: OAuthClient,
    private readonly live: LiveCall,
    private readonly accept: AcceptAuthorization,
    private readonly portals: SandboxPortals,
  ) {}

  async run(query: URLSearchParams, browser: Browser): Promise<Way> {
    const flow = await this.flows.answer(query.get('state') ?? '', browser);
    if (typeof flow === 'string') return wayBack(this.flows.publicUrl, flow);
    let outcome: Outcome;
    try {
      outcome = await this.outcome(flow, query);
    } catch (error) {
      outcome = outcomeOf(error);
      if (outcome === 'INTERNAL_ERROR') this.logger.error(error, 'An authorisation failed in an unforeseen way');
      else this.logger.warn(`Authorising connection ${flow.connection.uuid}: ${outcome} (${String(error)})`);
    }
    const resume = await this.flows.end(flow, outcome);
    return wayBack(this.flows.publicUrl, outcome, resume ?? undefined);
  }

  private async outcome(flow: AnsweredFlow, query: URLSearchParams): Promise<Outcome> {
    const integration = this.integrations.get(flow.connection.integrationId);
    if (!usesOAuth(integration)) return 'AUTHORIZATION_INVALID';
    const refusal = query.get('error');
    if (refusal === 'access_denied') return 'AUTHORIZATION_DENIED';
    if (refusal !== null) throw classifyTokenError(refusal);
    const tokens = await this.client.exchange(integration, { parameters: query, ...flow });
    const scopes = tokens.scopes ?? flow.scopes;
    if (scopesMissing(integration.oauth, flow.scopes, scopes).length > 0) return 'SCOPE_MISSING';
    const { id, display } = await this.account(integration, flow.connection, tokens);
    if (flow.connection.accountId != null && flow.connection.accountId !== id) return 'ACCOUNT_MISMATCH';
    const isAccepted = await this.accept.run(flow, integration, { tokens, scopes, account: { id, display } });
    return isAccepted ? 'AUTHORIZED' : 'AUTHORIZATION_EXPIRED';
  }

  /** Whose account it is, by the cheapest call with the new token: it has passed then. */
  private async account(integration: OAuthIntegration, connection: Connection, tokens: TokenSet) {
    const input = {
      fields: connection.settings,
      step2: connection.step2,
      portal: this.portals.of(connection.uuid),
      accessToken: (refused?: string) =>
        refused === tokens.accessToken
          ? Promise.reject(new AuthorizationRevoked('The provider refuses a token that it has just issued.'))
          : Promise.resolve(tokens.accessToken),
    };
    return this.live.run(integration, input, (session) => integration.check(session));
  }
}

/** Why an authorisation did not succeed. What is the operator's to mend is not put on the user. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof ApiError) {
    const isKnown = error.code === 'PROVIDER_UNREACHABLE' || error.code === 'INTEGRATION_NOT_AVAILABLE';
    return isKnown ? error.code : 'AUTHORIZATION_FAILED';
  }
  if (error instanceof ClientRefused) return 'INTEGRATION_NOT_AVAILABLE';
  if (error instanceof Transient || error instanceof RateLimited) return 'PROVIDER_UNREACHABLE';
  if (error instanceof AuthorizationRevoked || error instanceof InvalidCredentials) return 'AUTHORIZATION_FAILED';
  return error instanceof SourceError ? 'AUTHORIZATION_FAILED' : 'INTERNAL_ERROR';
}
