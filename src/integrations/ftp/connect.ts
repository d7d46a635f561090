import { Client, FTPError } from 'basic-ftp';
import { addAbortListener } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { withTimeout } from '../../platform/concurrency/cancellation';
import type { Network } from '../../platform/network/network';
import { type GreetingServer, refineTlsFailure, withDiagnosis } from '../shared/reachability/diagnose';
import { Unreachable } from '../shared/reachability/unreachable-code';
import { type CertificateCheck, withCertificateCheck } from '../shared/trust/certificate-check';
import type { ServerTrust } from '../core/server-trust';
import { classifyConnecting } from './ftp-errors';
import { ignorePassiveHost } from './passive-host';

/** The time limit from resolving the name to the end of the login. */
const LOGIN_TIMEOUT_MS = 30_000;
/** A connection without a byte for this time during a command counts as dead. */
const SILENCE_TIMEOUT_MS = 60_000;
/** Enough for a folder of a million files. */
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

/** A logged-in connection, which executes one command at a time. */
export interface FtpConnection {
  readonly client: Client;
  /** The start folder of the login as an absolute path, one character per byte. */
  readonly home: string;
  /** Whether its listings have exact times (RFC 3659). */
  readonly hasFacts: boolean;
}

/**
 * Opens a logged-in connection. The network guard resolves and checks the name, and the connection is made to the checked address;
 * data connections use the same address, whatever the server states. TLS is verified against the name or the certificate that the
 * user has accepted, also on data connections.
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
  // Byte by byte, because names may not be UTF-8 and have to be sent back unchanged (`listFolder`, `absolute`).
  client.ftp.encoding = 'latin1';
  ignorePassiveHost(client);
  const server = { network, host: login.host, port: portOf(login), what };
  const greetingServer: GreetingServer = { ...server, greeting: GREETING, ifTls: 'TLS_REQUIRED' };
  const timedOut = () => new Unreachable(`${what}: no login in time.`, 'TIMED_OUT');
  try {
    // Not every step detects that its connection was closed.
    const loggingIn = withTimeout(LOGIN_TIMEOUT_MS, timedOut, () => logIn(client, login, network, check), signal);
    const connection = await (login.security === 'IMPLICIT'
      ? loggingIn
      : withDiagnosis(loggingIn, greetingServer, signal));
    addAbortListener(signal, () => client.close());
    return connection;
  } catch (error) {
    client.close();
    signal.throwIfAborted();
    const failure = classifyConnecting(error, what, login.security !== 'NONE');
    throw await refineTlsFailure(failure, greetingServer, signal);
  }
}

async function logIn(client: Client, login: Login, network: Network, check?: CertificateCheck): Promise<FtpConnection> {
  const { address, servername } = await network.resolve(login.host);
  // An IP address has no server name: the certificate is verified against the address.
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
  // Throws when the required TLS is not available, before a secret is sent.
  if (login.security === 'EXPLICIT') {
    await Promise.race([client.useTLS(tls), closing(client.ftp.socket)]).catch((error: unknown) => {
      if (!(error instanceof FTPError)) throw error; // else AUTH TLS was rejected (RFC 4217)
      throw new Unreachable(`FTP: no TLS (${error.code}).`, 'TLS_NOT_SUPPORTED_STARTTLS');
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
  // After one rejected listing the client would always use LIST, whose times are not comparable.
  if (hasFacts) client.availableListCommands = ['MLSD'];
  return { client, home: home.replace(/\/+$/, ''), hasFacts };
}

/** Verifies every data connection as soon as it is secured, because the client uses the same options for all of them. */
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

/** UTF-8 (RFC 2640), one character per byte. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Rejects when the connection closes during the TLS handshake, which nothing else detects. */
function closing(socket: Socket): Promise<never> {
  return new Promise((_, reject) => {
    socket.once('close', () => reject(new Error('The connection was closed.')));
  });
}

export function portOf({ port, security }: Pick<Login, 'port' | 'security'>): number {
  return port ?? (security === 'IMPLICIT' ? 990 : 21);
}
