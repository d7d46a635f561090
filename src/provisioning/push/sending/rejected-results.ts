import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { databaseIsAway } from '../../../platform/availability/database-is-away';
import { oneAtATime } from '../../../platform/jobs/one-at-a-time';
import { PushLimits } from '../../shared/push-limits';
import type { DueTransaction } from '../read-due';

interface RejectedResult {
  readonly environmentUuid: string;
  /** Writes the result; it is idempotent. */
  readonly write: () => Promise<unknown>;
}

/**
 * Results of pushes that the database refuses although it answers, for a constraint or a column that is missing. Such a
 * document does not leave again from this process (decisions 6). Its result is tried again every minute, until it is written
 * or the transaction is deleted.
 */
@Injectable()
export class RejectedResults implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RejectedResults.name);
  private readonly results = new Map<string, RejectedResult>();
  private readonly retryOnce = oneAtATime(() => this.retry(), this.logger, 'Refused results could not be tried again');

  constructor(private readonly limits: PushLimits) {}

  /** Logs it once, without the values of the statement, which hold what the client answered. */
  add({ uuid, environmentUuid }: DueTransaction, write: () => Promise<unknown>, error: unknown): void {
    if (!this.results.has(uuid)) {
      this.logger.error(
        `The database refuses the result of the push of transaction ${uuid} (${describeError(error)}): this process does not send the document again`,
      );
    }
    this.results.set(uuid, { environmentUuid, write });
  }

  /** The transactions that must not be sent, of all environments or of one. */
  transactionUuids(environmentUuid?: string): string[] {
    const found = [...this.results].filter(([, one]) => !environmentUuid || one.environmentUuid === environmentUuid);
    return found.map(([uuid]) => uuid);
  }

  /** Whether nothing more may be sent for an environment: what it sends would only add to these. */
  isFull(environmentUuid: string): boolean {
    return this.results.size > 0 && this.transactionUuids(environmentUuid).length >= this.limits.maxRejectedResults;
  }

  @Interval(60_000)
  async tick(): Promise<void> {
    await this.retryOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.retryOnce.close();
  }

  /** Tries to write each of them once. */
  async retry(): Promise<void> {
    for (const [uuid, { write }] of [...this.results]) {
      try {
        await write();
        this.results.delete(uuid);
      } catch (error) {
        if (databaseIsAway(error)) return;
      }
    }
  }
}

/** The SQLSTATE, or the kind of an error without one. */
function describeError(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? `SQLSTATE ${code}` : String(name);
}
