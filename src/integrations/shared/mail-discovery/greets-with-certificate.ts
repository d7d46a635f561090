import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Network } from '../../../platform/network/network';

/** RFC 9051 section 7.1: the greeting of a server that accepts logins. */
const GREETING = /^\* OK\b/;

/**
 * Whether an IMAP server greets at this address, with TLS and a certificate that is valid for its name. Sends nothing but the
 * handshake. @throws the network's, the handshake's and the certificate's error, and the signal's reason
 */
export async function greetsWithCertificate(
  network: Network,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<boolean> {
  const socket = connect({ socket: await network.connect(host, port, signal), servername: host });
  socket.on('error', () => undefined); // reported by the events below while they are awaited
  try {
    await once(socket, 'secureConnect', { signal });
    const [greeting] = (await once(socket, 'data', { signal })) as [Buffer];
    return GREETING.test(greeting.toString('latin1'));
  } finally {
    socket.destroy();
  }
}
