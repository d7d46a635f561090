import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { uuidAt } from '../../platform/history/history-partitions';
import { translateDeliveryError } from '../../transactions/feed/translate-delivery-error';
import { readCircuit } from '../circuit/circuit-breaker';
import { Endpoint } from '../circuit/endpoint.entity';
import { maskedTarget } from '../shared/client-auth';
import { deliveryError } from '../shared/delivery-error';
import type { EndpointView, FailedAttemptView, LatencyView, MinuteView } from './endpoint.view';

const PERIOD_MS = 3_600_000;
/** So that counting costs the same however many wait. */
const MAX_WAITING = 100_000;

/** SQL: read from the index of due documents. */
export const WAITING = `
  select count(*)::int as waiting from (
    select from transaction where environment_uuid = $1 and due_at is not null limit ${MAX_WAITING}) due`;

/** SQL: both are read from the index of the delivery log by environment alone. */
export const MINUTES = `
  select date_bin('1 minute', uuid_extract_timestamp(uuid), timestamptz 'epoch') as minute,
    (count(*) filter (where error_code is null))::int as ok, (count(*) filter (where error_code is not null))::int as failed
  from delivery_attempt where environment_uuid = $1 and uuid >= $2 group by 1 order by 1`;
export const LATENCY = `
  select percentile_disc(0.5) within group (order by duration_ms) as p50_ms,
    percentile_disc(0.95) within group (order by duration_ms) as p95_ms
  from delivery_attempt where environment_uuid = $1 and uuid >= $2`;

/** SQL: read from the index of attempts that have failed. */
export const LAST_FAILURES = `
  select transaction_uuid, started_at, status, error_code from delivery_attempt
  where environment_uuid = $1 and error_code is not null order by uuid desc limit 10`;

/** `GET /v1/console/endpoint` (decisions 10): how documents reach the client, and how its endpoint answers. */
@Injectable()
export class DescribeEndpoint {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async describe(environmentUuid: string): Promise<EndpointView> {
    const em = this.em.fork();
    const now = this.clock.now();
    const { strategy, provisioningUrl, clientAuth } = await em.findOneOrFail(Environment, environmentUuid);
    const { circuit, failingSince } = await readCircuit(em, environmentUuid, now);
    const openUntil = (await em.findOne(Endpoint, environmentUuid))?.circuitOpenUntil ?? null;
    const period = [environmentUuid, uuidAt(now.getTime() - PERIOD_MS)];
    const [due] = await sql<{ waiting: number }>(em, WAITING, [environmentUuid]);
    return {
      strategy,
      url: provisioningUrl == null ? null : maskedTarget(provisioningUrl, clientAuth).url.href,
      auth: clientAuth,
      circuit,
      failing_since: failingSince?.toISOString() ?? null,
      next_trial_at: openUntil && openUntil > now ? openUntil.toISOString() : null,
      waiting: due!.waiting,
      minutes: (await sql<MinuteView>(em, MINUTES, period)).map((row) => ({
        ...row,
        minute: new Date(row.minute).toISOString(),
      })),
      latency: latencyOf((await sql<LatencyRow>(em, LATENCY, period))[0]),
      last_failures: (await sql<FailureRow>(em, LAST_FAILURES, [environmentUuid])).map(failureView),
    };
  }
}

interface LatencyRow {
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

const latencyOf = (row: LatencyRow | undefined): LatencyView | null =>
  row?.p50_ms == null || row.p95_ms == null ? null : { p50_ms: row.p50_ms, p95_ms: row.p95_ms };

interface FailureRow {
  readonly transaction_uuid: string;
  readonly started_at: string;
  readonly status: number | null;
  readonly error_code: string;
}

function failureView({ transaction_uuid, started_at, status, error_code }: FailureRow): FailedAttemptView {
  const error = deliveryError(error_code, status);
  return {
    transaction_uuid,
    started_at: new Date(started_at).toISOString(),
    status,
    error: { code: error.code, message: translateDeliveryError(error) },
  };
}
