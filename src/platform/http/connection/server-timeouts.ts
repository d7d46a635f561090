import type { Server } from 'node:http';

/** Milliseconds. Longer than the 60 s idle timeout of load balancers, so that they close the connection first. */
export const KEEP_ALIVE_MS = 65_000;
/** Milliseconds for the headers of a request; above the keep-alive timeout, so that a reused connection is not closed by it. */
export const HEADERS_MS = 70_000;
/** Milliseconds for a whole request to arrive: headers and at most 1 MiB of body. */
export const REQUEST_MS = 120_000;

/** Sets the timeouts for idle connections and incoming requests; Node then answers 408 and closes the connection. */
export function setServerTimeouts(server: Server): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
}
