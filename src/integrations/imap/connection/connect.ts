import { addAbortListener } from 'node:events';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ImapFlow } from 'imapflow';
import { withTimeout } from '../../../platform/concurrency/cancellation';
import type { Destination, Network } from '../../../platform/network/network';
import { type GreetingServer, refineTlsFailure, withDiagnosis } from '../../shared/reachability/diagnose';
import { Unreachable } from '../../shared/reachability/unreachable-code';
import { type CertificateCheck, withCertificateCheck } from '../../shared/trust/certificate-check';
import type { ServerTrust } from '../../core/server-trust';
import { classify } from './imap-errors';
import type { MailServer } from './mail-server';
import { shortenLogin } from './short-login';
import { TlsSessions } from './tls-sessions';
import { disableLogTexts } from './unlogged-imapflow';

/** The time limit of TCP and TLS together, and of the greeting. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The time limit from the first packet to the end of the login. */
const LOGIN_TIMEOUT_MS = 30_000;
/** A connection without a byte for this time during a command counts as dead. */
const SILENCE_TIMEOUT_MS = 120_000;
/** Servers that ignore partial fetches send the whole part; larger literals are rejected, to limit memory. */
const MAX_LITERAL_BYTES = 128 * 1024 * 1024;

disableLogTexts();
const tlsSessions = new TlsSessions();

/** RFC 9051 section 7.1. */
const GREETING = /^\* (OK|PREAUTH|BYE)\b/i;

export interface Login {
  readonly server: MailServer;
  readonly user: string;
  readonly password: string;
}

/**
 * Opens a logged-in connection. The network guard resolves and checks the name, and the connection is made to the checked address.
 * TLS is verified against the name or the certificate that the user has accepted, also after STARTTLS. A session is resumed only
 * with a server that was verified against its name. Aborting closes the connection.
 * Throws `AddressNotAllowed`, `CertificateInvalid`, `InvalidCredentials`, `Transient`, or the signal's reason.
 */
export function connect(login: Login, network: Network, trust: ServerTrust, signal: AbortSignal): Promise<ImapFlow> {
  return withCertificateCheck(trust, login.server, (check) => open(login, network, signal, check));
}

async function open(
  login: Login,
  network: Network,
  signal: AbortSignal,
  check: CertificateCheck | undefined,
): Promise<ImapFlow> {
  signal.throwIfAborted();
  const { host, port, security } = login.server;
  const what = `IMAP ${host}:${port}`;
  const destination = await resolve(network, host, signal, what);
  const auth = credentials(login, check);
  const client = new ImapFlow({
    host: destination.address,
    port,
    secure: security === 'TLS',
    // An IP address has no server name: the certificate is verified against the address.
    ...(isIP(destination.servername) ? {} : { servername: destination.servername }),
    // true: no login without TLS; false: TLS is not even tried.
    ...(security === 'TLS' ? {} : { doSTARTTLS: security === 'STARTTLS' }),
    tls: check ? { rejectUnauthorized: false } : tlsSessions.options(login.server), // decided by `check`
    auth,
    logger: false,
    disableAutoIdle: true,
    disableAutoEnable: true,
    // Base64 hardly compresses, and decompressing costs more than a fast connection gains.
    disableCompression: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: 2 * MAX_LITERAL_BYTES,
    maxLockHoldTime: false,
  });
  // The next command detects a connection that breaks between commands; an unhandled event would end the process.
  client.on('error', () => undefined);
  onSecured(client, (socket) => (check ? check.verify(socket) : tlsSessions.watch(login.server, socket)));
  shortenLogin(client, () => `\0${auth.user}\0${auth.pass}`);
  const close = (): void => client.close();
  const aborting = addAbortListener(signal, close);
  client.once('close', () => aborting[Symbol.dispose]());
  const late = addAbortListener(AbortSignal.timeout(LOGIN_TIMEOUT_MS), close);
  const greetingServer: GreetingServer = { network, host, port, what, greeting: GREETING, ifTls: 'TLS_REQUIRED' };
  try {
    const connecting = client.connect();
    await (security === 'TLS' ? connecting : withDiagnosis(connecting, greetingServer, signal));
  } catch (error) {
    const isLoginDisabled = client.capabilities.has('LOGINDISABLED');
    client.close();
    tlsSessions.forget(login.server);
    signal.throwIfAborted();
    const failure = classify(error, what, { isEncrypted: security !== 'NONE', isLoginDisabled });
    throw await refineTlsFailure(failure, greetingServer, signal);
  } finally {
    late[Symbol.dispose]();
  }
  // LSUB reports unsubscribed parents of subscribed folders as `\Noselect` (RFC 3501 section 6.3.9), even the
  // inbox, and imapflow would apply that.
  Object.assign(client, { skipLsub: true });
  return client;
}

/** With a check, the password is available only after the certificate was verified. */
function credentials({ user, password }: Login, check: CertificateCheck | undefined): { user: string; pass: string } {
  if (!check) return { user, pass: password };
  return {
    user,
    get pass() {
      return check.release(password);
    },
  };
}

/** An internal method of imapflow, called for each socket when it is connected or secured, before anything is written. */
interface Configuring {
  configureSocket(socket: unknown): void;
}

/** Calls `handle` with each secured socket before anything is written to it. */
function onSecured(client: ImapFlow, handle: (socket: TLSSocket) => void): void {
  const configuring = client as unknown as Configuring;
  const configure = configuring.configureSocket.bind(client);
  configuring.configureSocket = (socket) => {
    if (socket instanceof TLSSocket) handle(socket);
    configure(socket);
  };
}

async function resolve(network: Network, host: string, signal: AbortSignal, what: string): Promise<Destination> {
  const timedOut = () => new Unreachable(`${what}: the host name was not resolved in time.`, 'TIMED_OUT');
  try {
    return await withTimeout(CONNECT_TIMEOUT_MS, timedOut, () => network.resolve(host), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw classify(error, what);
  }
}
