import type { Client } from 'basic-ftp';
import { isIPv4 } from 'node:net';

const HOST = /-?\d+(?:,-?\d+){3}(?=,-?\d+,-?\d+)/;

/**
 * Has a client connect for data to the address that it is connected to, whatever the server says it is (PASV, RFC 959 section 4.1.2):
 * behind a NAT many tell one of their own network, or 0.0.0.0, and a hostile one could tell anybody's. EPSV (RFC 2428) tells none.
 */
export function ignorePassiveHost({ ftp }: Client): void {
  const request = ftp.request.bind(ftp);
  ftp.request = async (command) => {
    const answer = await request(command);
    const address = ftp.socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '';
    if (command !== 'PASV' || !isIPv4(address)) return answer;
    return { ...answer, message: answer.message.replace(HOST, address.replaceAll('.', ',')) };
  };
}
