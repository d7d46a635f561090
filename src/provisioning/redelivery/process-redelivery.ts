import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { isServed } from '../../identities/environments/is-served';
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
/** Batches of one time slice, which takes a second or two; then the redelivery is queued after the others. */
const BATCHES_PER_TIME_SLICE = 10;
/** Redeliveries that one process executes at the same time; at most one per environment. */
const MAX_CONCURRENT_REDELIVERIES = 2;
const MAX_PER_ENVIRONMENT = 1;

/**
 * Handles the job `redeliver`: resets the matching transactions in batches, in the order of their uuids, so that each is
 * reset at most once. Environments share the workers fairly (ADR 11): a time slice ends after a few batches, and `poll`
 * enqueues the job of the next one.
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

  /** Continues where this or another worker stopped, until the redelivery is finished or its time slice is over. */
  async process(uuid: string, signal: AbortSignal): Promise<void> {
    for (let batches = 0; batches < BATCHES_PER_TIME_SLICE && !signal.aborted; batches++) {
      if (await this.em.fork().transactional((em) => this.processBatch(em, uuid))) return;
    }
  }

  /** Returns whether the redelivery is finished. */
  private async processBatch(em: EntityManager, uuid: string): Promise<boolean> {
    const redelivery = await em.findOne(Redelivery, { uuid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!redelivery || redelivery.finishedAt != null) return true; // its connection was deleted, or another worker was faster
    const { fence } = await em.findOneOrFail(Environment, redelivery.environmentUuid);
    if (fence) return true; // continued where the environment is activated
    const uuids = await readNextMatching(em, redelivery, BATCH);
    const { status: only, traceparent: cause } = redelivery;
    await this.resetDelivery.reset(em, uuids, { only: only ?? null, lowPriority: true, cause: cause ?? null });
    redelivery.processed += uuids.length;
    const isFinished = uuids.length < BATCH;
    // decisions 4: nothing of a deleted connection remains, so a finished redelivery names no transaction.
    redelivery.lastTransactionUuid = isFinished ? null : uuids.at(-1)!;
    if (isFinished) redelivery.finishedAt = this.clock.now();
    if (isFinished) redelivery.transactionUuids = null;
    return isFinished;
  }

  /** Enqueues jobs for unfinished redeliveries: their time slice was over, or their process ended, or the job failed. */
  @Recurring({ everyMs: 500, failure: 'Open redeliveries could not be read' })
  async poll(): Promise<void> {
    const open = await sql<{ uuid: string; environment_uuid: string }>(
      this.em.fork(),
      `select uuid, environment_uuid from redelivery r where finished_at is null and ${isServed('r.environment_uuid')} and ${hasNoJob('redeliver', 'r.uuid')} limit 100`,
    );
    if (open.length === 0) return;
    const jobs = open.map(({ uuid, environment_uuid: group }) => ({ key: uuid, group }));
    await this.em.fork().transactional((em) => this.jobs.enqueue(em, 'redeliver', jobs));
    this.jobs.wake('redeliver');
  }
}
