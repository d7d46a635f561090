import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { OpenApiValidator } from '../openapi-validator';
import { refused, type SevdeskAnswer, SevdeskEndpoints } from './sevdesk-endpoints';
import { SevdeskState } from './sevdesk-state';

/** Validating a document of many megabytes against its description would take longer than the test. */
const LARGEST_COMPARED = 1_000_000;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
}

/** A fault of a request or of the bytes of its response. */
export interface Fault {
  readonly answer?: SevdeskAnswer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection after this number of bytes. */
  readonly cutAfter?: number;
}

/**
 * sevdesk on a real socket: accounts with tokens and rights, paged invoices, credit notes and vouchers with their PDFs, and faults
 * on command. If sevdesk's own description of the API is on this machine, every exchange is validated against it.
 */
export class FakeSevdesk {
  readonly endpoints = new SevdeskEndpoints();
  readonly requests: Request[] = [];
  /** Called with every request that has a valid token. */
  fault: (request: Request) => Fault | undefined = () => undefined;
  /** The deviations of the exchanges from sevdesk's description. */
  readonly violations: string[] = [];
  readonly description = OpenApiValidator.find('sevdesk.openapi.yaml', {
    contact: '#/components/schemas/Model_ContactResponse',
  });
  private readonly accounts: SevdeskState[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.serve(request, response));
  }

  static async start(port = 0): Promise<FakeSevdesk> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new FakeSevdesk(server, (server.address() as AddressInfo).port);
  }

  /** The settings of a deployment that uses it. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/api/v1`;
  }

  account(): SevdeskState {
    const state = new SevdeskState(String(5000 + this.accounts.length));
    this.accounts.push(state);
    return state;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, this.url);
    const { authorization, 'user-agent': userAgent } = request.headers;
    const asked = { method: request.method!, path: url.pathname, query: url.searchParams, authorization, userAgent };
    this.requests.push(asked);
    // The plain token, without an authentication scheme.
    const state = this.accounts.find(({ tokens }) => tokens.has(authorization ?? ''));
    if (!state) return this.give(response, url, asked, refused(401, 'Authentication required'));
    const fault = this.fault(asked);
    void Promise.resolve(fault?.answer ?? this.endpoints.answer(state, url)).then((answer) =>
      this.give(response, url, asked, answer, fault),
    );
  }

  private give(response: ServerResponse, url: URL, { method }: Request, answer: SevdeskAnswer, fault?: Fault): void {
    const bytes = 'bytes' in answer ? answer.bytes : Buffer.from(JSON.stringify(answer.json));
    const type = 'bytes' in answer ? answer.mimeType : 'application/json; charset=utf-8';
    // Generated data, and the other forms of a PDF, are not described.
    const isDescribed = !fault?.answer && answer.status < 300 && this.endpoints.pdfForm === 'described';
    const json: unknown = isDescribed && bytes.length < LARGEST_COMPARED ? JSON.parse(bytes.toString()) : undefined;
    this.violations.push(...(this.description?.violations(method, url, json) ?? []));
    response.writeHead(answer.status, { 'content-type': type, 'content-length': bytes.length, ...fault?.headers });
    if (fault?.cutAfter === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, fault.cutAfter), () => response.destroy());
  }
}
