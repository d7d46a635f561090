import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Closes the connection after a response that is sent before the request's body was received (decisions 1: 413 at the first
 * byte over the limit, 401 before the body). Node would otherwise keep receiving and discarding the rest of the body.
 */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse;
  response.writeHead = (...values: unknown[]) => {
    if (!request.complete) response.setHeader('Connection', 'close');
    return writeHead(...values);
  };
}
