import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../../platform/availability/database-unavailable';
import { everyProcess, Recurring } from '../../../platform/jobs/recurring-work';
import { PushLimits } from '../../shared/push-limits';
import type { DueTransaction } from '../read-due';

interface RejectedResult {
  readonly environmentUuid: string;
  /** Writes the result; idempotent. */
  readonly write: () => Promise<unknown>;
}

/**
 * Results of pushes that the database rejects although it is available, for example because of a constraint or a
 * missing column. This process does not send such a document again (decisions 6). The write is retried every minute
 * until it succeeds or the transaction is deleted.
 */
@Injectable()
export class RejectedResults {
  private readonly logger = new Logger(RejectedResults.name);
  private readonly results = new Map<string, RejectedResult>();

  constructor(private readonly limits: PushLimits) {}

  /** Logs it once, without the values of the statement, which contain the client's response. */
  add({ uuid, environmentUuid }: DueTransaction, write: () => Promise<unknown>, error: unknown): void {
    if (!this.results.has(uuid)) {
      this.logger.error(
        { transaction_uuid: uuid, error: describeError(error) },
        'The database rejects the result of a push: this process does not send the document again',
      );
    }
    this.results.set(uuid, { environmentUuid, write });
  }

  /** The transactions that must not be sent, of all environments or of one. */
  transactionUuids(environmentUuid?: string): string[] {
    const found = [...this.results].filter(([, one]) => !environmentUuid || one.environmentUuid === environmentUuid);
    return found.map(([uuid]) => uuid);
  }

  /** True when nothing more may be sent for an environment: further results would only be rejected too. */
  isFull(environmentUuid: string): boolean {
    return this.results.size > 0 && this.transactionUuids(environmentUuid).length >= this.limits.maxRejectedResults;
  }

  /** Retries each of them once. */
  @Recurring({ everyMs: 60_000, failure: 'Rejected results could not be retried', runsIn: everyProcess })
  async retry(): Promise<void> {
    for (const [uuid, { write }] of [...this.results]) {
      try {
        await write();
        this.results.delete(uuid);
      } catch (error) {
        if (isDatabaseUnavailable(error)) return;
      }
    }
  }
}

/** The SQLSTATE, or the name of an error without one. */
function describeError(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? `SQLSTATE ${code}` : String(name);
}
