import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { SCOPE } from '../google-drive/authorization';

/**
 * A certified authorization server (oidc-provider) at Google's addresses. It changes refresh tokens with every use, and takes
 * the whole grant back when a used one turns up again. Its user agrees to everything.
 */
export class CertifiedServer {
  /** Grants of each kind that the token endpoint has answered. */
  granted = 0;
  /** Refusals of the token endpoint. */
  refused = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly provider: Provider,
  ) {
    provider.on('grant.success', () => void this.granted++);
    provider.on('grant.error', () => void this.refused++);
    const callback = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!request.url!.startsWith('/interaction/')) return callback(request, response);
      this.agree(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  static async start(redirectUri: string): Promise<CertifiedServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(url, {
      clients: [
        {
          client_id: 'client-id',
          client_secret: 'client-secret',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      routes: { authorization: '/o/oauth2/v2/auth', token: '/token', revocation: '/revoke' },
      scopes: [SCOPE],
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
      issueRefreshToken: () => Promise.resolve(true),
      rotateRefreshToken: true,
      ttl: { Interaction: 600, Session: 600, Grant: 600, AuthorizationCode: 60, AccessToken: 600, RefreshToken: 600 },
      cookies: { keys: ['a key for tests'] },
    });
    return new CertifiedServer(server, url, provider);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params } = await this.provider.interactionDetails(request, response);
    const merge = { mergeWithLastSubmission: true };
    if (prompt.name === 'login') {
      return this.provider.interactionFinished(request, response, { login: { accountId: 'anna' } }, merge);
    }
    const grant = new this.provider.Grant({ accountId: 'anna', clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const consent = { grantId: await grant.save() };
    return this.provider.interactionFinished(request, response, { consent }, merge);
  }
}
