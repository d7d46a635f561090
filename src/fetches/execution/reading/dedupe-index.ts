import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { DocumentRef } from '../../../integrations/core/source-document';
import { sql } from '../../../platform/database/sql';
import { KnownDocuments } from '../../../transactions/record/known-documents';
import type { CommitTarget } from '../commit-outcome';
import type { ListedPage } from '../fetch-context';

/** Documents that earlier fetches could not download: those that will be retried, and the dismissed ones with their version. */
export interface EarlierFailures {
  readonly retryable: ReadonlySet<string>;
  readonly dismissed: ReadonlyMap<string, string>;
}

/** Looks up the documents of a connection that this or earlier fetches have recorded or failed to download. */
@Injectable()
export class DedupeIndex {
  constructor(
    private readonly em: EntityManager,
    private readonly known: KnownDocuments,
  ) {}

  /**
   * Returns the documents of a page that are not recorded yet and the number of the others. With `mayBeInterrupted`, an earlier worker
   * may have processed a part of the page: `counted` are the documents that it has recorded and counted, which are no duplicates.
   */
  async dropRecorded(
    { origin }: CommitTarget,
    page: ListedPage,
    mayBeInterrupted: boolean,
  ): Promise<{ fresh: DocumentRef[]; duplicates: number; counted: number }> {
    const keys = [...new Set(page.documents.map((ref) => ref.dedupeKey))];
    const known = await this.known.find(origin.connectionUuid, keys);
    const recordedBy = new Map(known.map((row) => [row.dedupe_key, row.fetch_uuid]));
    const seen = new Set<string>();
    const fresh: DocumentRef[] = [];
    let [duplicates, counted] = [0, 0];
    for (const ref of page.documents) {
      const by = recordedBy.get(ref.dedupeKey);
      const isCounted = mayBeInterrupted && by === origin.fetchUuid && !seen.has(ref.dedupeKey);
      if (by === undefined && !seen.has(ref.dedupeKey)) fresh.push(ref);
      else if (isCounted) counted += 1;
      else duplicates += 1;
      seen.add(ref.dedupeKey);
    }
    return { fresh, duplicates, counted };
  }

  /** The state of those that could not be downloaded. */
  async findFailed(connectionUuid: string, keys: readonly string[]): Promise<EarlierFailures> {
    if (keys.length === 0) return { retryable: new Set(), dismissed: new Map() };
    const rows = await sql<{ dedupe_key: string; dismissed: string | null }>(
      this.em.fork(),
      `select dedupe_key, null as dismissed from fetch_failure
       where connection_uuid = $1 and open and dedupe_key = any($2::text[])
       union all
       select dedupe_key, version from document_failure
       where connection_uuid = $1 and dismissed_at is not null and dedupe_key = any($2::text[])`,
      [connectionUuid, keys],
    );
    const dismissed = rows.flatMap((row) => (row.dismissed === null ? [] : [[row.dedupe_key, row.dismissed] as const]));
    const waiting = rows.filter((row) => row.dismissed === null).map((row) => row.dedupe_key);
    return { retryable: new Set(waiting), dismissed: new Map(dismissed) };
  }

  /** The keys that a listing may leave out: recorded ones, and those that are retried after the listing. */
  async findKnown(connectionUuid: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const recorded = await this.known.find(connectionUuid, keys);
    const { retryable: waiting } = await this.findFailed(connectionUuid, keys);
    return new Set([...recorded.map((row) => row.dedupe_key), ...waiting]);
  }
}
