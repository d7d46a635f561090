import { addAbortListener } from 'node:events';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ImapFlow } from 'imapflow';
import { withTimeout } from '../../../platform/concurrency/cancellation';
import type { Destination, Network } from '../../../platform/network/network';
import { type GreetingServer, refineTlsFailure, withDiagnosis } from '../../shared/reachability/diagnose';
import { Unreachable } from '../../shared/reachability/unreachable-code';
import { type CertificateCheck, withCertificateCheck } from '../../shared/trust/certificate-check';
import type { Session } from '../../core/integration';
import type { ServerTrust } from '../../core/server-trust';
import { InvalidCredentials, NewTokenRefused, type SourceError, UnexpectedResponse } from '../../core/source-errors';
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
  /** A password, or with OAuth the session's access tokens. */
  readonly secret: { readonly password: string } | { readonly accessToken: Session['accessToken'] };
}

/** What one connection logs in with. */
type Secret = { readonly pass: string } | { readonly accessToken: string };

/**
 * Opens a logged-in connection. With OAuth (RFC 7628, or Google's and Microsoft's XOAUTH2), a refused access token is renewed once.
 * The network guard resolves and checks the name, and the connection is made to the checked address.
 * TLS is verified against the name or the certificate that the user has accepted, also after STARTTLS. A session is resumed only
 * with a server that was verified against its name. Aborting closes the connection.
 * Throws `AddressNotAllowed`, `AuthorizationRevoked`, `CertificateInvalid`, `InvalidCredentials`, `Transient`, or the signal's reason.
 */
export async function connect(
  { server, user, secret }: Login,
  network: Network,
  trust: ServerTrust,
  signal: AbortSignal,
): Promise<ImapFlow> {
  const logIn = (given: Secret) =>
    withCertificateCheck(trust, server, (check) => open({ server, user, secret: given }, network, signal, check));
  if ('password' in secret) return logIn({ pass: secret.password });
  const accessToken = await secret.accessToken();
  const refused = await logIn({ accessToken }).catch((error: unknown) => asRefusal(error));
  if (!(refused instanceof InvalidCredentials)) return refused;
  // It may have expired or been withdrawn, which servers do not tell apart from a mailbox that the user must not read.
  const renewed = await secret.accessToken(accessToken).catch((error: unknown) => {
    throw error instanceof NewTokenRefused ? noAccess(refused) : error;
  });
  return logIn({ accessToken: renewed }).catch((error: unknown) => {
    throw noAccess(asRefusal(error));
  });
}

/** @throws errors of other kinds */
function asRefusal(error: unknown): InvalidCredentials {
  if (error instanceof InvalidCredentials) return error;
  throw error;
}

/** The authorization is valid, but not for this mailbox, unless the server says something more exact. */
export function noAccess(cause: SourceError): InvalidCredentials {
  const isExact = cause instanceof InvalidCredentials && cause.reason !== 'LOGIN_REJECTED';
  const reason = isExact ? cause.reason : 'LOGIN_REJECTED_NO_ACCESS';
  return new InvalidCredentials(`${cause.message} The access token is new.`, { reason, field: 'user', cause });
}

async function open(
  login: Omit<Login, 'secret'> & { readonly secret: Secret },
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
  shortenLogin(client, () => ('pass' in auth ? `\0${auth.user}\0${auth.pass}` : ''));
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
    const isOAuthMissing = 'accessToken' in login.secret && isReady(client) && !offersOAuth(client);
    client.close();
    tlsSessions.forget(login.server);
    signal.throwIfAborted();
    if (isOAuthMissing) throw new UnexpectedResponse(`${what}: the server accepts no access tokens.`);
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

const offersOAuth = ({ capabilities }: ImapFlow): boolean =>
  ['AUTH=OAUTHBEARER', 'AUTH=XOAUTH2'].some((mechanism) => capabilities.has(mechanism));

/** Whether the server has listed its capabilities, encrypted if that is required. */
const isReady = ({ capabilities, secureConnection }: ImapFlow): boolean => capabilities.size > 0 && secureConnection;

/** With a check, the secret is available only after the certificate was verified. */
function credentials<S extends Secret>(
  { user, secret }: { readonly user: string; readonly secret: S },
  check: CertificateCheck | undefined,
): { user: string } & S {
  if (!check) return { user, ...secret };
  const [[name, value]] = Object.entries(secret) as [[string, string]];
  return Object.defineProperty({ user }, name, { enumerable: true, get: () => check.release(value) }) as {
    user: string;
  } & S;
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
