import type { Server } from 'node:http';

/** Milliseconds. Longer than the 60 s that load balancers keep an idle connection for, so that they close it and not we. */
export const KEEP_ALIVE_MS = 65_000;
/** Milliseconds for the headers of a request; above the former, or a reused connection could be cut by it. */
export const HEADERS_MS = 70_000;
/** Milliseconds for a whole request to arrive: headers and at most 1 MiB of body. */
export const REQUEST_MS = 120_000;

/** Limits how long a connection may idle and a request may take to arrive; Node answers 408 and closes then. */
export function setServerTimeouts(server: Server): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
}
