import type { Logger } from '@nestjs/common';
import { ErrorThrottle } from './error-throttle';

/** What a timer calls. */
export interface NonOverlappingTask {
  (): Promise<void>;
  /** Begins no further look; resolves when the one under way has ended. Call it before the database closes. */
  close(): Promise<void>;
}

/**
 * Wraps what a timer calls: a look that takes longer than the interval is not overtaken by the next one, and one that
 * fails is tried again at the next tick, and logged: once a minute while it fails alike.
 */
export function nonOverlapping(look: () => Promise<unknown>, logger: Logger, failure: string): NonOverlappingTask {
  let looking: Promise<void> | null = null;
  let closed = false;
  const failures = new ErrorThrottle((error) => logger.error(error, failure));
  const once = async () => {
    try {
      await look();
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  };
  const tick = async () => {
    if (looking || closed) return;
    looking = once();
    await looking;
    looking = null;
  };
  const close = async () => {
    closed = true;
    await looking;
  };
  return Object.assign(tick, { close });
}
