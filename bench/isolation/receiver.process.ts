import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// Endpoints of many clients at two origins: `/healthy` answers 200 at once, `/slow` after 25 seconds, `/hanging` never. All
// read the request.

const SLOW_MS = 25_000;

/** The arrival time of each document at the healthy endpoint in milliseconds since 1970, by `Idempotency-Key`. */
const arrivals = new Map<string, number>();
const waiting = new Set<IncomingMessage>();

function serve(request: IncomingMessage, response: ServerResponse): void {
  request.resume().on('end', () => {
    const ok = () => response.writeHead(200).end();
    if (request.url === '/healthy') {
      const key = String(request.headers['idempotency-key']);
      if (!arrivals.has(key)) arrivals.set(key, Date.now());
      return ok();
    }
    waiting.add(request);
    response.on('close', () => waiting.delete(request));
    if (request.url === '/slow') setTimeout(ok, SLOW_MS);
  });
}

const servers = [0, 1].map(() => createServer(serve).listen(0, '127.0.0.1'));
for (const server of servers) server.keepAliveTimeout = 60_000;

process.on('message', () => {
  process.send!({ arrivals: [...arrivals], waiting: waiting.size });
  arrivals.clear();
});
void Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve)))).then(() =>
  process.send!({ ports: servers.map((server) => (server.address() as AddressInfo).port) }),
);
