import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeAnswer } from './declaration';

export interface FakeRequest {
  readonly method: string;
  /** Below the base of the API. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** A fault of a request. */
export interface FakeFault extends FakeAnswer {
  /** Closes the connection after this number of bytes. */
  readonly cutAfter?: number;
}

/** A server on a free port. */
export async function listen(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
export const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** @param base is removed from the path */
export function requestOf({ method, headers }: IncomingMessage, url: URL, base: string): FakeRequest {
  const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : url.pathname;
  return { method: method!, path, query: url.searchParams, headers };
}

export function give(
  response: ServerResponse,
  { status = 200, json = {}, file, type, headers, cutAfter }: FakeFault,
): void {
  const bytes = file ?? Buffer.from(JSON.stringify(json));
  const stated = type ?? (file ? 'application/octet-stream' : 'application/json');
  response.writeHead(status, { 'content-type': stated, 'content-length': bytes.length, ...headers });
  if (cutAfter === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, cutAfter), () => response.destroy());
}
