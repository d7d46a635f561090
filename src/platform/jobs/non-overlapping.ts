import type { Logger } from '@nestjs/common';
import { ErrorThrottle } from './error-throttle';

/** A task for a timer that never overlaps with itself. */
export interface NonOverlappingTask {
  (): Promise<void>;
  /** Starts no further run and resolves when the current one has ended. Call it before the database closes. */
  close(): Promise<void>;
}

/**
 * Wraps a task of a timer: a tick during a run is skipped, and a failure is logged and retried at the next tick. Equal
 * consecutive failures are logged once a minute.
 */
export function nonOverlapping(task: () => Promise<unknown>, logger: Logger, failure: string): NonOverlappingTask {
  let running: Promise<void> | null = null;
  let closed = false;
  const failures = new ErrorThrottle((error) => logger.error(error, failure));
  const once = async () => {
    try {
      await task();
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  };
  const tick = async () => {
    if (running || closed) return;
    running = once();
    await running;
    running = null;
  };
  const close = async () => {
    closed = true;
    await running;
  };
  return Object.assign(tick, { close });
}
