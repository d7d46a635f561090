import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { USAGE_SUMS } from '../history/monthly-usage';
import { monthsOf, type Months, type UsageQuery } from './usage.dto';

/** Rows that are read together: the memory of an export does not depend on its size. */
const BATCH_SIZE = 1000;

/** Before all rows. */
const START: Pick<UsageExportRow, 'environment_uuid' | 'month'> = { environment_uuid: NIL, month: '0001-01' };

/** One environment in one month; counts are texts, as the database returns them. */
export interface UsageExportRow {
  readonly month: string;
  readonly environment_uuid: string;
  readonly client_name: string;
  readonly environment_name: string;
  readonly kind: string;
  readonly connections: string;
  readonly fetches: string;
  readonly documents: string;
  readonly bytes: string;
}

export interface UsageExport {
  readonly months: Months;
  readonly rows: AsyncIterable<UsageExportRow>;
}

/** `GET /v1/console/usage.csv`: the months with usage, of one environment or of all, read in batches. */
@Injectable()
export class ExportUsage {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * @param environmentUuid null for all environments
   * @throws ApiError 422 for an invalid range
   */
  export(environmentUuid: string | null, query: UsageQuery): UsageExport {
    const months = monthsOf(query, this.clock.now());
    return { months, rows: this.rows(environmentUuid, months) };
  }

  private async *rows(environmentUuid: string | null, months: Months): AsyncGenerator<UsageExportRow> {
    const em = this.em.fork();
    let last: Pick<UsageExportRow, 'environment_uuid' | 'month'> = START;
    for (;;) {
      const batch = await this.batch(em, environmentUuid, months, last);
      yield* batch;
      if (batch.length < BATCH_SIZE) return;
      last = batch.at(-1)!;
    }
  }

  private batch(em: EntityManager, environmentUuid: string | null, { from, to }: Months, last: typeof START) {
    return sql<UsageExportRow>(
      em,
      `select to_char(u.month, 'YYYY-MM') as month, u.environment_uuid, e.client_name, e.name as environment_name, e.kind, ${USAGE_SUMS}
       from monthly_usage u join environment e on e.uuid = u.environment_uuid
       where (u.environment_uuid, u.month) > ($1, $2) and u.month between $3 and $4
         and ($5::uuid is null or u.environment_uuid = $5)
       group by u.environment_uuid, u.month, e.uuid order by u.environment_uuid, u.month limit ${BATCH_SIZE}`,
      [last.environment_uuid, `${last.month}-01`, `${from}-01`, `${to}-01`, environmentUuid],
    );
  }
}
