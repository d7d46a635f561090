import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../platform/config/settings';
import { sql } from '../../platform/database/sql';
import { nonOverlapping } from '../../platform/jobs/non-overlapping';
import { Metrics } from '../../platform/metrics/metrics';
import { MetricsCollector } from '../../platform/jobs/monitoring/metrics-collector';

/** There are far fewer kinds of connections than this: it is worth folding. */
const ROWS_TO_FOLD = 500;

/**
 * How many connections there are of each kind. Triggers write down every change (`connection_tally`), so that nobody has to
 * count millions; this folds what they wrote, and shows it.
 */
@Injectable()
export class TallyConnections implements BeforeApplicationShutdown {
  private readonly logger = new Logger(TallyConnections.name);
  private readonly foldOnce = nonOverlapping(
    () => this.fold(),
    this.logger,
    'The tally of connections could not be folded',
  );
  private readonly connections;
  private readonly overdue;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    metrics: Metrics,
    observations: MetricsCollector,
  ) {
    this.connections = metrics.systemGauge('docfetch_connections', 'Connections by integration, status and health.', [
      'integration',
      'status',
      'health',
    ]);
    this.overdue = metrics.systemGauge(
      'docfetch_connections_overdue',
      'Active connections for which no fetch has succeeded for three intervals.',
      ['integration'],
    );
    observations.add((em) => this.observe(em));
  }

  @Interval(10_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.foldOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.foldOnce.close();
  }

  /** Any number of instances may call it at once; one does it. */
  async fold(): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const [lock] = await sql<{ mine: boolean }>(
        em,
        `select pg_try_advisory_xact_lock(hashtext('connection_tally')) and count(*) > ${ROWS_TO_FOLD} as mine
         from (select from connection_tally limit ${ROWS_TO_FOLD + 1}) t`,
      );
      if (!lock!.mine) return;
      await sql(
        em,
        `with folded as (delete from connection_tally returning *)
         insert into connection_tally
           select integration_id, status, health, overdue, sum(n) from folded group by 1, 2, 3, 4 having sum(n) <> 0`,
      );
    });
  }

  private async observe(em: EntityManager): Promise<void> {
    const rows = await sql<Tally>(
      em,
      `select integration_id as integration, status, health, sum(n)::int as n,
         (sum(n) filter (where overdue))::int as overdue
       from connection_tally group by 1, 2, 3`,
    );
    this.connections.reset();
    this.overdue.reset();
    for (const { integration, status, health, n, overdue } of rows) {
      if (n !== 0) this.connections.set({ integration, status, health }, n);
      this.overdue.inc({ integration }, overdue ?? 0);
    }
  }
}

interface Tally {
  readonly integration: string;
  readonly status: string;
  readonly health: string;
  readonly n: number;
  readonly overdue: number | null;
}
