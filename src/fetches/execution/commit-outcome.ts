import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { totalFiltered } from '../../integrations/core/filter-reason';
import { Clock } from '../../platform/clock/clock';
import { affected, jsonb, sql } from '../../platform/database/sql';
import { type DocumentOrigin, RecordDocument } from '../../transactions/record/record-document';
import { clearFailures, recordFailures } from '../failures/record-failures';
import type { PageOutcome } from '../history/page-outcome';
import { countUsage } from '../history/monthly-usage';

/** Another worker has taken over the fetch, so the results of this one no longer count. */
export class LeaseLost extends Error {
  constructor() {
    super('Another worker has taken this fetch over.');
    this.name = 'LeaseLost';
  }
}

/** The fetch for which something is committed. */
export interface CommitTarget {
  readonly origin: DocumentOrigin;
  readonly leaseToken: string;
  /** The connection's start date when the fetch began. */
  readonly startdate: string | null;
}

/**
 * The commit of a fetch's documents: transactions with their due dates, counters, failures and cursor are written together or not at
 * all. Its first step locks the connection's row, so that the lease cannot change before the commit.
 */
@Injectable()
export class CommitOutcome {
  constructor(
    private readonly em: EntityManager,
    private readonly recordDocument: RecordDocument,
    private readonly clock: Clock,
  ) {}

  /**
   * A new document is progress, so that the deaths of workers before it count no more. The cursor counts only while the start date is that of the listing: an earlier one has reset it, so that the next fetch lists all.
   * @throws LeaseLost, ConnectionStopped
   */
  async commit({ origin, leaseToken, startdate }: CommitTarget, outcome: PageOutcome): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const recorded = await this.recordDocument.record(em, origin, outcome.documents, outcome.readKeys);
      const failed = await recordFailures(em, origin, outcome.failures, this.clock.now());
      const recovered = await clearFailures(em, origin, {
        dedupeKeys: outcome.documents.map(({ versionKey, dedupeKey }) => versionKey ?? dedupeKey),
        externalIds: outcome.documents.flatMap(({ externalId }) => externalId ?? []),
      });
      const repeated = outcome.documents.length - recorded.size;
      const filtered = totalFiltered(outcome.filteredBy);
      const counted = await affected(
        em,
        `update fetch_unfinished set seen = seen + $3 + $4 + $5 + $6, new = new + $3, duplicate = duplicate + $4,
           filtered = filtered + $5, filtered_by = coalesce(add_counts(filtered_by, $8), filtered_by, $8), failed = failed + $6,
           interruptions = case when $3 > 0 then 0 else interruptions end
         where uuid = $1 and exists (select 1 from connection where uuid = $7 and lease_token = $2)`,
        [
          origin.fetchUuid,
          leaseToken,
          recorded.size,
          outcome.duplicates + repeated,
          filtered,
          failed - recovered,
          origin.connectionUuid,
          filtered === 0 ? null : jsonb(outcome.filteredBy),
        ],
      );
      if (counted === 0) throw new LeaseLost();
      if (outcome.cursor !== undefined) {
        await sql(
          em,
          'update connection set cursor = $2::jsonb where uuid = $1 and startdate is not distinct from $3::date',
          [origin.connectionUuid, jsonb(outcome.cursor), startdate],
        );
      }
      await this.recordUsage(em, origin, outcome.documents, recorded);
    });
  }

  private async recordUsage(
    em: EntityManager,
    { environment }: DocumentOrigin,
    documents: PageOutcome['documents'],
    recorded: ReadonlySet<string>,
  ): Promise<void> {
    if (recorded.size === 0) return;
    // Of several documents with the same key in one page, only the first counts.
    const sizes = new Map(documents.toReversed().map(({ dedupeKey, content }) => [dedupeKey, content.size]));
    const bytes = [...recorded].reduce((sum, key) => sum + sizes.get(key)!, 0);
    await countUsage(em, environment.uuid, this.clock.now(), { documents: recorded.size, bytes });
  }
}
