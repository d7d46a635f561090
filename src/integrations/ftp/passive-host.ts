import type { Client } from 'basic-ftp';
import { isIPv4 } from 'node:net';

const HOST = /-?\d+(?:,-?\d+){3}(?=,-?\d+,-?\d+)/;

/**
 * Makes a client use the control connection's address for data connections, whatever the server states (PASV, RFC 959 section
 * 4.1.2): behind a NAT many servers state an internal address or 0.0.0.0, and a hostile one could state any address. EPSV (RFC
 * 2428) contains none.
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
