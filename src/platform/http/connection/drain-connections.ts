import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Shutdown } from '../../availability/shutdown';

/** Milliseconds between two checks for connections that are idle after the server was closed. */
const IDLE_CHECK_MS = 100;

/**
 * Lets the clients of a process that ends move to another one, without cutting a request off: every response from then on has
 * `Connection: close`. Node itself keeps the connection of a request that was in flight when the server was closed, until its
 * keep-alive timeout ends, and one that was opened ahead and has not brought a request, as browsers do, until that of headers ends; the
 * server waits for both.
 */
export function drainConnections(server: Server, shutdown: Shutdown): void {
  const inFlight = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
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
    let unusedBefore = new Set<Socket>();
    const timer = setInterval(() => {
      if (server.listening) return;
      server.closeIdleConnections();
      const unused = new Set(connections.values().filter(({ bytesRead }) => bytesRead === 0));
      for (const socket of unused) if (unusedBefore.has(socket)) socket.destroy();
      unusedBefore = unused;
    }, IDLE_CHECK_MS);
    server.once('close', () => clearInterval(timer));
  });
}
