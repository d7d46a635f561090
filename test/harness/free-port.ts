import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that nobody has at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
