import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { hostname } from 'node:os';
import { v7 as uuid } from 'uuid';
import { Clock } from '../clock/clock';
import { Settings } from '../config/settings';
import { version } from '../config/version';
import { sql } from '../database/sql';
import { Recurring } from '../jobs/recurring-work';

const INTERVAL_MS = 30_000;
/** A worker that has missed a heartbeat does not run any more, or cannot use the database. */
const ALIVE_SECONDS = 60;
/** For this long a worker that was killed is still listed. */
const RETENTION_SECONDS = 3_600;
/** Bounds the list when workers crash and restart all the time. */
const MAX_LISTED = 100;

export interface WorkerProcess {
  readonly workerUuid: string;
  /** The name of its machine or container. */
  readonly host: string;
  readonly role: 'all' | 'worker';
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly isAlive: boolean;
}

/** Records that this worker runs, from its start until it shuts down. */
@Injectable()
export class WorkerHeartbeat implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WorkerHeartbeat.name);
  private readonly workerUuid = uuid();
  private readonly version = version();
  private readonly startedAt: Date;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {
    this.startedAt = clock.now();
  }

  @Recurring({ everyMs: INTERVAL_MS, atStart: true, failure: 'The heartbeat of this worker could not be recorded' })
  async beat(): Promise<void> {
    await sql(
      this.em.fork(),
      `with silent as (delete from worker_heartbeat where seen_at < $6::timestamptz - make_interval(secs => ${RETENTION_SECONDS}))
       insert into worker_heartbeat (worker_uuid, host, role, version, started_at, seen_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (worker_uuid) do update set seen_at = excluded.seen_at`,
      [this.workerUuid, hostname(), this.settings.role, this.version, this.startedAt, this.clock.now()],
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.settings.runsWorker) return;
    try {
      await sql(this.em.fork(), 'delete from worker_heartbeat where worker_uuid = $1', [this.workerUuid]);
    } catch (error) {
      this.logger.warn(error, 'The heartbeat of this worker could not be removed: it is shown as silent for an hour');
    }
  }
}

/** The workers of the installation, those that were seen last first. */
export async function readWorkers(em: EntityManager, now: Date): Promise<WorkerProcess[]> {
  const rows = await sql<{
    worker_uuid: string;
    host: string;
    role: WorkerProcess['role'];
    version: string;
    started_at: string;
    seen_at: string;
  }>(em, `select * from worker_heartbeat order by seen_at desc, worker_uuid limit ${MAX_LISTED}`);
  return rows.map((row) => ({
    workerUuid: row.worker_uuid,
    host: row.host,
    role: row.role,
    version: row.version,
    startedAt: new Date(row.started_at),
    seenAt: new Date(row.seen_at),
    isAlive: now.getTime() - Date.parse(row.seen_at) < ALIVE_SECONDS * 1000,
  }));
}
