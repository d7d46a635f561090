import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Network } from '../../../platform/network/network';
import type { UnreachableCode } from '../../core/source-errors';
import { Unreachable, unreachableCode } from './unreachable-code';

/** Milliseconds; tests shorten them. All together stay well below the ten seconds of a live check. */
export const DIAGNOSIS_LIMITS = {
  /** A server that has not let us in by then is looked at a second time, on a connection of its own. */
  afterMs: 2_500,
  greetingMs: 1_500,
  tlsMs: 2_000,
};

/** A server whose protocol begins with a greeting in plain text. */
export interface GreetingServer {
  readonly network: Network;
  readonly host: string;
  readonly port: number;
  /** For messages: `IMAP host:port`. */
  readonly what: string;
  /** What the greeting of the right protocol looks like. */
  readonly greeting: RegExp;
  /** What it means that the server waits for TLS instead of greeting. */
  readonly ifTls: 'TLS_REQUIRED' | 'WRONG_PROTOCOL';
}

type DialTarget = Pick<GreetingServer, 'network' | 'host' | 'port'>;

/**
 * `connecting`, unless the server proves meanwhile to speak another protocol, or to wait for TLS: both look like silence to a
 * client that waits for a greeting, and would be told as `TIMED_OUT`. Nothing is sent but the beginning of TLS.
 * @throws Unreachable (`WRONG_PROTOCOL`, `TLS_REQUIRED`), or what `connecting` throws
 */
export async function withDiagnosis<T>(
  connecting: Promise<T>,
  server: GreetingServer,
  signal: AbortSignal,
): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([connecting, diagnosis(server, AbortSignal.any([signal, ended.signal]))]);
  } finally {
    ended.abort();
  }
}

/** The failed beginning of TLS with a server that greets in another protocol is `WRONG_PROTOCOL`; every other error stays. */
export async function refineTlsFailure(error: unknown, server: GreetingServer, signal: AbortSignal): Promise<unknown> {
  if (unreachableCode(error) !== 'TLS_NOT_SUPPORTED') return error;
  const greeting = await firstBytes(server, signal);
  return greeting === '' || server.greeting.test(greeting) ? error : unreachable(server, 'WRONG_PROTOCOL');
}

/** Why a server ended the connection before it had greeted; `error` when it cannot be found out. */
export async function refineEarlyEnd(error: unknown, server: GreetingServer, signal: AbortSignal): Promise<unknown> {
  if (unreachableCode(error) !== null) return error;
  const code = await probe(server, signal).catch(() => null);
  return code ? unreachable(server, code) : error;
}

type Diagnosis = Extract<UnreachableCode, 'WRONG_PROTOCOL' | 'TLS_REQUIRED'>;

const unreachable = ({ what }: GreetingServer, code: Diagnosis): Unreachable =>
  new Unreachable(
    `${what}: the server ${code === 'TLS_REQUIRED' ? 'waits for TLS' : 'speaks another protocol'}.`,
    code,
  );

/** Rejects with what it finds out; never settles when it finds nothing. */
function diagnosis(server: GreetingServer, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    diagnoseLater(server, signal).then(
      (code) => code && reject(unreachable(server, code)),
      () => undefined, // a second look that fails says nothing; the first connection has an error of its own
    );
  });
}

async function diagnoseLater(server: GreetingServer, signal: AbortSignal): Promise<Diagnosis | null> {
  await pause(DIAGNOSIS_LIMITS.afterMs, undefined, { signal });
  return probe(server, signal);
}

async function probe(server: GreetingServer, signal: AbortSignal): Promise<Diagnosis | null> {
  const greeting = await firstBytes(server, signal);
  if (greeting !== '') return server.greeting.test(greeting) ? null : 'WRONG_PROTOCOL';
  return (await beginsTls(server, signal)) ? server.ifTls : null;
}

/** What the server says by itself, at most one packet. Empty when it says nothing in time. */
function firstBytes(server: GreetingServer, signal: AbortSignal): Promise<string> {
  return withSocket(server, signal, async (socket, limit) => {
    const [bytes] = (await once(socket, 'data', { signal: limit(DIAGNOSIS_LIMITS.greetingMs) })) as [Buffer];
    return bytes.toString('latin1');
  }).catch(() => '');
}

/** Whether the server speaks TLS. Nothing is sent but its beginning. */
export function beginsTls(server: DialTarget, signal: AbortSignal): Promise<boolean> {
  return withSocket(server, signal, async (socket, limit) => {
    // Whether the certificate is good does not matter here: nothing is sent.
    const tls = connectTls({ socket, rejectUnauthorized: false }).on('error', () => undefined);
    await once(tls, 'secureConnect', { signal: limit(DIAGNOSIS_LIMITS.tlsMs) });
    return true;
  }).catch(() => false);
}

async function withSocket<T>(
  { network, host, port }: DialTarget,
  signal: AbortSignal,
  use: (socket: Socket, limit: (ms: number) => AbortSignal) => Promise<T>,
): Promise<T> {
  const socket = await network.connect(host, port, signal);
  socket.on('error', () => undefined);
  try {
    return await use(socket, (ms) => AbortSignal.any([signal, AbortSignal.timeout(ms)]));
  } finally {
    socket.destroy();
  }
}
