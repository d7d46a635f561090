import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../../concurrency/cancellation';
import { spawnOptions } from './account';
import type { Binaries } from './binaries';
import type { ClusterFolder } from './cluster-folder';
import { findPostmaster, signal } from './postmaster';

const POLL_MS = 20;
const TRIES = 20;
const RETRY_MS = 500;
const SLOW_START_MS = 10_000;
const SLOW_STOP_MS = 60_000;
const LOG_LIMIT_BYTES = 5_000_000;

/**
 * Runs a command and stops it (SIGINT: PostgreSQL's fast shutdown) when its own stdin closes, which happens however this
 * process dies. Background jobs get /dev/null as stdin, so the pipe is kept as fd 3. They also ignore SIGINT until they install
 * a handler: SIGTERM ends a PostgreSQL that is in its first milliseconds.
 */
const WATCHDOG = `
exec 3<&0 </dev/null
"$@" 3<&- &
p=$!
(while read -r _ <&3; do :; done; kill -TERM $p; kill -INT $p) 2>/dev/null &
w=$!
exec 3<&-
trap "" INT TERM HUP
wait $p
s=$?
kill $w 2>/dev/null
wait $w
exit $s`;

/** A PostgreSQL server that this process started. */
export interface PostgresServer {
  readonly port: number;
  /** Resolves when PostgreSQL has exited for any reason. */
  readonly ended: Promise<void>;
  /** Shuts down cleanly and resolves when PostgreSQL has exited; may be called again. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on 127.0.0.1, on the port of `settings` or else a free one, and resolves when it accepts connections, crash
 * recovery included.
 * Throws with the last lines of its log when it does not start.
 */
export async function startServer(
  home: ClusterFolder,
  binaries: Binaries,
  settings: Record<string, string>,
  print: (line: string) => void,
): Promise<PostgresServer> {
  await rotateLog(home.log);
  for (let attempt = 1; ; attempt++) {
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
    const log = await open(home.log, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      // Root may start a cluster that a user has created and will start again.
      if (home.account) await log.chown(home.account.uid, home.account.gid);
      const before = (await log.stat()).size;
      const port = Number(settings.port) || (await freePort());
      const server = await tryStartServer(home, binaries, { ...settings, port: String(port) }, log, print);
      if (server) return { port, ...server };
      const output = await readFrom(home.log, before);
      // The port was taken in the meantime, or processes of a killed predecessor still hold its shared memory.
      const isTransient = /Address already in use|shared memory block|lock file "postmaster.pid" already exists/.test(
        output,
      );
      if (!isTransient || attempt === TRIES)
        throw new Error(`PostgreSQL does not start in ${home.folder}: ${output.trim()}`);
    } finally {
      await log.close();
    }
    await pause(RETRY_MS);
  }
}

async function tryStartServer(
  home: ClusterFolder,
  binaries: Binaries,
  settings: Record<string, string>,
  log: FileHandle,
  print: (line: string) => void,
): Promise<Omit<PostgresServer, 'port'> | null> {
  const all = { ...settings, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', binaries.postgres, '-D', home.data, ...args], {
    ...spawnOptions(home.account),
    // A separate session: Ctrl-C in the terminal reaches only the service, which then stops PostgreSQL.
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  });
  const lifeline = child.stdin as Socket;
  lifeline.on('error', () => undefined);
  let state: 'starting' | 'running' | 'stopping' | 'ended' = 'starting';
  const ended = once(child, 'exit').then(([status]) => {
    if (state === 'running') print(`PostgreSQL has stopped unexpectedly (status ${status}), see ${home.log}.`);
    state = 'ended';
  });
  const hasEnded = (): boolean => state === 'ended';
  const started = performance.now();
  let isReported = false;
  while (!(await findPostmaster(home.data))?.ready) {
    await Promise.race([ended, pause(POLL_MS)]);
    if (hasEnded()) return null;
    if (!isReported && performance.now() - started > SLOW_START_MS) {
      isReported = true;
      print('PostgreSQL is still starting; after a crash it first repairs itself.');
    }
  }
  state = 'running';
  // A process without other work may exit without stop(): the watchdog then stops PostgreSQL.
  child.unref();
  lifeline.unref();
  return {
    ended,
    async stop() {
      if (hasEnded()) return;
      state = 'stopping';
      child.ref();
      lifeline.end();
      await abortable(ended, AbortSignal.timeout(SLOW_STOP_MS)).catch(() => shutDownImmediately(home));
      await ended;
    },
  };
}

/** Immediate shutdown: committed data is kept, and the next start runs crash recovery. */
async function shutDownImmediately(home: ClusterFolder): Promise<void> {
  const postmaster = await findPostmaster(home.data);
  if (postmaster) signal(postmaster.pid, 'SIGQUIT');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function rotateLog(log: string): Promise<void> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(log, `${log}.1`);
}

async function readFrom(log: string, position: number): Promise<string> {
  const handle = await open(log, 'r');
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - position)), { position });
    return buffer.toString('utf8', 0, bytesRead).split('\n').slice(-12).join('\n');
  } finally {
    await handle.close();
  }
}
