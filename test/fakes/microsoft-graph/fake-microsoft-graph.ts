import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type GraphRequest, type GraphAnswer, refused, selected } from './answers';
import { GraphValidator } from './csdl';
import { DownloadHost } from './download-host';
import { type Files, filesAnswer } from './drive-endpoints';
import { DriveState } from './drive-state';
import type { Answer, Grant } from '../oauth/authorization-server';
import { Entra } from './entra';
import { mailAnswer } from './mail-endpoints';
import { MailState } from './mail-state';

/** Graph's concurrency limit per app and mailbox. */
const AT_ONCE = 4;

/**
 * Microsoft Graph and the identity platform on one real socket, downloads on another: accounts with their drives, sites and
 * mailboxes, paged change lists, tokens that expire, and faults on command. If Microsoft's own metadata is on this
 * machine, every exchange is validated against it.
 */
export class FakeMicrosoftGraph {
  readonly entra: Entra;
  /** Paths and queries of all API requests. */
  readonly requests: string[] = [];
  /** Called with every request that has a valid token; may return another response. */
  fault: (url: URL) => GraphAnswer | undefined | Promise<GraphAnswer | undefined> = () => undefined;
  /** The server's own page limit. */
  page = 200;
  /** The maximum number of concurrent requests that one mailbox has received. */
  mostAtOnce = 0;
  readonly description = GraphValidator.find('msgraph-files-mail.v1.csdl.xml');
  private readonly apiViolations: string[] = [];
  private readonly accounts = new Map<string, Files>();
  private readonly mailboxes = new Map<string, MailState>();
  private readonly busy = new Map<MailState, number>();

  private constructor(
    private readonly server: Server,
    readonly downloads: DownloadHost,
    redirectUri: string,
  ) {
    this.entra = new Entra(redirectUri);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.serve(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  static async start(redirectUri = 'https://docfetch.test/oauth/callback'): Promise<FakeMicrosoftGraph> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeMicrosoftGraph(server, await DownloadHost.start(), redirectUri);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The deviations of the exchanges from Microsoft's metadata, and tokens that were sent to the wrong host. */
  get violations(): string[] {
    return [...this.apiViolations, ...this.downloads.violations];
  }

  /** The settings of a deployment that uses it. */
  get settings() {
    const { clientId: id, clientSecret: secret } = this.entra;
    const provider = { client: { id, secret }, oauthBaseUrl: this.url, apiBaseUrl: this.url };
    return { microsoft_drive: provider, outlook: provider };
  }

  /** The files of an account; initially an empty drive. */
  files(account = this.entra.account): Files {
    const known = this.accounts.get(account) ?? { own: new DriveState(), others: [], sites: [] };
    this.accounts.set(account, known);
    return known;
  }

  /** The mailbox at an address; initially with an empty inbox. */
  mailbox(address = this.entra.account): MailState {
    const known = this.mailboxes.get(address) ?? new MailState();
    this.mailboxes.set(address, known);
    return known;
  }

  async stop(): Promise<void> {
    await this.downloads.stop();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    if (url.pathname === '/common/oauth2/v2.0/authorize') return send(response, this.entra.authorize(url.searchParams));
    if (url.pathname === '/common/oauth2/v2.0/token') {
      return send(response, await this.entra.token(new URLSearchParams(await text(request))));
    }
    this.requests.push(url.pathname + url.search);
    const grant = this.entra.accepts(request.headers.authorization);
    const answer = grant
      ? (this.throttled(grant, url, response) ?? (await this.fault(url)) ?? this.answer(grant, url, request))
      : refused(401, 'InvalidAuthenticationToken', { 'www-authenticate': 'Bearer realm="", error="invalid_token"' });
    this.give(response, url, answer);
  }

  private throttled({ account }: Grant, url: URL, response: ServerResponse): GraphAnswer | undefined {
    const state = this.mailboxes.get(inMailbox(url, account)?.owner ?? '');
    if (!state) return undefined;
    const atOnce = (this.busy.get(state) ?? 0) + 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, atOnce);
    if (atOnce > AT_ONCE) return refused(429, 'ApplicationThrottled', { 'retry-after': '1' });
    this.busy.set(state, atOnce);
    response.once('close', () => this.busy.set(state, this.busy.get(state)! - 1));
    return undefined;
  }

  private answer({ account, scopes }: Grant, url: URL, { headers }: IncomingMessage): GraphAnswer {
    const prefer = String(headers.prefer ?? '');
    const asked: GraphRequest = { url, account, scopes, prefer, base: this.url, page: this.page };
    if (url.pathname === '/v1.0/me') return scopes.includes('User.Read') ? me(asked) : refused(403, 'accessDenied');
    const mail = inMailbox(url, account);
    if (!mail) return filesAnswer(this.files(account), asked);
    if (!scopes.includes(mail.isShared ? 'Mail.Read.Shared' : 'Mail.Read')) return refused(403, 'ErrorAccessDenied');
    const state = this.mailboxes.get(mail.owner);
    if (!state) return refused(404, 'MailboxNotEnabledForRESTAPI');
    const isAllowed = mail.owner === account || state.sharedWith.has(account);
    return isAllowed ? mailAnswer(state, mail.path, asked) : refused(403, 'ErrorAccessDenied');
  }

  private give(response: ServerResponse, url: URL, answer: GraphAnswer): void {
    if ('redirect' in answer) {
      return void response.writeHead(302, { location: this.downloads.addressOf(answer.redirect) }).end();
    }
    if ('bytes' in answer) {
      const { bytes, mimeType, cutAfter } = answer;
      response.writeHead(answer.status, { 'content-type': mimeType, 'content-length': bytes.length });
      if (cutAfter === undefined) return void response.end(bytes);
      return void response.write(bytes.subarray(0, cutAfter), () => response.destroy());
    }
    const { status, json, type, headers } = answer;
    if (type !== undefined && this.description) {
      const isDelta = url.pathname.endsWith('/delta');
      this.apiViolations.push(...this.description.requestViolations(type, url.searchParams, isDelta));
      this.apiViolations.push(...this.description.responseViolations(type, json));
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  }
}

/** The requested mailbox and the path in it; null when the request does not concern a mailbox. */
function inMailbox({ pathname }: URL, account: string): { owner: string; isShared: boolean; path: string } | null {
  const [, address, path] = /^\/v1\.0\/(?:me|users\/([^/]+))(\/(?:mailFolders|messages).*)$/.exec(pathname) ?? [];
  if (path === undefined) return null;
  return { owner: decodeURIComponent(address ?? account), isShared: address !== undefined, path };
}

function me({ account, url }: GraphRequest): GraphAnswer {
  const id = createHash('sha256').update(account).digest('hex').slice(0, 32);
  const user = { id, mail: account, userPrincipalName: account, displayName: account.split('@')[0] };
  return { status: 200, json: selected(user, url.searchParams.get('$select')) };
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
