import type { Socket } from 'node:net';
import { type AuthenticationType, Client, type NextAuthHandler, type ParsedKey, type SFTPWrapper } from 'ssh2';
import type { Network } from '../../platform/network/network';
import { type GreetingServer, refineEarlyEnd, withDiagnosis } from '../shared/reachability/diagnose';
import type { ServerTrust } from '../core/server-trust';
import { HostKeyNotTrusted, InvalidCredentials } from '../core/source-errors';
import { describeKey, fingerprintOf, hostKeyAlgorithms } from './keys/host-key';
import { freePackets, patchBuffers, reusedBufferSocket } from './ssh2-buffer-patch';
import { readPrivateKey } from './keys/private-key';
import { classifyConnecting } from './sftp-errors';

/** From the first packet to the end of the login. */
const LOGIN_TIMEOUT_MS = 30_000;
/** A line that is silent for three times as long is dead. */
const KEEP_ALIVE_MS = 30_000;

/** RFC 4253 section 4.2: other lines may come before. */
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
  /** Under both. */
  readonly sock: Socket;
}

/**
 * Opens a logged-in SFTP connection. The network guard makes the socket, so the address is a checked one. The server has to show
 * the key that the user accepted (decisions 2); nothing secret is sent before that is certain.
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
  // A connection that breaks later is noticed by whoever waits for an answer; unheard it would end the process.
  client.on('error', () => undefined);
  let shown: string | undefined;
  const trusted = trust.trustedFingerprintOf(login);
  const abort = (): void => void client.destroy();
  try {
    const sock = await network.connect(login.host, login.port, signal, reusedBufferSocket);
    // Requests are small packets that wait for answers: with Nagle's delay a file takes twenty times as long.
    sock.setNoDelay(true).on('error', () => undefined);
    client.once('close', () => sock.destroy());
    signal.addEventListener('abort', abort, { once: true });
    client.once('close', () => signal.removeEventListener('abort', abort));
    patchBuffers(client, sock);
    const ready = new Promise<void>((resolve, reject) => {
      client.once('ready', resolve).once('error', reject);
      client.once('close', () => reject(new Error('The connection was closed.')));
      // RFC 4252 section 8: the password is right and no longer good. ssh2 waits for a new one, which is the user's to choose.
      client.once('change password', () => reject(new InvalidCredentials(`${what}: the password has expired.`)));
    });
    ready.catch(() => undefined); // thrown at its await
    client.connect({
      sock,
      username: login.user,
      readyTimeout: LOGIN_TIMEOUT_MS,
      keepaliveInterval: KEEP_ALIVE_MS,
      algorithms: { serverHostKey: hostKeyAlgorithms(trusted), compress: ['none'] },
      hostVerifier: (presented: Buffer) => {
        shown = describeKey(presented);
        return trusted !== undefined && isSameKey(shown, trusted);
      },
      authHandler: methods(login, key),
    });
    await withDiagnosis(ready, greetingServer, signal);
    const sftp = await subsystem(client);
    freePackets(sftp);
    if (shown !== undefined) trust.confirm(shown);
    return { client, sftp, sock };
  } catch (error) {
    client.destroy();
    signal.throwIfAborted();
    if (shown !== undefined && (trusted === undefined || !isSameKey(shown, trusted))) {
      throw notTrusted(what, shown, trusted, error);
    }
    const failure = classifyConnecting(error, what);
    throw shown === undefined ? await refineEarlyEnd(failure, greetingServer, signal) : failure;
  }
}

/** The same key, however it was described: the fingerprint that a user accepts has no type. */
const isSameKey = (one: string, other: string): boolean => fingerprintOf(one) === fingerprintOf(other);

function notTrusted(what: string, shown: string, trusted: string | undefined, cause: unknown): HostKeyNotTrusted {
  const fingerprint = fingerprintOf(shown);
  if (trusted === undefined) {
    return new HostKeyNotTrusted(`${what} shows ${shown}.`, 'HOST_KEY_UNKNOWN', fingerprint, { cause });
  }
  return new HostKeyNotTrusted(`${what} shows ${shown} instead of ${trusted}.`, 'HOST_KEY_CHANGED', fingerprint, {
    cause,
  });
}

/** What ssh2 takes for an end of all attempts; its types do not know it. */
const NO_MORE = false as never;

/** One attempt with what the user gave, by the method that the server offers: a second one would be a second wrong password. */
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
      // Many servers ask for the password this way only.
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
