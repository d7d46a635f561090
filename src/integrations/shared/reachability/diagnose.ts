import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Network } from '../../../platform/network/network';
import type { UnreachableCode } from '../../core/reason';
import { Unreachable, unreachableCode } from './unreachable-code';

/** Milliseconds; tests shorten them. In total well below the ten seconds of a live check. */
export const DIAGNOSIS_LIMITS = {
  /** After this time without a login the server is probed on a second connection. */
  afterMs: 2_500,
  greetingMs: 1_500,
  tlsMs: 2_000,
};

/** A server whose protocol starts with a plain-text greeting. */
export interface GreetingServer {
  readonly network: Network;
  readonly host: string;
  readonly port: number;
  /** For messages: `IMAP host:port`. */
  readonly what: string;
  /** The greeting of the expected protocol. */
  readonly greeting: RegExp;
  /** The code for a server that expects TLS instead of greeting. */
  readonly ifTls: 'TLS_REQUIRED' | 'WRONG_PROTOCOL';
}

type DialTarget = Pick<GreetingServer, 'network' | 'host' | 'port'>;

/**
 * Resolves as `connecting`, unless a probe finds that the server speaks another protocol or expects TLS: to a client that waits for
 * a greeting both appear as silence and would be reported as `TIMED_OUT`. The probe sends nothing but a TLS handshake.
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

/** Reports a failed TLS handshake with a server of another protocol as `WRONG_PROTOCOL`; returns other errors unchanged. */
export async function refineTlsFailure(error: unknown, server: GreetingServer, signal: AbortSignal): Promise<unknown> {
  if (unreachableCode(error) !== 'TLS_NOT_SUPPORTED') return error;
  const greeting = await firstBytes(server, signal);
  return greeting === '' || server.greeting.test(greeting) ? error : unreachable(server, 'WRONG_PROTOCOL');
}

/** The reason why a server closed the connection before greeting; `error` when the probe finds none. */
export async function refineEarlyEnd(error: unknown, server: GreetingServer, signal: AbortSignal): Promise<unknown> {
  if (unreachableCode(error) !== null) return error;
  const code = await probe(server, signal).catch(() => null);
  return code ? unreachable(server, code) : error;
}

type Diagnosis = Extract<UnreachableCode, 'WRONG_PROTOCOL' | 'TLS_REQUIRED'>;

const unreachable = ({ what }: GreetingServer, code: Diagnosis): Unreachable =>
  new Unreachable(`${what}: the server ${code === 'TLS_REQUIRED' ? 'expects TLS' : 'speaks another protocol'}.`, code);

/** Rejects with the diagnosis; never settles without one. */
function diagnosis(server: GreetingServer, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    diagnoseLater(server, signal).then(
      (code) => code && reject(unreachable(server, code)),
      () => undefined, // a failed probe is inconclusive; the first connection has its own error
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

/** What the server sends unprompted, at most one packet. Empty when it sends nothing in time. */
function firstBytes(server: GreetingServer, signal: AbortSignal): Promise<string> {
  return withSocket(server, signal, async (socket, limit) => {
    const [bytes] = (await once(socket, 'data', { signal: limit(DIAGNOSIS_LIMITS.greetingMs) })) as [Buffer];
    return bytes.toString('latin1');
  }).catch(() => '');
}

/** Whether the server speaks TLS. Sends nothing but a handshake. */
export function beginsTls(server: DialTarget, signal: AbortSignal): Promise<boolean> {
  return withSocket(server, signal, async (socket, limit) => {
    // The certificate is not verified, because no data is sent.
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
