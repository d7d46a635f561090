import type { Server, ServerResponse } from 'node:http';
import type { Shutdown } from '../../availability/shutdown';

/** Milliseconds between two checks for connections that have become idle after the server was closed. */
const IDLE_CHECK_MS = 100;

/**
 * Lets the clients of a process that ends move to another one, without cutting a request off: every response from then on has
 * `Connection: close`. Node itself keeps the connection of a request that was in flight when the server was closed, until its
 * keep-alive timeout ends, and the server waits for it.
 */
export function drainConnections(server: Server, shutdown: Shutdown): void {
  const inFlight = new Set<ServerResponse>();
  server.prependListener('request', (_, response) => {
    if (shutdown.hasBegun) {
      response.shouldKeepAlive = false;
      return;
    }
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
  });
  shutdown.onBegin(() => {
    for (const response of inFlight) response.shouldKeepAlive = false;
    // Responses whose headers had been sent could not announce it.
    const timer = setInterval(() => {
      if (!server.listening) server.closeIdleConnections();
    }, IDLE_CHECK_MS);
    server.once('close', () => clearInterval(timer));
  });
}
