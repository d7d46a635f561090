import { Injectable, Logger } from '@nestjs/common';
import type { Integration, Session } from '../../integrations/core/integration';
import type { DocumentRef } from '../../integrations/core/source-document';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import type { NewDocument, DocumentOrigin } from '../../transactions/record/record-document';
import { classifyFailure } from './classify-failure';
import { CommitOutcome } from './commit-outcome';
import { failureVersion } from '../failures/failure-version';
import type { FailedDownload, PageOutcome } from '../history/page-outcome';
import { DownloadDocument } from './reading/download-document';
import { ConcurrentReader } from './reading/concurrent-reader';
import { DedupeIndex } from './reading/dedupe-index';
import { ConsecutiveFailureBreaker } from './supervision/consecutive-failure-breaker';

/** So many documents become true in one commit: enough to spare commits, few enough to deliver early. */
const DOCUMENTS_A_COMMIT = 20;

/** What stays the same over all pages of one fetch. */
export interface FetchContext {
  readonly integration: Integration;
  readonly session: Session;
  readonly origin: DocumentOrigin;
  readonly dataKey: Buffer;
  readonly leaseToken: string;
  /** The service shuts down: what is begun is committed, nothing more is begun. */
  readonly stop: AbortSignal;
}

/** What a listing brings at a time. */
export interface ListedPage {
  readonly documents: readonly DocumentRef[];
  readonly filtered: number;
  /** Undefined: these documents belong to no listing (a second try), so no cursor moves. */
  readonly cursor?: unknown;
  /** The page may have been worked on by a worker that died: what it recorded is counted already. */
  readonly resumed: boolean;
}

/** Documents of one page that become true together, and are being read. */
interface DocumentBatch extends Pick<PageOutcome, 'duplicates' | 'filtered'> {
  readonly size: number;
  readonly results: Promise<(NewDocument | FailedDownload)[]>;
  /** Of the page's last batch: the page's. */
  readonly cursor?: unknown;
}

/**
 * Takes references to their end, page by page: read what is new, commit in batches, a page's cursor with its last one. While one
 * batch is committed, the next ones are read, be they of the same page or of those behind it: a source is never left waiting for the
 * end of a page. Commits keep the order of the listing.
 */
@Injectable()
export class FetchPipeline {
  private readonly logger = new Logger(FetchPipeline.name);

  constructor(
    private readonly remembered: DedupeIndex,
    private readonly read: DownloadDocument,
    private readonly commit: CommitOutcome,
  ) {}

  /**
   * Rejects with what makes going on pointless; what was committed until then stays. Of documents that fail one after the other, as if
   * the source were away, it is recorded before: the next fetch goes on behind them.
   */
  async process(run: FetchContext, pages: AsyncIterable<ListedPage>): Promise<void> {
    const { concurrency } = run.integration.rateLimits;
    const reading = new ConcurrentReader(concurrency, run.stop);
    const trust = new ConsecutiveFailureBreaker(() => reading.stopStarting());
    const batches = this.batches(run, pages, reading, trust);
    // Asked for ahead: one is begun after the other, and those begun before the listing failed are committed first.
    const asked: Promise<IteratorResult<DocumentBatch, void>>[] = [];
    const ask = () => {
      const next = batches.next();
      next.catch(() => undefined); // thrown at its await
      asked.push(next);
    };
    // While one batch is committed, others keep all of the source's places busy.
    for (let ahead = 1 + Math.ceil(concurrency / DOCUMENTS_A_COMMIT); ahead > 0; ahead--) ask();
    try {
      for (let next = await asked.shift()!; !next.done; next = await asked.shift()!) {
        const batch = next.value;
        const results = await batch.results;
        ask();
        const isWhole = results.length === batch.size;
        if (isWhole || results.length > 0) await this.record(run, batch, results, isWhole);
        if (isWhole) continue;
        trust.throwIfOpen();
        run.stop.throwIfAborted();
      }
      trust.throwIfOpen();
    } finally {
      await reading.drain();
      // Where the listing waits for the source, it ends with the session.
      batches.return(undefined).catch(() => undefined);
    }
  }

