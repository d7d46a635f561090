import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock';
import { affected, jsonb, sql } from '../platform/database/sql';
import { type Origin, RecordDocument } from '../transactions/record-document';
import type { Failure, Outcome } from './page-outcome';
import { countUsage } from './usage/monthly-usage';

/** Another worker has taken the fetch over: this one's results no longer count. */
export class LeaseLost extends Error {
  constructor() {
    super('Another worker has taken this fetch over.');
    this.name = 'LeaseLost';
  }
}

/**
 * The one commit of the fetch path: transactions with their due dates, the fetch's counters, what failed and the cursor
 * become true together, or not at all.
 */
@Injectable()
export class CommitOutcome {
  constructor(
    private readonly em: EntityManager,
    private readonly record: RecordDocument,
    private readonly clock: Clock,
  ) {}

  /** @throws LeaseLost, ConnectionStopped */
  async run(origin: Origin, leaseToken: string, outcome: Outcome): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const recorded = await this.record.run(em, origin, outcome.documents);
      const failed = await this.keepFailures(em, origin, outcome.failures);
      const read = outcome.documents.map(({ versionKey, dedupeKey }) => versionKey ?? dedupeKey);
      const mended = await this.forgetFailures(em, origin, read);
      const repeated = outcome.documents.length - recorded.size;
      const counted = await affected(
        em,
        `update fetch_run set seen = seen + $3 + $4 + $5 + $6, new = new + $3, duplicate = duplicate + $4,
           filtered = filtered + $5, failed = failed + $6
         where uuid = $1 and lease_token = $2`,
        [origin.fetchUuid, leaseToken, recorded.size, outcome.duplicates + repeated, outcome.filtered, failed - mended],
      );
      if (counted === 0) throw new LeaseLost();
      if (outcome.cursor !== undefined) {
        await sql(em, 'update connection set cursor = $2::jsonb where uuid = $1', [
          origin.connectionUuid,
          jsonb(outcome.cursor),
        ]);
      }
      await this.countNew(em, origin, outcome.documents, recorded);
    });
  }

  private async countNew(
    em: EntityManager,
    { environment }: Origin,
    documents: Outcome['documents'],
    recorded: ReadonlySet<string>,
  ): Promise<void> {
    if (recorded.size === 0) return;
    // Two of the same key in one page are one document, the first.
    const sizes = new Map(documents.toReversed().map(({ dedupeKey, content }) => [dedupeKey, content.size]));
    const bytes = [...recorded].reduce((sum, key) => sum + sizes.get(key)!, 0);
    await countUsage(em, environment.uuid, this.clock.now(), { documents: recorded.size, bytes });
  }

  /** Answers how many this fetch has not counted yet: a page may come up twice when a worker died in it. */
  private async keepFailures(em: EntityManager, origin: Origin, failures: readonly Failure[]): Promise<number> {
    if (failures.length === 0) return 0;
    const rows = failures.map(({ ref, code, open }) => ({
      dedupe_key: ref.dedupeKey,
      external_id: ref.externalId,
      filename: ref.filename,
      code,
      ref,
      open,
    }));
    await this.closeFailures(
      em,
      origin.connectionUuid,
      failures.map(({ ref }) => ref.dedupeKey),
    );
    const inserted = await sql(
      em,
      `insert into failed_document (fetch_uuid, connection_uuid, dedupe_key, external_id, filename, code, ref, open, created_at)
       select $1, $2, dedupe_key, external_id, filename, code, ref, open, $4
       from jsonb_to_recordset($3::jsonb) as f (dedupe_key text, external_id text, filename text, code text, ref jsonb, open boolean)
       on conflict (fetch_uuid, dedupe_key) do update set open = excluded.open, code = excluded.code
       returning (xmax = 0) as fresh`,
      [origin.fetchUuid, origin.connectionUuid, jsonb(rows), this.clock.now()],
    );
    return (inserted as { fresh: boolean }[]).filter((row) => row.fresh).length;
  }

  /** A document that is read after all has failed no more; answers how many of them this fetch had counted as failed. */
  private async forgetFailures(em: EntityManager, origin: Origin, dedupeKeys: readonly string[]): Promise<number> {
    if (dedupeKeys.length === 0) return 0;
    await this.closeFailures(em, origin.connectionUuid, dedupeKeys);
    return affected(em, 'delete from failed_document where fetch_uuid = $1 and dedupe_key = any($2::text[])', [
      origin.fetchUuid,
      dedupeKeys,
    ]);
  }

  private async closeFailures(em: EntityManager, connectionUuid: string, dedupeKeys: readonly string[]): Promise<void> {
    if (dedupeKeys.length === 0) return;
    await sql(
      em,
      'update failed_document set open = false where connection_uuid = $1 and open and dedupe_key = any($2::text[])',
      [connectionUuid, dedupeKeys],
    );
  }
}
