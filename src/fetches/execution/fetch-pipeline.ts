import { Injectable, Logger } from '@nestjs/common';
import { addFiltered, filteredBy } from '../../integrations/core/filter-reason';
import type { DocumentRef } from '../../integrations/core/source-document';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import { currentSpan } from '../../platform/request/work-scope';
import { Tracing } from '../../platform/tracing/tracing';
import type { NewDocument } from '../../transactions/record/record-document';
import { classifyFailure } from './classify-failure';
import { CommitOutcome } from './commit-outcome';
import type { FetchContext, ListedPage } from './fetch-context';
import { failureVersion } from '../failures/failure-version';
import type { FailedDownload, PageOutcome } from '../history/page-outcome';
import { DownloadDocument } from './reading/download-document';
import { ConcurrentReader } from './reading/concurrent-reader';
import { DedupeIndex } from './reading/dedupe-index';
import { batchesOf, formGroups } from './reading/form-groups';
import { type HeldOutcome, isNothingHeld, NOTHING, NOTHING_HELD, withHeld } from './held-outcome';
import { ConsecutiveFailureBreaker } from './supervision/consecutive-failure-breaker';

/** Documents per commit: enough to save commits, few enough to deliver early. */
const DOCUMENTS_PER_COMMIT = 20;

/** Documents of one page that are being downloaded and are committed together. */
interface DocumentBatch extends Pick<PageOutcome, 'duplicates' | 'filteredBy' | 'readKeys'> {
  readonly size: number;
  readonly results: Promise<(NewDocument | FailedDownload)[]>;
  /** The page's cursor, in its last batch. */
  readonly cursor?: unknown;
}

/**
 * Downloads the new documents of each page and commits them in batches, the page's counts and cursor with its last batch: a worker
 * that continues the page of another counts it once. While one batch is committed, the next ones are downloaded, also those of later
 * pages, so that the source is never idle at the end of a page. Commits keep the order of the listing, but for documents that may be
 * forms of one invoice, which are committed together.
 */
@Injectable()
export class FetchPipeline {
  private readonly logger = new Logger(FetchPipeline.name);