  /** Begins one batch after the other. */
  private async *batches(
    run: FetchContext,
    pages: AsyncIterable<ListedPage>,
    reading: ConcurrentReader,
    trust: ConsecutiveFailureBreaker,
  ): AsyncGenerator<DocumentBatch, undefined> {
    for await (const page of pages) {
      const { fresh, duplicates } = await this.sift(run, page);
      const keys = fresh.map(({ dedupeKey }) => dedupeKey);
      const { retryable: waiting, dismissed } = await this.remembered.findFailed(run.origin.connectionUuid, keys);
      const wanted = fresh.filter((ref) => dismissed.get(ref.dedupeKey) !== failureVersion(ref));
      const filtered = page.filtered + fresh.length - wanted.length;
      const parts = partsOf(wanted);
      for (const [at, documents] of parts.entries()) {
        if (reading.isStopped) return;
        yield {
          size: documents.length,
          results: reading.read(documents, (ref) => this.readOne(run, ref, waiting.has(ref.dedupeKey), trust)),
          ...(at === 0 ? { duplicates, filtered } : { duplicates: 0, filtered: 0 }),
          cursor: at === parts.length - 1 ? page.cursor : undefined,
        };
      }
    }
  }

  private record(
    { origin, leaseToken }: FetchContext,
    { duplicates, filtered, cursor }: DocumentBatch,
    results: readonly (NewDocument | FailedDownload)[],
    isWhole: boolean,
  ): Promise<void> {
    return this.commit.commit(origin, leaseToken, {
      documents: results.filter((result) => 'content' in result),
      failures: results.filter((result) => 'ref' in result),
      duplicates,
      filtered,
      cursor: isWhole ? cursor : undefined,
    });
  }

  /** Leaves only what is not recorded yet, and counts the rest. */
  private async sift(run: FetchContext, page: ListedPage): Promise<{ fresh: DocumentRef[]; duplicates: number }> {
    const keys = [...new Set(page.documents.map((ref) => ref.dedupeKey))];
    const known = await this.remembered.findRecorded(run.origin.connectionUuid, keys);
    const recordedBy = new Map(known.map((row) => [row.dedupe_key, row.fetch_uuid]));
    const seen = new Set<string>();
    const fresh: DocumentRef[] = [];
    let duplicates = 0;
    for (const ref of page.documents) {
      const by = recordedBy.get(ref.dedupeKey);
      const countedBefore = page.resumed && by === run.origin.fetchUuid && !seen.has(ref.dedupeKey);
      if (by === undefined && !seen.has(ref.dedupeKey)) fresh.push(ref);
      else if (!countedBefore) duplicates += 1;
      seen.add(ref.dedupeKey);
    }
    return { fresh, duplicates };
  }

  private async readOne(
    run: FetchContext,
    ref: DocumentRef,
    hasFailedBefore: boolean,
    trust: ConsecutiveFailureBreaker,
  ) {
    const { integration, session, origin, dataKey } = run;
    session.signal.throwIfAborted();
    try {
      const document = await this.read.download(
        integration,
        session,
        { uuid: origin.connectionUuid, key: dataKey },
        ref,
      );
      trust.recordSuccess();
      return document;
    } catch (error) {
      const next = classifyFailure(error);
      if (next.kind === 'document') {
        trust.recordSuccess(); // the source is there, this document is not
        return { ref, code: next.code, open: isTriedAgain(next.code, hasFailedBefore) };
      }
      session.signal.throwIfAborted();
      if (isUnavailable(error)) throw error; // no fault of the document
      if (next.kind !== 'back-off') throw error;
      this.logger.warn({ err: error, connection: origin.connectionUuid }, 'A document could not be read');
      // That it fails again says nothing about the source.
      if (!hasFailedBefore) trust.recordFailure(error);
      return { ref, code: 'DOCUMENT_UNAVAILABLE' as const, open: true };
    }
  }
}

/** What is gone is looked for once more: a folder that did not change since is not listed again. */
function isTriedAgain(code: FailedDownload['code'], hasFailedBefore: boolean): boolean {
  return code === 'DOCUMENT_UNAVAILABLE' || (code === 'DOCUMENT_GONE' && !hasFailedBefore);
}

/** Of a page without documents one without: its counts and its cursor become true all the same. */
function partsOf(documents: readonly DocumentRef[]): (readonly DocumentRef[])[] {
  const parts = [documents.slice(0, DOCUMENTS_A_COMMIT)];
  for (let at = DOCUMENTS_A_COMMIT; at < documents.length; at += DOCUMENTS_A_COMMIT) {
    parts.push(documents.slice(at, at + DOCUMENTS_A_COMMIT));
  }
  return parts;
}
