import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Shutdown } from '../../availability/shutdown';

/** Milliseconds between two checks of the open connections after the server was closed. */
const CHECK_MS = 100;
/** Milliseconds without a byte after which a request that has begun is not expected to continue. */
const STALLED_MS = 2_000;

interface Connection {
  /** The response to the last request; null when it has been sent. */
  response: ServerResponse | null;
  bytesRead: number;
  /** Checks in a row that found no new byte. */
  silentChecks: number;
}

/**
 * Lets the clients of a process that ends move to another one, without cutting a request off: every response from then on has
 * `Connection: close`. Node itself keeps the connection of a request that was in flight when the server was closed, until its
 * keep-alive timeout ends. It also stops watching its timeouts for headers and bodies, so that one connection without a request, which
 * browsers and HTTP clients open ahead, or with half of one would keep the process from ending.
 */
export function drainConnections(server: Server, shutdown: Shutdown): void {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { response: null, bytesRead: -1, silentChecks: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    if (shutdown.hasBegun) response.shouldKeepAlive = false;
    const connection = connections.get(socket)!;
    connection.response = response;
    response.once('close', () => {
      if (connection.response === response) connection.response = null;
    });
  });
  shutdown.onBegin(() => {
    for (const { response } of connections.values()) if (response) response.shouldKeepAlive = false;
    const timer = setInterval(() => {
      if (server.listening) return;
      // Responses whose headers had been sent could not announce it.
      server.closeIdleConnections();
      for (const [socket, connection] of connections) if (isStalled(socket, connection)) socket.destroy();
    }, CHECK_MS);
    server.once('close', () => clearInterval(timer));
  });
}

/** Whether a connection brings no request any more. One whose request was received waits for the service, not for the client. */
function isStalled(socket: Socket, connection: Connection): boolean {
  if (connection.response?.req.complete) return false;
  connection.silentChecks = socket.bytesRead === connection.bytesRead ? connection.silentChecks + 1 : 0;
  connection.bytesRead = socket.bytesRead;
  return connection.silentChecks * CHECK_MS >= (socket.bytesRead === 0 ? CHECK_MS : STALLED_MS);
}
