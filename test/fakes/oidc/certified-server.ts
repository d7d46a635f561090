import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { SCOPE } from '../google-drive/fake-google-drive';

/**
 * A certified authorization server (oidc-provider) at Google's URLs. It rotates refresh tokens with every use, and revokes
 * the whole grant when a used one is sent again. Its user consents to everything, or is asked on a page of the server.
 */
export class CertifiedServer {
  /** The number of token responses by grant type. */
  granted = 0;
  /** The errors of the token endpoint. */
  refused = 0;
  /** The account of an access token, for the API that accepts it. */
  readonly accounts = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly provider: Provider,
    asks: boolean,
  ) {
    provider.on('grant.success', () => void this.granted++);
    provider.on('grant.error', () => void this.refused++);
    provider.on('access_token.saved', ({ jti, accountId }) => void this.accounts.set(jti, accountId));
    const callback = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!request.url!.startsWith('/interaction/')) return callback(request, response);
      (asks ? this.ask(request, response) : this.agree(request, response)).catch((error: Error) =>
        response.destroy(error),
      );
    });
  }

  /** `asks`: a user in a browser logs in and decides whether to consent. */
  static async start(redirectUri: string, asks = false): Promise<CertifiedServer> {
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
    return new CertifiedServer(server, url, provider, asks);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt } = await this.provider.interactionDetails(request, response);
    const account = 'anna@example.com';
    if (prompt.name === 'login') return this.finish(request, response, { login: { accountId: account } });
    return this.finish(request, response, { consent: await this.consent(request, response, account) });
  }

  private async ask(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' });
      return void response.end(CONSENT_PAGE);
    }
    const form = new URLSearchParams(await text(request));
    if (form.get('decision') !== 'agree') return this.finish(request, response, { error: 'access_denied' });
    const accountId = form.get('account')!;
    const consent = await this.consent(request, response, accountId);
    return this.finish(request, response, { login: { accountId }, consent });
  }

  private async consent(request: IncomingMessage, response: ServerResponse, accountId: string) {
    const { params } = await this.provider.interactionDetails(request, response);
    const grant = new this.provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    return { grantId: await grant.save() };
  }

  private finish(request: IncomingMessage, response: ServerResponse, result: object): Promise<void> {
    return this.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }
}

const CONSENT_PAGE = `<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1><form method="post">
<label>Account <input name="account" type="email" value="anna@example.com"></label>
<button name="decision" value="agree">Agree</button> <button name="decision" value="refuse">Refuse</button></form></html>`;