  constructor(
    private readonly dedupeIndex: DedupeIndex,
    private readonly downloadDocument: DownloadDocument,
    private readonly commitOutcome: CommitOutcome,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Resolves with what the last page has left uncommitted because it brought nothing new; `held` is what an earlier call has left.
   * `resumed`: another worker may have processed a part of one of the pages. Rejects with the error that ends the fetch; what was read
   * before is committed. Consecutive failures, as of a source that is down, are recorded first, so that the next fetch continues after
   * them.
   */
  async process(
    context: FetchContext,
    pages: AsyncIterable<ListedPage>,
    resumed: boolean,
    held: HeldOutcome = NOTHING_HELD,
  ): Promise<HeldOutcome> {
    const { concurrency } = context.integration.rateLimits;
    const reader = new ConcurrentReader(concurrency, context.stop);
    const breaker = new ConsecutiveFailureBreaker(() => reader.stopStarting());
    const batches = this.batches(context, pages, resumed, reader, breaker);
    // Requested ahead, in order: batches that were started before the listing failed are committed first.
    const pending: Promise<IteratorResult<DocumentBatch, void>>[] = [];
    const requestNext = () => {
      const next = batches.next();
      next.catch(() => undefined); // thrown at its await
      pending.push(next);
    };
    // While one batch is committed, the others use the source's full concurrency.
    for (let ahead = 1 + Math.ceil(concurrency / DOCUMENTS_PER_COMMIT); ahead > 0; ahead--) requestNext();
    try {
      for (let next = await pending.shift()!; !next.done; next = await pending.shift()!) {
        const batch = next.value;
        const results = await batch.results;
        requestNext();
        const isWhole = results.length === batch.size;
        if (isWhole || results.length > 0) held = await this.record(context, batch, results, held);
        if (isWhole) continue;
        breaker.throwIfOpen();
        context.stop.throwIfAborted();
      }
      breaker.throwIfOpen();
      return held;
    } catch (error) {
      if (!isNothingHeld(held)) await this.commitOutcome.commit(context, withHeld(held, NOTHING));
      throw error;
    } finally {
      await reader.drain();
      // A listing that waits for the source ends with the session.
      batches.return(undefined).catch(() => undefined);
    }
  }

  /** Starts one batch after the other. */
  private async *batches(
    context: FetchContext,
    pages: AsyncIterable<ListedPage>,
    resumed: boolean,
    reader: ConcurrentReader,
    breaker: ConsecutiveFailureBreaker,
  ): AsyncGenerator<DocumentBatch, undefined> {
    let mayBeInterrupted = resumed;
    for await (const page of pages) {
      const { fresh, duplicates, counted } = await this.dedupeIndex.dropRecorded(context, page, mayBeInterrupted);
      // At most one page was interrupted. Empty ones may come before it, also with its cursor, and other documents that are new since.
      if (counted > 0) mayBeInterrupted = false;
      const keys = fresh.map(({ dedupeKey }) => dedupeKey);
      const { retryable, dismissed } = await this.dedupeIndex.findFailed(context.origin.connectionUuid, keys);
      const remaining = fresh.filter((ref) => dismissed.get(ref.dedupeKey) !== failureVersion(ref));
      const dismissals = filteredBy('DISMISSED', fresh.length - remaining.length);
      const { readKeys, cursor } = page;
      const counts = { duplicates, filteredBy: addFiltered(page.filteredBy, dismissals), readKeys, cursor };
      const parts = batchesOf(formGroups(remaining), DOCUMENTS_PER_COMMIT);
      for (const [at, documents] of parts.entries()) {
        if (reader.isStopped) return;
        yield {
          size: documents.length,
          results: reader.read(documents, (ref) =>
            this.tracing.run(
              'document',
              () => ({ kind: 'INTERNAL' }),
              () => this.downloadOne(context, ref, retryable.has(ref.dedupeKey), breaker),
            ),
          ),
          ...(at === parts.length - 1 ? counts : NOTHING_HELD),
        };
      }
    }
  }

  /** Returns what remains to be committed: at most one page, so that a worker that dies repeats no more than that. */
  private async record(
    context: FetchContext,
    { size, duplicates, filteredBy, readKeys, cursor }: DocumentBatch,
    results: readonly (NewDocument | FailedDownload)[],
    held: HeldOutcome,
  ): Promise<HeldOutcome> {
    const counted = results.length === size ? { duplicates, filteredBy, readKeys, cursor } : NOTHING_HELD;
    if (results.length === 0 && isNothingHeld(held) && !readKeys?.length) return counted;
    const documents = results.filter((result) => 'content' in result);
    const failures = results.filter((result) => 'ref' in result);
    await this.commitOutcome.commit(context, withHeld(held, { documents, failures, ...counted }));
    return NOTHING_HELD;
  }

  private async downloadOne(
    context: FetchContext,
    ref: DocumentRef,
    hasFailedBefore: boolean,
    breaker: ConsecutiveFailureBreaker,
  ) {
    const { integration, session, origin, dataKey } = context;
    session.signal.throwIfAborted();
    try {
      const document = await this.downloadDocument.download(
        integration,
        session,
        {
          uuid: origin.connectionUuid,
          environmentUuid: origin.environment.uuid,
          key: dataKey,
          readsText: origin.environment.textExtraction,
        },
        ref,
      );
      breaker.recordSuccess();
      const span = currentSpan();
      span?.set({ 'docfetch.size': document.content.size, 'docfetch.mime_type': document.mimeType });
      return { ...document, traceparent: span?.traceparent ?? null };
    } catch (error) {
      const next = classifyFailure(error);
      if (next.kind === 'document') {
        breaker.recordSuccess(); // the source answers, only this document is missing
        currentSpan()?.fail(next.code);
        return { ref, code: next.code, open: isRetried(next.code, hasFailedBefore) };
      }
      session.signal.throwIfAborted();
      if (isUnavailable(error)) throw error; // not a failure of the document
      if (next.kind !== 'back-off') throw error;
      this.logger.warn(error, 'A document could not be downloaded');
      // A repeated failure says nothing about the source.
      if (!hasFailedBefore) breaker.recordFailure(error);
      currentSpan()?.fail('DOCUMENT_UNAVAILABLE');
      return { ref, code: 'DOCUMENT_UNAVAILABLE' as const, open: true };
    }
  }
}

/** A missing or unreadable document is retried once, because an unchanged folder is not listed again. */
function isRetried(code: FailedDownload['code'], hasFailedBefore: boolean): boolean {
  const isFinal = code === 'DOCUMENT_REFUSED' || code === 'DOCUMENT_TOO_LARGE'; // until the source changes it
  return code === 'DOCUMENT_UNAVAILABLE' || (!hasFailedBefore && !isFinal);
}
