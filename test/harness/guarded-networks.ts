import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultAllow } from '../../src/platform/network/addresses/address-policy';
import { GuardedNetwork, type GuardedNetworkOptions } from '../../src/platform/network/guarded-network';

const LOOPBACK = defaultAllow(false);
const opened: (GuardedNetwork | Server)[] = [];

/** A network that may reach loopback addresses, unless the options say otherwise. */
export function guarded(options: Partial<GuardedNetworkOptions> = {}): GuardedNetwork {
  const network = new GuardedNetwork({ allow: LOOPBACK, ...options });
  opened.push(network);
  return network;
}

/** A real server on 127.0.0.1 that counts connections. */
export async function serve(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  server.on('connection', () => connections++);
  opened.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** A server that answers every request with `hello`. */
export const hello = (): Server => createServer((_, response) => response.end('hello'));
/** A resolver that returns these addresses for every name. */
export const answering = (...addresses: string[]) =>
  jest.fn(async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
/** Closes the networks and servers of each test. */
export function closeGuardedNetworks(): void {
  afterEach(async () => {
    for (const each of opened.splice(0)) {
      if (each instanceof GuardedNetwork) await each.close();
      else {
        each.closeAllConnections();
        each.close();
      }
    }
  });
}
