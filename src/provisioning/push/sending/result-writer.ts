import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../../platform/availability/database-unavailable';
import { ErrorThrottle } from '../../../platform/jobs/error-throttle';
import { PushLimits } from '../../shared/push-limits';
import type { DueTransaction } from '../read-due';
import { RejectedResults } from './rejected-results';

const MIN_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 1_000;

/** SQLSTATE classes of errors after which a retry may succeed: serialization, resources, state, operator, system. */
const TRANSIENT_SQLSTATE = /^(40|53|55|57|58)/;
/** Retries while the database is available, within some seconds. */
const MAX_TRANSIENT_RETRIES = 10;

/**
 * Keeps results of attempts that cannot be written to the database and writes them as soon as possible, so that a
 * document that was answered with 200 is not sent again while this process lives (decisions 6). Nothing is sent while
 * the database is unavailable: there are never more such results than there were requests in flight when it became
 * unavailable.
 */
@Injectable()
export class ResultWriter {
  private readonly logger = new Logger(ResultWriter.name);
  private readonly failures = new ErrorThrottle((error) =>
    this.logger.error(error, 'Results of pushes cannot be written: they are kept, and no more are sent'),
  );
  /** Pending while the latest attempt to write a result has failed. */
  private unavailable: PromiseWithResolvers<void> | null = null;

  constructor(
    private readonly limits: PushLimits,
    readonly rejected: RejectedResults,
  ) {}

  /** Resolves when results can be written, as far as is known, or when the process shuts down without. */
  async waitUntilWritable(): Promise<void> {
    while (this.unavailable) await this.unavailable.promise;
  }

  /**
   * Retries `write` until it succeeds, and returns its result. `write` must be idempotent: a commit whose confirmation
   * is lost is repeated. An error that a retry does not resolve is passed to `rejected`; then the result is true, to
   * stop sending to the endpoint. `cut` is aborted when the process shuts down: from then on it is retried for
   * `PushLimits.writeGraceMs`.
   * @throws the error of `write` when the time at shutdown is over (the log names the document)
   */
  async write(sent: DueTransaction, write: () => Promise<boolean>, cut: AbortSignal): Promise<boolean> {
    let giveUpAt = Infinity;
    let repetitions = 0;
    for (let wait = MIN_BACKOFF_MS; ; wait = Math.min(2 * wait, MAX_BACKOFF_MS)) {
      try {
        const written = await write();
        this.markAvailable();
        return written;
      } catch (error) {
        const away = isDatabaseUnavailable(error);
        if (!away && !(isTransientDatabaseError(error) && repetitions++ < MAX_TRANSIENT_RETRIES)) {
          this.markAvailable();
          this.rejected.add(sent, write, error);
          return true;
        }
        if (cut.aborted) giveUpAt = Math.min(giveUpAt, performance.now() + this.limits.writeGraceMs);
        if (performance.now() >= giveUpAt) {
          this.logger.error(
            { transaction_uuid: sent.uuid },
            'The result of a push is lost: it could not be written before the process ends, and the document will be sent again',
          );
          this.resume();
          throw error;
        }
        if (away) {
          this.failures.failed(error);
          this.unavailable ??= Promise.withResolvers();
        }
        await Promise.race([pause(wait), ...(this.unavailable ? [this.unavailable.promise] : [])]);
      }
    }
  }

  private markAvailable(): void {
    this.failures.succeeded();
    this.resume();
  }

  /** Wakes all waiters: pending writes are retried at once, and sending continues. */
  private resume(): void {
    this.unavailable?.resolve();
    this.unavailable = null;
  }
}

function isTransientDatabaseError(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && TRANSIENT_SQLSTATE.test(code);
}
