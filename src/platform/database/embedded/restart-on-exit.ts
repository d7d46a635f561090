import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from './start-server';

/** Milliseconds before the first restart; the delay doubles after each failure, up to the maximum. */
const FIRST_MS = 1_000;
const MOST_MS = 30_000;

/**
 * A server that is restarted on the same port when it exits unexpectedly (disk full, out of memory), until it runs or is
 * stopped. `restart` starts it on the given port, or throws the reason why it cannot.
 */
export function restartOnExit(
  first: PostgresServer,
  restart: (port: number) => Promise<PostgresServer>,
  print: (line: string) => void,
): PostgresServer {
  const { port } = first;
  const stopping = new AbortController();
  let server = first;

  const restarted = async (): Promise<PostgresServer | null> => {
    let isReported = false;
    for (let wait = FIRST_MS; ; wait = Math.min(2 * wait, MOST_MS)) {
      await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return null;
      try {
        const next = await restart(port);
        print('PostgreSQL runs again.');
        return next;
      } catch (error) {
        if (!isReported) print(`${(error as Error).message}\nIt is tried again until it runs.`);
        isReported = true;
      }
    }
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      const next = stopping.signal.aborted ? null : await restarted();
      if (!next) return;
      server = next;
      if (stopping.signal.aborted) await server.stop(); // it was starting during the stop
    }
  };
  const ended = watch();

  return {
    port,
    ended,
    async stop() {
      stopping.abort();
      await server.stop();
      await ended;
    },
  };
}
