import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../clock/clock';
import { sql } from '../../database/sql';
import { Recurring } from '../recurring-work';

/** Due work normally starts within seconds; waiting for longer than this indicates a problem. */
export const LATE_SECONDS = 60;
/** The interval of repeated warnings while the backlog persists. */
const REMIND_SECONDS = 300;

/** The age of the oldest waiting work of one kind, in seconds; 0 when none is waiting. */
export type BacklogAge = (em: EntityManager) => Promise<number>;

/** Logs a warning when due work has waited for more than a minute, and a message when the backlog is gone. */
@Injectable()
export class BacklogMonitor {
  private readonly logger = new Logger(BacklogMonitor.name);
  private readonly watched = new Map<string, BacklogAge>();
  /** The time of the last warning per kind. */
  private readonly warnedAt = new Map<string, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Call once per kind of work, when the application starts. */
  watch(kind: string, watched: BacklogAge): void {
    this.watched.set(kind, watched);
  }

  /** Only one of several instances checks at the same time. */
  @Recurring({ everyMs: 10_000, failure: 'The backlog could not be checked' })
  async check(): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const [lock] = await sql<{ mine: boolean }>(
        em,
        `select pg_try_advisory_xact_lock(hashtext('backlog-monitor')) as mine`,
      );
      if (!lock!.mine) return;
      for (const [kind, watched] of this.watched) this.report(kind, await watched(em));
    });
  }

  private report(kind: string, seconds: number): void {
    const warned = this.warnedAt.get(kind);
    if (seconds <= LATE_SECONDS) {
      if (warned !== undefined) this.logger.log({ kind }, 'Due work starts in time again');
      this.warnedAt.delete(kind);
      return;
    }
    const now = this.clock.now().getTime();
    if (warned !== undefined && now - warned < REMIND_SECONDS * 1000) return;
    this.warnedAt.set(kind, now);
    this.logger.warn({ kind, seconds: Math.round(seconds) }, 'Due work is waiting');
  }
}
