import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';

/** Upper limit of `Retry-After`, in seconds. */
export const MAX_RETRY_AFTER_SECONDS = 24 * 3600;

/** Schedule of retries of a document that was not delivered (decisions 6). */
@Injectable()
export class RetrySchedule {
  /** Seconds before each attempt, counted from the previous one. */
  private readonly intervals: readonly number[];

  constructor(settings: Settings) {
    this.intervals = settings.pushRetrySchedule;
  }

  /**
   * Returns the seconds until the attempt after the given one (1 for the first), or null after the last. Each is
   * extended by up to 10 %, so that a client that recovers does not receive everything at once; its `Retry-After`, in
   * seconds, is respected.
   */
  secondsUntilNext(attempt: number, retryAfterSeconds: number | null, random = Math.random()): number | null {
    const planned = this.intervals[attempt];
    if (planned === undefined) return null;
    const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
    return Math.max(planned, asked) * (1 + 0.1 * random);
  }
}
