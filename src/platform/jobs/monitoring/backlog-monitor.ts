import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../clock/clock';
import { Settings } from '../../config/settings';
import { sql } from '../../database/sql';
import { nonOverlapping } from '../non-overlapping';

/** What is due begins within seconds; when it has waited for so long, something is wrong. */
export const LATE_SECONDS = 60;
/** While it goes on, the log says so again after this. */
const REMIND_SECONDS = 300;

/** For how long the oldest piece of due work of one kind has waited, in seconds; 0 when none does. */
export type BacklogAge = (em: EntityManager) => Promise<number>;

/** The watchdog of the queues: says in the log when due work has waited for more than a minute, and when that is over. */
@Injectable()
export class BacklogMonitor implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BacklogMonitor.name);
  private readonly lookOnce = nonOverlapping(() => this.look(), this.logger, 'Late work could not be looked for');
  private readonly watched = new Map<string, BacklogAge>();
  /** When it was last told of what is late. */
  private readonly toldAt = new Map<string, number>();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Call once per kind of work, when the application starts. */
  watch(kind: string, watched: BacklogAge): void {
    this.watched.set(kind, watched);
  }

  @Interval(10_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.lookOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.lookOnce.close();
  }

  /** Of the instances that look at the same time, one does. */
  async look(): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const [lock] = await sql<{ mine: boolean }>(
        em,
        `select pg_try_advisory_xact_lock(hashtext('late-work')) as mine`,
      );
      if (!lock!.mine) return;
      for (const [kind, watched] of this.watched) this.tell(kind, await watched(em));
    });
  }

  private tell(kind: string, seconds: number): void {
    const told = this.toldAt.get(kind);
    if (seconds <= LATE_SECONDS) {
      if (told !== undefined) this.logger.log(`Due ${kind} begin in time again`);
      this.toldAt.delete(kind);
      return;
    }
    const now = this.clock.now().getTime();
    if (told !== undefined && now - told < REMIND_SECONDS * 1000) return;
    this.toldAt.set(kind, now);
    this.logger.warn(`Due ${kind} have been waiting for up to ${Math.round(seconds)} s`);
  }
}
