import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { ConnectionStatus } from '../../identities/connection-status';
import { Connection } from '../../connections/state/connection.entity';
import { recordStatusChange } from '../../connections/state/connection-change-log';
import { nextFetchTime } from '../../connections/state/next-fetch-time';
import { recordRecovery } from '../../connections/state/staleness-monitor';
import { Environment } from '../../identities/environments/environment.entity';
import { ProviderRateLimits } from '../../integrations/core/provider-rate-limits';
import { reasonCode } from '../../integrations/core/reason';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Outbox } from '../../platform/outbox/outbox';
import { ConnectionStopped } from '../../transactions/record/record-document';
import { CommitOutcome } from './commit-outcome';
import { type HeldOutcome, isNothingHeld, NOTHING, withHeld } from './held-outcome';
import type { LoadedFetch } from './reading/load-fetches';
import { backOffSeconds, classifyFailure, type NextStep } from './classify-failure';
import { FetchReport } from '../history/fetch-report';
import { Fetch } from '../history/fetch.entity';
import { countUsage, firstDayOf } from '../history/monthly-usage';

/** decisions 4: a provider's refusal is definitive once it is repeated at least this many seconds later. */
export const CONFIRM_SECONDS = 60;

/** Whether the user typed the server instead of choosing a known provider. */
const hasTypedServer = (settings: Readonly<Record<string, unknown>>): boolean =>
  ['host', 'url', 'endpoint'].some((id) => settings[id] !== undefined);

/** Ends a fetch and updates its connection according to the outcome. */
@Injectable()
export class FinishFetch {
  private readonly logger = new Logger(FinishFetch.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly commitOutcome: CommitOutcome,
    private readonly outbox: Outbox,
    private readonly fetchReport: FetchReport,
    private readonly rateLimits: ProviderRateLimits,
  ) {}

  /** `held` is committed with the end of the fetch. */
  async succeeded(fetch: LoadedFetch, held: HeldOutcome): Promise<void> {
    const { claim, connection, environment } = fetch;
    if (!isNothingHeld(held)) {
      const { uuid: connectionUuid, identityUuid, integrationId } = connection;
      const origin = { connectionUuid, identityUuid, integrationId, fetchUuid: claim.uuid, environment };
      const target = { origin, leaseToken: claim.leaseToken, startdate: connection.startdate ?? null };
      await this.commitOutcome.commit(target, withHeld(held, NOTHING));
    }
    return this.update(fetch, async (stored, row, em) => {
      const now = this.clock.now();
      row.finish(row.failed > 0 ? 'PARTIAL' : 'SUCCEEDED', now, environment.retentionClass);
      const dates = [stored.nextFetchAt, await this.nextRetry(em, row, environment)].filter((date) => date != null);
      const next =
        dates.length > 0 ? new Date(Math.min(...dates.map(Number))) : nextFetchTime(stored, now, environment);
      stored.fetchSucceeded(now, next);
    });
  }

  async failed(fetch: LoadedFetch, error: unknown): Promise<void> {
    if (error instanceof ConnectionStopped) {
      return this.update(fetch, (_, row) =>
        row.finish('CANCELLED', this.clock.now(), fetch.environment.retentionClass, 'CONNECTION_NOT_ACTIVE'),
      );
    }
    const next = classifyFailure(error, hasTypedServer(fetch.connection.settings));
    if (next.kind === 'wait' && next.wholeProvider) {
      await this.rateLimits.pause(fetch.connection.integrationId, next.seconds);
    }
    return this.update(fetch, (connection, row) => {
      const code = this.applyFailure(connection, fetch.environment, error, next);
      const status = row.new > 0 ? 'PARTIAL' : 'FAILED';
      row.finish(status, this.clock.now(), fetch.environment.retentionClass, code);
    });
  }

