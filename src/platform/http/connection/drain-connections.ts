import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Shutdown } from '../../availability/shutdown';

/** Milliseconds between two checks of the open connections after the server was closed. */
const CHECK_MS = 100;
/** Milliseconds without a byte after which a request that has begun is not expected to continue. */
const STALLED_MS = 2_000;

/** A connection, and the request on it that has no response yet. */
interface Connection {
  request: IncomingMessage | null;
  bytesRead: number;
  /** Checks in a row that found no new byte. */
  silentChecks: number;
}

/**
 * Lets the clients of a process that ends move to another one, without cutting a request off: every response from then on has
 * `Connection: close`. Node itself keeps the connection of a request that was in flight when the server was closed, until its
 * keep-alive timeout ends. It also stops to watch its timeouts for headers and bodies, so that one connection without a request, which
 * browsers and HTTP clients open ahead, or with half of one would keep the process from ending.
 */
export function drainConnections(server: Server, shutdown: Shutdown): void {
  const inFlight = new Set<ServerResponse>();
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { request: null, bytesRead: -1, silentChecks: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (connection) connection.request = request;
    if (shutdown.hasBegun) response.shouldKeepAlive = false;
    else inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      if (connection?.request === request) connection.request = null;
    });
  });
  shutdown.onBegin(() => {
    for (const response of inFlight) response.shouldKeepAlive = false;
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
  if (connection.request?.complete) return false;
  connection.silentChecks = socket.bytesRead === connection.bytesRead ? connection.silentChecks + 1 : 0;
  connection.bytesRead = socket.bytesRead;
  return connection.silentChecks * CHECK_MS >= (socket.bytesRead === 0 ? CHECK_MS : STALLED_MS);
}
