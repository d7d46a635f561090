import { Injectable, Logger } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { Settings } from '../../../platform/config/settings';
import { Metrics } from '../../../platform/metrics/metrics';
import type { Lang } from '../../../platform/i18n/lang';
import type { Priority } from '../../../platform/network/rate-limiter';
import type { Integration } from '../../core/integration';
import { SandboxAuthorizationServer } from '../sandbox/authorization-server';
import { ProviderRateLimits } from '../../core/provider-rate-limits';
import { AuthorizationRevoked, ClientRefused, UnexpectedResponse } from '../../core/source-errors';
import { networkFetch } from './network-fetch';
import { classifyTokenResponse, classifyTokenFailure } from './oauth-errors';
import { type OAuthIntegration, type RegisteredClient, registeredClient } from './registered-client';
import type { TokenSet } from '../../core/oauth-spec';

/** The time limit of a call of a token endpoint, including connecting. */
export const TOKEN_CALL_MS = 20_000;

/** The parameters of the redirect from the provider, and the values that they are checked against. */
export interface AuthorizationCallback {
  readonly parameters: URLSearchParams;
  readonly state: string;
  readonly codeVerifier: string;
}

/** Calls the providers' authorization servers with the OAuth client of the deployment. */
@Injectable()
export class OAuthClient {
  private readonly logger = new Logger(OAuthClient.name);
  private readonly refusals;

  constructor(
    private readonly settings: Settings,
    private readonly rateLimits: ProviderRateLimits,
    private readonly builtIn: SandboxAuthorizationServer,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter(
      'docfetch_oauth_client_refusals_total',
      'Calls in which a provider has refused the OAuth client of this deployment: its id, its secret or its permissions.',
      ['integration'],
    );
  }

  /** The redirect address, registered with every provider. */
  get redirectUri(): string {
    return `${this.settings.publicUrl}/oauth/callback`;
  }

  /** The address of the integration's API in this deployment. */
  apiBaseUrl(integration: Integration): string {
    return this.settings.providers[integration.id]?.apiBaseUrl ?? integration.apiBaseUrl ?? '';
  }

  /** The address of the consent page. @throws ClientRefused when the deployment has no client */
  async consentUrl(
    integration: OAuthIntegration,
    asked: { scopes: readonly string[]; state: string; codeVerifier: string; login?: string; lang?: Lang },
  ): Promise<string> {
    const { spec, client, server } = this.clientOf(integration);
    const url = new URL(server.authorization_endpoint!);
    const parameters = {
      ...spec.authorizeParameters,
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: this.redirectUri,
      scope: asked.scopes.join(' '),
      state: asked.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(asked.codeVerifier),
      code_challenge_method: 'S256',
      ...(asked.login && { login_hint: asked.login }),
      ...(spec.isBuiltIn && asked.lang && { ui_locales: asked.lang }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Exchanges the code of the redirect for tokens. @throws AuthorizationRevoked when the code is invalid; ClientRefused, Transient,
   * RateLimited, UnexpectedResponse
   */
  exchange(
    integration: OAuthIntegration,
    { parameters, state, codeVerifier }: AuthorizationCallback,
  ): Promise<TokenSet> {
    return this.requestTokens(integration, 'live', async ({ server, client, authentication, options }) => {
      const valid = oauth.validateAuthResponse(server, client, parameters, state);
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        valid,
        this.redirectUri,
        codeVerifier,
        options,
      );
      await classifyTokenResponse(answer);
      return oauth.processAuthorizationCodeResponse(server, client, answer);
    });
  }

  /** Exchanges a refresh token for new tokens. @throws AuthorizationRevoked when it is no longer valid, and as `exchange` */
  refresh(integration: OAuthIntegration, refreshToken: string, priority: Priority): Promise<TokenSet> {
    return this.requestTokens(integration, priority, async ({ server, client, authentication, options }) => {
      const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, options);
      await classifyTokenResponse(answer);
      return oauth.processRefreshTokenResponse(server, client, answer);
    });
  }

  /** Revokes a grant at the provider. Does nothing when the provider has no revocation, or no longer knows the grant. @throws as `refresh` */
  async revoke(integration: OAuthIntegration, token: string): Promise<void> {
    const { revokeUrl, revokedBy } = integration.oauth;
    if (!revokeUrl) return;
    try {
      const bearer = revokedBy === 'bearer' && (await this.refresh(integration, token, 'background')).accessToken;
      await this.call(integration, 'background', async ({ server, client, authentication, options }) => {
        const answer = bearer
          ? await oauth.protectedResourceRequest(
              bearer,
              'POST',
              new URL(server.revocation_endpoint!),
              undefined,
              null,
              options,
            )
          : await oauth.revocationRequest(server, client, authentication, token, options);
        await classifyTokenResponse(answer);
        // Google and Box answer 400 to a token that is no longer valid.
        if (answer.status !== 400) await oauth.processRevocationResponse(answer);
      });
    } catch (error) {
      if (!(error instanceof AuthorizationRevoked)) throw error;
    }
  }

  private async requestTokens(
    integration: OAuthIntegration,
    priority: Priority,
    request: (call: TokenEndpointCall) => Promise<oauth.TokenEndpointResponse>,
  ): Promise<TokenSet> {
    const answer = await this.call(integration, priority, request);
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? null,
      expiresIn: answer.expires_in ?? null,
      scopes: answer.scope === undefined ? null : answer.scope.split(/[\s,]+/).filter((scope) => scope !== ''),
    };
  }

  private async call<T>(
    integration: OAuthIntegration,
    priority: Priority,
    request: (call: TokenEndpointCall) => Promise<T>,
  ): Promise<T> {
    const { spec, client, server, authentication } = this.clientOf(integration);
    const signal = AbortSignal.timeout(TOKEN_CALL_MS);
    const send = spec.isBuiltIn
      ? (url: string, { body }: { readonly body?: unknown }) => this.builtIn.answer(url, body as URLSearchParams)
      : networkFetch(this.rateLimits.network(integration, null, priority, signal), signal);
    try {
      return await request({
        server,
        client,
        authentication,
        // The deployment configures the address, and the network guard checks it; http is for test servers.
        options: { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: true },
      });
    } catch (error) {
      const failure = classifyTokenFailure(error, integration.id);
      if (failure instanceof ClientRefused) this.refusals.inc({ integration: integration.id });
      if (failure instanceof UnexpectedResponse) {
        const level = failure instanceof ClientRefused ? 'error' : 'warn'; // operators can fix only the former
        this.logger[level](
          { integration: integration.id, error: failure.message },
          'An authorization server refused a request',
        );
      }
      throw failure;
    }
  }

  private clientOf(integration: OAuthIntegration): RegisteredClient {
    return registeredClient(integration, this.settings);
  }
}

interface TokenEndpointCall {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly options: oauth.TokenEndpointRequestOptions & oauth.ProtectedResourceRequestOptions;
}
