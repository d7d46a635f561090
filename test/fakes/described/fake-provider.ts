import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { AuthorizationServer } from '../oauth/authorization-server';
import { ApiDescription, type Exchange } from './api-description';
import type { FakeAnswer, FakeCall, FakeDeclaration, FakePage, PageParameters, SentRequest } from './declaration';
import { type Entry, FakeAccount } from './fake-account';
import { type FakeFault, type FakeRequest, give, listen, originOf, requestOf } from './http';

/**
 * The server of one provider by its declaration, on two real sockets: the API, and another host for downloads. If the
 * description of the API is on this machine, every exchange is compared with it.
 */
export class FakeProvider {
  readonly requests: FakeRequest[] = [];
  readonly downloads: FakeRequest[] = [];
  /** Called with every request that has valid credentials. */
  fault: (request: FakeRequest) => FakeFault | undefined = () => undefined;
  /** Called with every download from the other host. */
  downloadFault: (request: FakeRequest) => FakeFault | undefined = () => undefined;
  readonly violations: string[] = [];
  /** Limits the pages of lists that state how long they are. */
  largestPage = Infinity;
  readonly authorization: AuthorizationServer | null;
  /** The descriptions by the beginning of the path, the longest first. */
  private readonly descriptions: readonly (readonly [string, ApiDescription | null])[];
  private readonly accounts: FakeAccount[] = [];
  private readonly byLogin = new Map<string, FakeAccount>();
  private readonly routes: readonly (readonly [RegExp, (call: FakeCall) => FakeAnswer])[];
  private api!: Server;
  private files!: Server;

