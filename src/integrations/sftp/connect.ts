import { addAbortListener } from 'node:events';
import { type AuthenticationType, Client, type NextAuthHandler, type ParsedKey, type SFTPWrapper } from 'ssh2';
import type { Network } from '../../platform/network/network';
import { type GreetingServer, refineEarlyEnd, withDiagnosis } from '../shared/reachability/diagnose';
import type { ServerTrust } from '../core/server-trust';
import { HostKeyNotTrusted, InvalidCredentials } from '../core/source-errors';
import { describeKey, fingerprintOf, hostKeyAlgorithms } from './keys/host-key';
import { freePackets, patchBuffers, reusedBufferSocket } from '../../platform/buffers/ssh2-buffers';
import { readPrivateKey } from './keys/private-key';
import { classifyConnecting } from './sftp-errors';

/** The time limit from the first packet to the end of the login. */
const LOGIN_TIMEOUT_MS = 30_000;
/** A connection that is silent for three times this interval counts as dead. */
const KEEP_ALIVE_MS = 30_000;

/** RFC 4253 section 4.2: other lines may precede it. */
const GREETING = /^SSH-/m;

export interface Login {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly privateKey?: string;
  readonly passphrase?: string;
}

export interface SshSession {
  readonly client: Client;
  readonly sftp: SFTPWrapper;
}

/**
 * Opens a logged-in SFTP connection. The network guard creates the socket to a checked address. The server has to present the key
 * that the user has accepted (decisions 2); no secret is sent before.
 * Throws `AddressNotAllowed`, `HostKeyNotTrusted`, `InvalidCredentials`, `Transient`, or the signal's reason.
 */
export async function connect(
  login: Login,
  network: Network,
  trust: ServerTrust,
  signal: AbortSignal,
): Promise<SshSession> {
  signal.throwIfAborted();
  const what = `SFTP ${login.host}:${login.port}`;
  const key = login.privateKey === undefined ? undefined : await readPrivateKey(login.privateKey, login.passphrase);
  const server = { network, host: login.host, port: login.port, what };
  const greetingServer: GreetingServer = { ...server, greeting: GREETING, ifTls: 'WRONG_PROTOCOL' };
  const client = new Client();
  // The pending requests detect a connection that breaks later; an unhandled event would end the process.
  client.on('error', () => undefined);
  let presentedKey: string | undefined;
  const trusted = trust.trustedFingerprintOf(login);
  try {
    const sock = await network.connect(login.host, login.port, signal, reusedBufferSocket);
    // Requests are small packets that wait for responses: with Nagle's algorithm a file takes twenty times as long.
    sock.setNoDelay(true).on('error', () => undefined);
    client.once('close', () => sock.destroy());
    const aborting = addAbortListener(signal, () => void client.destroy());
    client.once('close', () => aborting[Symbol.dispose]());
    patchBuffers(client, sock);
    const ready = new Promise<void>((resolve, reject) => {
      client.once('ready', resolve).once('error', reject);
      client.once('close', () => reject(new Error('The connection was closed.')));
      // RFC 4252 section 8: the password is right but expired. ssh2 waits for a new one, which only the user can set.
      client.once('change password', () => reject(new InvalidCredentials(`${what}: the password has expired.`)));
    });
    ready.catch(() => undefined); // thrown at its await
    client.connect({
      sock,
      username: login.user,
      readyTimeout: LOGIN_TIMEOUT_MS,
      keepaliveInterval: KEEP_ALIVE_MS,
      algorithms: { serverHostKey: hostKeyAlgorithms(trusted), compress: ['none'] },
      hostVerifier: (key: Buffer) => {
        presentedKey = describeKey(key);
        return trusted !== undefined && isSameKey(presentedKey, trusted);
      },
      authHandler: methods(login, key),
    });
    await withDiagnosis(ready, greetingServer, signal);
    const sftp = await subsystem(client);
    freePackets(sftp);
    if (presentedKey !== undefined) trust.confirm(presentedKey);
    return { client, sftp };
  } catch (error) {
    client.destroy();
    signal.throwIfAborted();
    if (presentedKey !== undefined && (trusted === undefined || !isSameKey(presentedKey, trusted))) {
      throw notTrusted(what, presentedKey, trusted, error);
    }
    const failure = classifyConnecting(error, what);
    throw presentedKey === undefined ? await refineEarlyEnd(failure, greetingServer, signal) : failure;
  }
}

/** Compares the fingerprints only, because the one that a user accepts has no key type. */
const isSameKey = (one: string, other: string): boolean => fingerprintOf(one) === fingerprintOf(other);

function notTrusted(
  what: string,
  presentedKey: string,
  trusted: string | undefined,
  cause: unknown,
): HostKeyNotTrusted {
  const fingerprint = fingerprintOf(presentedKey);
  if (trusted === undefined) {
    return new HostKeyNotTrusted(`${what} presents ${presentedKey}.`, 'HOST_KEY_UNKNOWN', fingerprint, { cause });
  }
  return new HostKeyNotTrusted(
    `${what} presents ${presentedKey} instead of ${trusted}.`,
    'HOST_KEY_CHANGED',
    fingerprint,
    {
      cause,
    },
  );
}

/** Ends the authentication attempts of ssh2; missing in its types. */
const NO_MORE = false as never;

/** Makes one attempt with the user's credentials, by a method that the server offers: a second attempt would count as another wrong password. */
function methods({ user: username, password = '' }: Login, key: ParsedKey | undefined) {
  let attempted = false;
  return (offered: AuthenticationType[] | null, _partly: boolean | null, next: NextAuthHandler): void => {
    if (offered === null) return next('none');
    if (attempted) return next(NO_MORE);
    attempted = true;
    if (key) return next(offered.includes('publickey') ? { type: 'publickey', username, key } : NO_MORE);
    if (offered.includes('password')) return next({ type: 'password', username, password });
    if (!offered.includes('keyboard-interactive')) return next(NO_MORE);
    next({
      type: 'keyboard-interactive',
      username,
      // Many servers request the password only in this way.
      prompt: (_name, _instructions, _lang, prompts, answer) =>
        answer(prompts.map(({ echo }) => (echo ? '' : password))),
    });
  };
}

function subsystem(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.once('close', () => reject(new Error('The connection was closed.')));
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp)));
  });
}
