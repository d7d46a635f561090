import { Injectable } from '@nestjs/common';
import { countByState, MAX_COUNT_WAIT_MS, type StateCount } from '../../connections/state/count-by-state';
import { countFetchesByHour } from '../../fetches/history/count-fetches-by-hour';
import { Clock } from '../../platform/clock/clock';
import { CostlyReads } from '../../platform/concurrency/costly-reads';
import type { HourCounts } from '../../platform/history/hour-counts';
import { ReadReplica } from '../../platform/replica/read-replica';
import { countAttemptsByHour } from '../../provisioning/shared/count-attempts-by-hour';
import { HourlyActivity } from './hourly-activity';
import type { HourView, OverviewConnections, OverviewView } from './overview.view';
import { readAttention } from './read-attention';

/** `GET /v1/console/overview` (decisions 10): the state of an environment. Reads whose cost grows with the environment are repeated less often. */
@Injectable()
export class DescribeOverview {
  private readonly counts = new CostlyReads<StateCount[]>();
  private readonly fetches = new HourlyActivity();
  private readonly deliveries = new HourlyActivity();

  constructor(
    private readonly replica: ReadReplica,
    private readonly clock: Clock,
  ) {}

  async describe(environmentUuid: string): Promise<OverviewView> {
    const now = this.clock.now();
    const counted = await this.counts.getWithin(MAX_COUNT_WAIT_MS, environmentUuid, now, () =>
      this.replica.read((em) => countByState(em, environmentUuid)),
    );
    const fetches = await this.fetches.read(environmentUuid, now, (from, to) =>
      this.replica.read((em) => countFetchesByHour(em, environmentUuid, from, to)),
    );
    const deliveries = await this.deliveries.read(environmentUuid, now, (from, to) =>
      this.replica.read((em) => countAttemptsByHour(em, environmentUuid, from, to)),
    );
    return {
      ...(counted && { connections: connectionsView(counted.value, counted.readAt) }),
      fetches: fetches.map(hourView),
      deliveries: deliveries.map(hourView),
      attention: await this.replica.read((em) => readAttention(em, environmentUuid, now)),
    };
  }
}

const hourView = ({ hour, ok, failed }: HourCounts): HourView => ({ hour: new Date(hour).toISOString(), ok, failed });

function connectionsView(counts: readonly StateCount[], countedAt: Date): OverviewConnections {
  const sumBy = <Name extends string>(nameOf: (count: StateCount) => Name): Partial<Record<Name, number>> => {
    const sums: Partial<Record<Name, number>> = {};
    for (const count of counts) sums[nameOf(count)] = (sums[nameOf(count)] ?? 0) + count.n;
    return sums;
  };
  return {
    total: counts.reduce((sum, { n }) => sum + n, 0),
    by_status: sumBy(({ status }) => status),
    by_health: sumBy(({ health }) => health),
    counted_at: countedAt.toISOString(),
  };
}
