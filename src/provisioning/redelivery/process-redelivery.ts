import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Settings } from '../../platform/config/settings';
import { sql } from '../../platform/database/sql';
import { Jobs } from '../../platform/jobs/jobs';
import { Recurring } from '../../platform/jobs/recurring-work';
import { hasNoJob } from '../../platform/jobs/job-queries';
import { readNextMatching } from './matching-transactions';
import { Redelivery } from './redelivery.entity';
import { ResetDelivery } from './reset-delivery';

/** Transactions that one short database transaction schedules. */
const BATCH = 1_000;
/** Such batches that a redelivery's turn takes, a second or two; then it goes to the end of the line. */
const BATCHES_PER_TIME_SLICE = 10;
/** Redeliveries that one process carries out at the same time; of one client there is one at a time. */
const MAX_CONCURRENT_REDELIVERIES = 2;
const MAX_PER_ENVIRONMENT = 1;

/**
 * The job "carry out redelivery Z": batch by batch along the uuids, so that every transaction is met at most once. Clients
 * take turns (ADR 11): a turn ends after a few batches, and the calendar makes the job for the next one.
 */
@Injectable()
export class ProcessRedelivery implements OnApplicationBootstrap {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly resetDelivery: ResetDelivery,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.runsWorker) return;
    this.jobs.work('redeliver', MAX_CONCURRENT_REDELIVERIES, (uuid, signal) => this.process(uuid, signal), {
      perGroup: MAX_PER_ENVIRONMENT,
    });
  }

  /** Goes on where it, or another worker, stopped, until all is done or its turn is over. */
  async process(uuid: string, signal: AbortSignal): Promise<void> {
    for (let batches = 0; batches < BATCHES_PER_TIME_SLICE && !signal.aborted; batches++) {
      if (await this.em.fork().transactional((em) => this.processBatch(em, uuid))) return;
    }
  }

  /** Answers whether that was all. */
  private async processBatch(em: EntityManager, uuid: string): Promise<boolean> {
    const wish = await em.findOne(Redelivery, { uuid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!wish || wish.finishedAt != null) return true; // its connection was deleted, or another worker was faster
    const uuids = await readNextMatching(em, wish, BATCH);
    await this.resetDelivery.reset(em, uuids, { only: wish.status, bulk: true });
    wish.after = uuids.at(-1) ?? wish.after;
    if (uuids.length < BATCH) wish.finishedAt = this.clock.now();
    return uuids.length < BATCH;
  }

  /** Those whose turn was over, or whose job was cut short by the end of its process or by an error. */
  @Recurring({ everyMs: 500, failure: 'Open redeliveries could not be read' })
  async poll(): Promise<void> {
    const found = await this.em.fork().transactional(async (em) => {
      const open = await sql<{ uuid: string; environment_uuid: string }>(
        em,
        `select uuid, environment_uuid from redelivery r where finished_at is null and ${hasNoJob('redeliver', 'r.uuid')} limit 100`,
      );
      await this.jobs.enqueue(
        em,
        'redeliver',
        open.map((wish) => ({ key: wish.uuid, group: wish.environment_uuid })),
      );
      return open.length;
    });
    if (found > 0) this.jobs.wake('redeliver');
  }
}
