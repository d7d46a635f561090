import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { ReadReplica } from '../../platform/replica/read-replica';
import { USAGE_SUMS, usageOf, type UsageSums } from '../history/monthly-usage';
import { eachMonth, monthsOf, type UsageQuery } from './usage.dto';
import type { EnvironmentUsage } from './usage.view';

type UsageRow = UsageSums & Pick<EnvironmentUsage, 'month'>;

/** `GET /v1/console/usage`: the usage of an environment in each month of a range, months without usage included. */
@Injectable()
export class ListUsage {
  constructor(
    private readonly replica: ReadReplica,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 422 for an invalid range */
  async list(environmentUuid: string, query: UsageQuery): Promise<EnvironmentUsage[]> {
    const months = monthsOf(query, this.clock.now());
    const rows = await this.replica.read((em) =>
      sql<UsageRow>(
        em,
        `select to_char(month, 'YYYY-MM') as month, ${USAGE_SUMS}
         from monthly_usage where environment_uuid = $1 and month between $2 and $3 group by monthly_usage.month`,
        [environmentUuid, `${months.from}-01`, `${months.to}-01`],
      ),
    );
    const byMonth = new Map(rows.map((row) => [row.month, row]));
    return eachMonth(months).map((month) => ({ month, ...usageOf(byMonth.get(month)) }));
  }
}
