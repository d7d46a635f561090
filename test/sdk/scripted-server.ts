import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A response; `hang up` closes the connection instead, a function sends what it likes. */
export type ScriptedResponse =
  | ((response: ServerResponse) => void)
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'hang up'
  | 'never answer';

export interface ScriptedServer {
  readonly url: string;
  /** The requests since the last `script`. */
  readonly seen: readonly RecordedRequest[];
  /** Sets the next responses, in this order; the last one is repeated. */
  script(...answers: ScriptedResponse[]): void;
  stop(): Promise<void>;
}

/** A server with scripted responses, to test a client when the service fails. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  let answers: ScriptedResponse[] = [];
  const seen: RecordedRequest[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: await text(request) });
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer === 'never answer') return;
    if (typeof answer === 'function') return answer(response);
    if (answer === 'hang up') return void request.socket.destroy();
    const { status, headers: more = {}, body } = answer;
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...more });
    response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    script: (...next) => {
      answers = next;
      seen.length = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
