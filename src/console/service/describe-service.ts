import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { StateCount } from '../../connections/state/count-by-state';
import { RecentConnectionCounts } from '../../connections/state/recent-connection-counts';
import { FetchBacklog } from '../../fetches/history/fetch-backlog';
import { Clock } from '../../platform/clock/clock';
import { version } from '../../platform/config/version';
import { dateOrNull, sql } from '../../platform/database/sql';
import type { BacklogRow } from '../../platform/jobs/monitoring/backlog-gauge';
import { readQueueCounts } from '../../platform/jobs/monitoring/queue-counts';
import { readWorkers, type WorkerProcess } from '../../platform/observability/worker-heartbeat';
import { readUptimes } from '../../provisioning/circuit/worker-uptime';
import { DeliveryBacklog } from '../../provisioning/shared/delivery-backlog';
import type {
  BacklogKind,
  BacklogView,
  QueueView,
  ServiceStatusView,
  VersionsView,
  WorkersView,
  WorkerView,
} from './service.view';

/** `GET /v1/console/service`: the state of the whole installation. The cost of each query depends on the waiting work alone. */
@Injectable()
export class DescribeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly fetches: FetchBacklog,
    private readonly deliveries: DeliveryBacklog,
    private readonly connectionCounts: RecentConnectionCounts,
  ) {}

  async describe(): Promise<ServiceStatusView> {
    const em = this.em.fork();
    const running = await this.fetches.running(em);
    const counts = await this.connectionCounts.read();
    return {
      versions: await versions(em),
      workers: await this.workers(em, running.orphans),
      backlogs: await this.backlogs(em, running),
      queues: await queues(em),
      open_circuits: await this.deliveries.openCircuits(em),
      ...(counts && { overdue_connections: overdueOf(counts) }),
    };
  }

  private async backlogs(em: EntityManager, running: BacklogRow): Promise<BacklogView[]> {
    const now = this.clock.now();
    const view = (kind: BacklogKind, { n, seconds }: BacklogRow): BacklogView => ({
      kind,
      count: Number(n),
      oldest_since: seconds === null ? null : new Date(now.getTime() - Number(seconds) * 1000).toISOString(),
    });
    return [
      view('SCHEDULED_FETCHES', await this.fetches.dueConnections(em)),
      view('QUEUED_FETCHES', await this.fetches.queued(em)),
      view('RUNNING_FETCHES', running),
      view('DELIVERIES', await this.deliveries.due(em, false)),
      view('BLOCKED_DELIVERIES', await this.deliveries.due(em, true)),
      view('WEBHOOKS', await this.deliveries.waitingWebhooks(em)),
      view('EVENTS', await this.deliveries.waitingEvents(em)),
    ];
  }

  private async workers(em: EntityManager, abandoned: number): Promise<WorkersView> {
    const processes = await readWorkers(em, this.clock.now());
    const seen = [...processes.map(({ seenAt }) => seenAt), ...(await readUptimes(em)).map(({ to }) => to)];
    const last = seen.length > 0 ? Math.max(...seen.map((at) => at.getTime())) : null;
    return {
      running: processes.some(({ isAlive }) => isAlive),
      last_seen_at: last === null ? null : new Date(last).toISOString(),
      abandoned_fetches: abandoned,
      processes: processes.map(workerView),
    };
  }
}

const overdueOf = (counts: readonly StateCount[]): number =>
  counts.reduce((total, { isOverdue, n }) => total + (isOverdue ? n : 0), 0);

const workerView = (worker: WorkerProcess): WorkerView => ({
  worker_uuid: worker.workerUuid,
  host: worker.host,
  role: worker.role === 'all' ? 'ALL' : 'WORKER',
  version: worker.version,
  started_at: worker.startedAt.toISOString(),
  last_seen_at: worker.seenAt.toISOString(),
  running: worker.isAlive,
});

async function versions(em: EntityManager): Promise<VersionsView> {
  const [row] = await sql<{ database: string; schema: string }>(
    em,
    `select current_setting('server_version') as database, (select name from migration order by id desc limit 1) as schema`,
  );
  const { database, schema } = row!;
  return { service: version(), node: process.versions.node, database: database.split(' ')[0]!, schema };
}

async function queues(em: EntityManager): Promise<QueueView[]> {
  return (await readQueueCounts(em)).map((queue) => ({
    name: queue.name,
    queued: queue.queued_count,
    active: queue.active_count,
    failed: queue.failed_count,
    counted_at: dateOrNull(queue.counted_at)?.toISOString() ?? null,
  }));
}
