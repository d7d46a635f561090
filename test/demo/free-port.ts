import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first free port from the given one on. Throws when none of the next hundred is free. */
export async function freePort(from: number): Promise<number> {
  for (let port = from; port < Math.min(from + 100, 65_536); port++) {
    // A server that listens only on the loopback interface would still receive our requests.
    if ((await canListen(port)) && (await canListen(port, '127.0.0.1'))) return port;
  }
  throw new Error(`No port from ${from} on is free.`);
}

async function canListen(port: number, host?: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
