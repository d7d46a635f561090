import { Client, FTPError } from 'basic-ftp';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Network } from '../../platform/network/network';
import { type GreetingServer, refineTlsFailure, withDiagnosis } from '../shared/reachability/diagnose';
import { Unreachable } from '../shared/reachability/unreachable-code';
import { type CertificateCheck, withCertificateCheck } from '../shared/trust/certificate-check';
import type { ServerTrust } from '../core/server-trust';
import { classifyConnecting } from './ftp-errors';
import { ignorePassiveHost } from './passive-host';

/** From resolving the name to the end of the login. */
const LOGIN_TIMEOUT_MS = 30_000;
/** A connection with a command under way and no byte for so long is dead. */
const SILENCE_TIMEOUT_MS = 60_000;
/** A folder of a million files. */
const MAX_LISTING_BYTES = 128 * 1024 * 1024;

/** RFC 959 section 4.2. */
const GREETING = /^\d{3}[ -]/;

export interface Login {
  readonly host: string;
  readonly port?: number;
  /** `EXPLICIT`, `IMPLICIT` or `NONE`. */
  readonly security: string;
  readonly user: string;
  readonly password: string;
}

/** A connection that is logged in. It does one thing at a time. */
export interface FtpConnection {
  readonly client: Client;
  /** Where the login begins, as an absolute path, a character for each byte. */
  readonly home: string;
  /** Whether it lists with exact times (RFC 3659). */
  readonly hasFacts: boolean;
}

/**
 * Opens a logged-in connection. The name is resolved and checked by the network guard and the connection made to the checked
 * address; those for data go to that same address, whatever the server says. TLS is verified against the name, or the certificate
 * is the one that the user accepted, on the connections for data too.
 * Throws `AddressNotAllowed`, `CertificateInvalid`, `InvalidCredentials`, `Transient`, or the signal's reason.
 */
export function connect(
  login: Login,
  network: Network,
  trust: ServerTrust,
  signal: AbortSignal,
): Promise<FtpConnection> {
  const server = { host: login.host, port: portOf(login) };
  return withCertificateCheck(trust, server, (check) => open(login, network, signal, check));
}

async function open(
  login: Login,
  network: Network,
  signal: AbortSignal,
  check: CertificateCheck | undefined,
): Promise<FtpConnection> {
  signal.throwIfAborted();
  const what = `FTP ${login.host}:${portOf(login)}`;
  const client = new Client(SILENCE_TIMEOUT_MS, {
    allowSeparateTransferHost: false,
    maxListingBytes: MAX_LISTING_BYTES,
  });
  // Byte by byte: names need not be UTF-8, and each has to be sent back as it came (`listFolder`, `absolute`).
  client.ftp.encoding = 'latin1';
  ignorePassiveHost(client);
  const server = { network, host: login.host, port: portOf(login), what };
  const greetingServer: GreetingServer = { ...server, greeting: GREETING, ifTls: 'TLS_REQUIRED' };
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(LOGIN_TIMEOUT_MS)]);
  // Not every step notices that its connection was closed.
  const late = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new Unreachable(`${what}: no login in time.`, 'TIMED_OUT'));
    deadline.addEventListener('abort', stop, { once: true });
  });
  try {
    const loggingIn = Promise.race([logIn(client, login, network, check), late]);
    const connection = await (login.security === 'IMPLICIT'
      ? loggingIn
      : withDiagnosis(loggingIn, greetingServer, signal));
    signal.addEventListener('abort', () => client.close(), { once: true });
    return connection;
  } catch (error) {
    client.close();
    signal.throwIfAborted();
    throw await refineTlsFailure(classifyConnecting(error, what), greetingServer, signal);
  }
}

async function logIn(client: Client, login: Login, network: Network, check?: CertificateCheck): Promise<FtpConnection> {
  const { address, servername } = await network.resolve(login.host);
  // An address has no server name: its certificate is verified against the address itself.
  const tls = {
    host: address,
    ...(isIP(servername) ? {} : { servername }),
    ...(check && { rejectUnauthorized: false }), // decided by `check`
  };
  if (check) verifyDataConnections(client, check);
  if (login.security === 'IMPLICIT') {
    const greeted = client.connectImplicitTLS(address, portOf(login), tls);
    if (check) verifyWhenSecured(client.ftp.socket, check);
    await greeted;
  } else await client.connect(address, portOf(login));
  // Without TLS, where it is wanted, nothing secret is sent: this throws.
  if (login.security === 'EXPLICIT') {
    await Promise.race([client.useTLS(tls), closing(client.ftp.socket)]).catch((error: unknown) => {
      if (!(error instanceof FTPError)) throw error; // else AUTH TLS was refused (RFC 4217)
      throw new Unreachable(`FTP: no TLS (${error.code}).`, 'TLS_NOT_SUPPORTED');
    });
  }
  const { socket } = client.ftp;
  if (socket instanceof TLSSocket) check?.verify(socket);
  const password = check ? check.release(login.password) : login.password;
  await client.sendIgnoringError('OPTS UTF8 ON');
  await client.login(asBytes(login.user), asBytes(password));
  await client.useDefaultSettings();
  const home = await client.pwd();
  const hasFacts = client.availableListCommands.includes('MLSD');
  // One refused listing would have the client ask for `ls -l` ever after, whose times compare with no others.
  if (hasFacts) client.availableListCommands = ['MLSD'];
  return { client, home: home.replace(/\/+$/, ''), hasFacts };
}

/** Has every connection for data compared as soon as it is secured: the client takes what it was told once for all of them. */
function verifyDataConnections({ ftp }: Client, check: CertificateCheck): void {
  const property = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(ftp), 'dataSocket')!;
  Object.defineProperty(ftp, 'dataSocket', {
    get: property.get?.bind(ftp),
    set(socket: Socket | undefined) {
      if (socket) verifyWhenSecured(socket, check);
      property.set!.call(ftp, socket);
    },
  });
}

function verifyWhenSecured(socket: Socket, check: CertificateCheck): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.prependOnceListener('secureConnect', () => {
    try {
      check.verify(socket);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
}

/** RFC 2640: in UTF-8. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A line that breaks while TLS begins is noticed by nobody else. */
function closing(socket: Socket): Promise<never> {
  return new Promise((_, reject) => {
    socket.once('close', () => reject(new Error('The connection was closed.')));
  });
}

export function portOf({ port, security }: Pick<Login, 'port' | 'security'>): number {
  return port ?? (security === 'IMPLICIT' ? 990 : 21);
}
