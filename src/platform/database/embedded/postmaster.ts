import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandOf } from './process-table';

const POLL_MS = 20;
/** The watchdog of a killed owner needs a moment; only after this time is PostgreSQL asked to stop from here. */
const FAST_SHUTDOWN_AFTER_MS = 1_000;
/** A shutdown that takes longer is replaced by an immediate one; the next start runs crash recovery. */
const IMMEDIATE_SHUTDOWN_AFTER_MS = 40_000;
const GIVE_UP_AFTER_MS = 60_000;

/** PostgreSQL's main process, as described by postmaster.pid. */
export interface Postmaster {
  readonly pid: number;
  /** 0 until it listens. */
  readonly port: number;
  readonly ready: boolean;
}

/**
 * The postmaster that runs on the data directory, null when none does. A postmaster.pid whose pid now belongs to another
 * program is removed, because PostgreSQL would refuse to start.
 */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const file = join(data, 'postmaster.pid');
  let lines: string[];
  try {
    lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!(pid > 0)) return null;
  const command = commandOf(pid)?.concat(' ') ?? null;
  if (command === null) return null;
  // The watchdog's shell has the same arguments in its command line.
  if (!command.includes(`postgres -D ${data} `) || command.startsWith('/bin/sh')) {
    await unlink(file);
    return null;
  }
  return { pid, port: Number(lines[3]) || 0, ready: lines[7] === 'ready' };
}

/**
 * Waits until no postmaster runs on the data directory. If it does not stop automatically (its owner and its watchdog
 * were killed), it is shut down from here. Throws when it still runs after a minute.
 */
export async function waitForExit(data: string): Promise<void> {
  const started = performance.now();
  const signals: [number, NodeJS.Signals][] = [
    [FAST_SHUTDOWN_AFTER_MS, 'SIGINT'],
    [IMMEDIATE_SHUTDOWN_AFTER_MS, 'SIGQUIT'],
  ];
  for (let found = await findPostmaster(data); found !== null; found = await findPostmaster(data)) {
    const waited = performance.now() - started;
    const next = signals[0];
    if (next && waited > next[0]) {
      signals.shift();
      signal(found.pid, next[1]);
    }
    if (waited > GIVE_UP_AFTER_MS) throw new Error(`PostgreSQL (process ${found.pid}) on ${data} does not stop.`);
    await pause(POLL_MS);
  }
}

/** Sends a signal to a process that may have exited already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
