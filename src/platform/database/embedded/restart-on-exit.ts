import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresServer } from './start-server';

/** So long it waits before it starts the server again, twice as long each time, in milliseconds. */
const FIRST_MS = 1_000;
const MOST_MS = 30_000;

/**
 * A server that is started again when it has ended by itself, as on a full disk or when the machine had no memory left, until
 * it runs or is stopped. On the same port: who uses it knows no other. `again` starts it there, or throws why it cannot.
 */
export function restartOnExit(
  first: PostgresServer,
  again: (port: number) => Promise<PostgresServer>,
  say: (line: string) => void,
): PostgresServer {
  const { port } = first;
  const stopping = new AbortController();
  let server = first;

  const restarted = async (): Promise<PostgresServer | null> => {
    let told = false;
    for (let wait = FIRST_MS; ; wait = Math.min(2 * wait, MOST_MS)) {
      await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return null;
      try {
        const next = await again(port);
        say('PostgreSQL runs again.');
        return next;
      } catch (error) {
        if (!told) say(`${(error as Error).message}\nIt is tried again until it runs.`);
        told = true;
      }
    }
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      const next = stopping.signal.aborted ? null : await restarted();
      if (!next) return;
      server = next;
      if (stopping.signal.aborted) await server.stop(); // it was being started at that moment
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
