import { setTimeout as pause } from 'node:timers/promises';

/** Longer than the time limit after which a process is killed. */
const STOP_MS = 25_000;

/** A process or server that runs until it is stopped. */
export interface DemoProcess {
  stop(): Promise<unknown>;
  /** Stops immediately without waiting. Not needed for servers in this process. */
  kill?(): void;
  /** The error after an unexpected end. */
  error?(): Promise<Error | undefined>;
}

/** The processes and servers of the demo, which end together. */
export class DemoProcesses {
  private readonly running: DemoProcess[] = [];
  private stopping = false;

  /** Adds a process to those that are stopped together; stops it immediately when they have already been stopped. */
  add<T extends DemoProcess>(part: T): T {
    this.running.push(part);
    if (this.stopping) part.kill?.();
    return part;
  }

  /** The error of a process that ended unexpectedly, if any: other errors are likely to follow from it. */
  async error(): Promise<Error | undefined> {
    for (const part of this.running) {
      const error = await part.error?.();
      if (error) return error;
    }
    return undefined;
  }

  /**
   * Stops all in the order of their start, so that the service does not lose its client and mailbox while it runs. Rejects with
   * the first error after all have stopped.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    const errors: unknown[] = [];
    for (const part of this.running.splice(0)) {
      const limit = pause(STOP_MS, undefined, { ref: false });
      await Promise.race([part.stop(), limit]).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }

  kill(): void {
    this.stopping = true;
    for (const part of this.running) part.kill?.();
  }
}
