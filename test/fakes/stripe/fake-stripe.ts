import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExampleShapes } from './example-shapes';
import { refused, type StripeAnswer, StripeEndpoints } from './stripe-endpoints';
import { StripeState } from './stripe-state';

export interface Request {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** A fault of a request. */
export interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Closes the connection after this number of bytes. */
  readonly cutAfter?: number;
}

const listen = async (listener: RequestListener): Promise<Server> => {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/**
 * Stripe on two real sockets, one for the API and one for the PDFs: accounts with restricted keys, drafts that become invoices,
 * lists with the newest first, and faults on command. If Stripe's example objects are on this machine, every object is validated
 * against them.
 */
export class FakeStripe {
  readonly endpoints = new StripeEndpoints();
  /** The requests to the API and to the host of the PDFs. */
  readonly requests: Request[] = [];
  readonly downloads: Request[] = [];
  fault: (request: Request) => Fault | undefined = () => undefined;
  downloadFault: (request: Request) => Fault | undefined = () => undefined;
  readonly violations: string[] = [];
  readonly examples = ExampleShapes.find('stripe.fixtures3.json');
  private readonly accounts: StripeState[] = [];
  private servers: Server[] = [];

  static async start(): Promise<FakeStripe> {
    const fake = new FakeStripe();
    const api = await listen((request, response) => fake.serve(request, response));
    const files = await listen((request, response) => fake.download(request, response));
    fake.servers = [api, files];
    fake.endpoints.pdfOrigin = originOf(files);
    return fake;
  }

  /** The settings of a deployment that uses it. */
  get url(): string {
    return originOf(this.servers[0]!);
  }

  account(): StripeState {
    const state = new StripeState(`acct_1Fake${this.accounts.length}`);
    this.accounts.push(state);
    return state;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { asked, url } = requestOf(request);
    this.requests.push(asked);
    const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const state = this.accounts.find(({ keys }) => keys.has(key));
    if (!state) return json(response, refused(401, 'api_key_invalid'));
    if (!/^\d{4}-\d\d-\d\d\.\w+$/.test(String(request.headers['stripe-version']))) {
      this.violations.push('The version is missing.');
    }
    const fault = this.fault(asked);
    if (fault) return misbehave(response, fault);
    const answer = this.endpoints.answer(state, key, url);
    if (answer.status === 200) this.violations.push(...(this.examples?.violations(answer.json) ?? []));
    if (answer.status === 400) this.violations.push(`${url.pathname}${url.search}: ${JSON.stringify(answer.json)}`);
    json(response, answer);
  }

  private download(request: IncomingMessage, response: ServerResponse): void {
    const { asked } = requestOf(request);
    this.downloads.push(asked);
    const fault = this.downloadFault(asked);
    if (fault) return misbehave(response, fault);
    const [, , account, name] = asked.path.split('/');
    const state = this.accounts.find(({ id }) => id === account);
    const entry = state?.entries.find(({ id }) => `live_${id}` === name);
    if (!entry) return misbehave(response, { status: 404 });
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': entry.content.length });
    response.end(entry.content);
  }
}

function requestOf(request: IncomingMessage): { asked: Request; url: URL } {
  const url = new URL(request.url!, 'http://stripe.test');
  return { asked: { path: url.pathname, query: url.searchParams, headers: request.headers }, url };
}

function json(response: ServerResponse, { status, json: body }: StripeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function misbehave(response: ServerResponse, { status, headers = {}, body = '{}', cutAfter }: Fault): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-length': bytes.length, ...headers });
  if (cutAfter === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, cutAfter), () => response.destroy());
}