  /**
   * When failed documents are retried: sooner after fewer attempts, so that a brief failure of the source does not cost a day and a
   * broken document does not cause a fetch every few minutes. Null when there are none.
   */
  private async nextRetry(em: EntityManager, fetch: Fetch, environment: Environment): Promise<Date | null> {
    if (fetch.failed === 0) return null;
    const [row] = await sql<{ tries: number | null }>(
      em,
      `select min(tries)::int as tries from (
         select count(*) as tries from fetch_failure where connection_uuid = $1 group by dedupe_key having bool_or(open)) open`,
      [fetch.connectionUuid],
    );
    return row?.tries ? this.clock.in(backOffSeconds(row.tries, environment.fetchIntervalMinutes)) : null;
  }

  /** Records the failure in the connection and returns its code. */
  private applyFailure(connection: Connection, environment: Environment, error: unknown, next: NextStep): string {
    const now = this.clock.now();
    const interval = environment.fetchIntervalMinutes;
    switch (next.kind) {
      case 'credentials':
        if (!connection.credentialsRejected(next.reason, now, CONFIRM_SECONDS)) {
          connection.nextFetchAt = this.clock.in(CONFIRM_SECONDS);
        }
        return reasonCode(next.reason);
      case 'user':
        connection.fetchFailed(next.reason, now, nextFetchTime(connection, now, environment));
        return reasonCode(next.reason);
      case 'wait':
        connection.fetchFailed(next.reason, now, this.clock.in(Math.max(1, Math.min(next.seconds, 86_400))));
        return reasonCode(next.reason);
      case 'back-off': {
        if (next.log) this.logger[next.log](error, 'A fetch failed unexpectedly');
        connection.fetchFailed(
          next.reason,
          now,
          this.clock.in(backOffSeconds(connection.consecutiveFailures, interval)),
        );
        return reasonCode(next.reason);
      }
      default:
        // A failure of a single document, or a cursor refused twice: the source does not behave as documented.
        this.logger.warn(error, 'A fetch failed as a whole after an error that should concern only a part');
        connection.fetchFailed(
          'PROVIDER_CHANGED',
          now,
          this.clock.in(backOffSeconds(connection.consecutiveFailures, interval)),
        );
        return 'PROVIDER_CHANGED';
    }
  }

  /** Does nothing when the fetch, its lease or the connection no longer exists. */
  private async update(
    { claim }: LoadedFetch,
    change: (connection: Connection, fetch: Fetch, em: EntityManager) => unknown,
  ): Promise<void> {
    const { uuid, connectionUuid, environmentUuid, leaseToken, dueAt } = claim;
    await this.em.fork().transactional(async (em) => {
      const connection = await em.findOne(
        Connection,
        { uuid: connectionUuid, environmentUuid, leaseToken },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      const fetch = connection && (await em.findOne(Fetch, { uuid, retentionClass: 'UNFINISHED' }));
      if (!connection || !fetch) return;
      const before = connection.status;
      const { overdueSince } = connection;
      await change(connection, fetch, em);
      connection.endLease();
      connection.lastFetch = fetch.summary;
      this.fetchReport.ended(connection, fetch, dueAt);
      this.recordEvents(em, connection, fetch, before);
      if (connection.isActive) recordRecovery(em, this.outbox, connection, overdueSince);
      if (fetch.status !== 'CANCELLED') await this.countFetch(em, connection);
    });
  }

  /** Counts the fetch in the usage of the month, and the connection with its first fetch of the month. */
  private async countFetch(em: EntityManager, connection: Connection): Promise<void> {
    const now = this.clock.now();
    const month = firstDayOf(now);
    const isFirst = connection.countedMonth == null || connection.countedMonth < month;
    if (isFirst) connection.countedMonth = month;
    await em.flush();
    await countUsage(em, connection.environmentUuid, now, { fetches: 1, connections: isFirst ? 1 : 0 });
  }

  private recordEvents(em: EntityManager, connection: Connection, fetch: Fetch, before: ConnectionStatus): void {
    const { environmentUuid, uuid: subjectUuid } = connection;
    this.outbox.record(em, {
      environmentUuid,
      subjectUuid,
      type: 'fetch.finished',
      data: { fetch_uuid: fetch.uuid, status: fetch.status, error: fetch.errorCode ?? null },
    });
    recordStatusChange(em, this.outbox, connection, before, fetch.errorCode ?? null);
  }
}
