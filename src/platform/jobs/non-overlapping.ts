import type { Logger } from '@nestjs/common';
import { Mutex } from 'async-mutex';
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
  const mutex = new Mutex();
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
    if (!closed && !mutex.isLocked()) await mutex.runExclusive(once);
  };
  const close = () => {
    closed = true;
    return mutex.waitForUnlock();
  };
  return Object.assign(tick, { close });
}