  private constructor(
    readonly id: string,
    readonly declaration: FakeDeclaration,
    redirectUri: string,
  ) {
    const { description } = declaration;
    this.descriptions = Object.entries(typeof description === 'string' ? { '': description } : description)
      .map(([start, name]) => [start, ApiDescription.find(name)] as const)
      .sort(([one], [other]) => other.length - one.length);
    this.authorization = declaration.oauth ? new AuthorizationServer(redirectUri, declaration.oauth) : null;
    this.routes = Object.entries(declaration.routes).map(([route, answer]) => [
      new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+?)')}$`),
      answer,
    ]);
  }

  static async start(
    id: string,
    declaration: FakeDeclaration,
    redirectUri = 'https://docfetch.test/oauth/callback',
  ): Promise<FakeProvider> {
    const fake = new FakeProvider(id, declaration, redirectUri);
    fake.api = await listen((request, response) => fake.serve(request, response));
    fake.files = await listen((request, response) => Promise.resolve(fake.download(request, response)));
    return fake;
  }

  /** The address of the API. */
  get url(): string {
    return originOf(this.api) + this.declaration.base;
  }

  /** The settings of a deployment that uses it. */
  get settings() {
    const { authorization, id, url } = this;
    if (!authorization) return { [id]: { apiBaseUrl: url } };
    const client = { id: authorization.clientId, secret: authorization.clientSecret };
    return { [id]: { client, oauthBaseUrl: originOf(this.api), apiBaseUrl: url } };
  }

  /** A new account. With OAuth it belongs to the user who is logged in. */
  account(): FakeAccount {
    const account = new FakeAccount(this.accounts.length + 1, this.declaration);
    this.accounts.push(account);
    if (this.authorization) this.byLogin.set(this.authorization.account, account);
    return account;
  }

  async stop(): Promise<void> {
    for (const server of [this.api, this.files]) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, originOf(this.api));
    const sent = await text(request);
    if (this.authorization && (await this.authorize(request, url, sent, response))) return;
    const { base, pathOf, open = {}, key } = this.declaration;
    const given = requestOf(request, url, base);
    const asked = { ...given, path: pathOf?.(given.headers) ?? given.path };
    this.requests.push(asked);
    const answerToAll = open[`${asked.method} ${asked.path}`];
    if (answerToAll) return give(response, answerToAll());
    const whole: SentRequest = { method: asked.method, url, headers: asked.headers, body: sent };
    const account = this.accountOf(asked, whole);
    const fault = account && this.fault(asked);
    if (!account || fault) return give(response, fault ?? key?.refused?.(whole) ?? { status: 401, json: {} });
    const body = sent === '' ? undefined : (JSON.parse(sent) as Record<string, unknown>);
    const answer = this.answer(account, asked, body);
    const { status = 200, json } = answer;
    // What the provider answers to a request that finds nothing is its own business.
    if (status < 400) {
      this.violations.push(...this.deviations({ ...asked, body, status, answer: json }));
    }
    give(response, answer);
  }

  private deviations(exchange: Exchange): string[] {
    const [start, description] = this.descriptions.find(([each]) => exchange.path.startsWith(each)) ?? ['', null];
    const query = new URLSearchParams(exchange.query);
    for (const name of this.declaration.generalParameters ?? []) query.delete(name);
    return description?.violations({ ...exchange, query, path: exchange.path.slice(start.length) }) ?? [];
  }

  private answer(
    account: FakeAccount,
    { method, path, query, headers }: FakeRequest,
    body: FakeCall['body'] = {},
  ): FakeAnswer {
    for (const [pattern, answer] of this.routes) {
      const found = pattern.exec(`${method} ${path}`);
      if (!found) continue;
      const params = Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      );
      return answer({
        account,
        params,
        query,
        headers,
        body,
        url: this.url,
        largest: this.largestPage,
        page: (entries, parameters) => this.page(entries, query, parameters),
        fileUrl: ({ list, id }) =>
          `${originOf(this.files)}/${account.number}/${encodeURIComponent(list)}/${encodeURIComponent(id)}?signature=s`,
      });
    }
    this.violations.push(`${method} ${path}: the fake has no such route`);
    return { status: 404, json: {} };
  }

  private page(entries: readonly Entry[], query: URLSearchParams, given: PageParameters): FakePage {
    const { number: parameter, first = 1, offset, size: sizeParameter, standard, largest, statesLength = true } = given;
    const number = Number((parameter && query.get(parameter)) ?? first);
    const asked = Number((sizeParameter && query.get(sizeParameter)) ?? standard);
    if (!(asked >= 1 && asked <= largest)) this.violations.push(`${String(sizeParameter)}=${asked} is not allowed`);
    const size = statesLength ? Math.min(asked, this.largestPage) : asked;
    const start = offset === undefined ? (number - first) * size : Number(query.get(offset) ?? 0);
    const end = start + size;
    const pages = Math.max(1, Math.ceil(entries.length / size));
    return {
      entries: entries.slice(start, end),
      number,
      size,
      total: entries.length,
      pages,
      hasMore: end < entries.length,
    };
  }

  private accountOf({ headers, query }: FakeRequest, sent: SentRequest): FakeAccount | undefined {
    if (this.authorization) {
      const grant = this.authorization.accepts(headers.authorization);
      return grant ? (this.byLogin.get(grant.account) ?? this.account()) : undefined;
    }
    const key = this.declaration.key!.of(headers, query, sent);
    return this.accounts.find(({ keys }) => key !== undefined && keys.has(key));
  }

  /** The requests to the authorization server. */
  private async authorize(
    { headers: given }: IncomingMessage,
    url: URL,
    sent: string,
    response: ServerResponse,
  ): Promise<boolean> {
    const { authorize, token } = this.declaration.oauth!;
    if (url.pathname === authorize) {
      const { status, headers = {} } = this.authorization!.authorize(url.searchParams);
      response.writeHead(status, headers).end();
      return true;
    }
    if (url.pathname !== token) return false;
    const { status, body } = await this.authorization!.token(formOf(sent, given.authorization));
    give(response, { status, json: body });
    return true;
  }

  /** The other host; its addresses need no credentials and must not get any. */
  private download(request: IncomingMessage, response: ServerResponse): void {
    const asked = requestOf(request, new URL(request.url!, originOf(this.files)), '');
    this.downloads.push(asked);
    const { headers: secret = ['authorization'] } = this.declaration.key ?? {};
    if (secret.some((name) => name in request.headers)) this.violations.push('Another host gets credentials.');
    const fault = this.downloadFault(asked);
    if (fault) return give(response, fault);
    const [, number, list = '', id = ''] = asked.path.split('/').map(decodeURIComponent);
    const entry = this.accounts.find((account) => account.number === Number(number))?.find(list, id);
    give(response, entry ? { file: entry.content, type: 'application/pdf' } : { status: 404 });
  }
}

/** A form with the client, which may be in the header instead (RFC 6749 2.3.1). */
function formOf(sent: string, authorization: string | undefined): URLSearchParams {
  const form = new URLSearchParams(sent);
  const [, basic] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  if (basic === undefined) return form;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
  form.set('client_id', id);
  form.set('client_secret', secret);
  return form;
}
