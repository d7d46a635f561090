import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { NOTHING_FILTERED } from '../../integrations/core/filter-reason';
import type { SourcePage } from '../../integrations/core/source-document';
import { KeyManager } from '../../platform/crypto/key-manager';
import { Tracing } from '../../platform/tracing/tracing';
import { classifyFailure } from './classify-failure';
import { FetchFailure } from '../history/fetch-failure.entity';
import type { HeldOutcome } from './held-outcome';
import type { LoadedFetch } from './reading/load-fetches';
import { OpenSourceSession } from './reading/open-source-session';
import { traceListing } from './reading/trace-listing';
import type { FetchContext, ListedPage } from './fetch-context';
import { FetchPipeline } from './fetch-pipeline';
import { StallDetectorFactory } from './supervision/stall-detector-factory';

/** Retries are processed in pages, so that memory does not grow with their number. */
const RETRIES_PER_PAGE = 100;

/**
 * Executes one fetch from the stored cursor on: first the listing, page by page, then the retries of earlier failures, so that
 * these never delay new documents.
 */
@Injectable()
export class ExecuteFetch {
  constructor(
    private readonly em: EntityManager,
    private readonly stallDetectors: StallDetectorFactory,
    private readonly keyManager: KeyManager,
    private readonly openSourceSession: OpenSourceSession,
    private readonly pipeline: FetchPipeline,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Resolves when the source has no further documents, with what is to be committed with the end of the fetch; rejects with the
   * error that ended it. `signal` aborts it at once; `stop` ends it at the next commit.
   */
  async execute(fetch: LoadedFetch, signal: AbortSignal, stop: AbortSignal): Promise<HeldOutcome> {
    const { claim, connection, environment } = fetch;
    const stallDetector = this.stallDetectors.create(connection.integrationId);
    const integration = stallDetector.wrap();
    const dataKey = fetch.dataKey ?? (await this.keyManager.key(this.em.fork(), connection.uuid));
    const session = await this.openSourceSession.open(
      integration,
      connection,
      dataKey,
      AbortSignal.any([signal, stallDetector.signal]),
    );
    const context: FetchContext = {
      integration,
      session,
      dataKey,
      leaseToken: claim.leaseToken,
      startdate: connection.startdate ?? null,
      stop,
      origin: {
        connectionUuid: connection.uuid,
        identityUuid: connection.identityUuid,
        integrationId: integration.id,
        fetchUuid: claim.uuid,
        environment,
      },
    };
    try {
      return await stallDetector.guard(this.read(context, fetch));
    } finally {
      // A stalled session may never close.
      const closed = session.close();
      if (!stallDetector.signal.aborted) await closed;
    }
  }

  private async read(context: FetchContext, fetch: LoadedFetch): Promise<HeldOutcome> {
    const held = await this.list(context, fetch);
    return fetch.connection.hasRetries ? this.retryFailed(context, held) : held;
  }

  private async retryFailed(context: FetchContext, held: HeldOutcome): Promise<HeldOutcome> {
    const { connectionUuid, fetchUuid } = context.origin;
    for (let rest = held; ;) {
      const failed = await this.em
        .fork()
        .find(
          FetchFailure,
          { connectionUuid, open: true, fetchUuid: { $ne: fetchUuid } },
          { limit: RETRIES_PER_PAGE, orderBy: { createdAt: 'asc' } },
        );
      if (failed.length === 0) return rest;
      rest = await this.pipeline.process(
        context,
        singlePage({ documents: failed.map(({ ref }) => ref), filteredBy: NOTHING_FILTERED }),
        true,
        rest,
      );
      // This fetch has recorded the result of each retry, also when the listing has brought the document in the meantime.
      const dedupeKey = { $in: failed.map((document) => document.dedupeKey) };
      await this.em
        .fork()
        .nativeUpdate(FetchFailure, { connectionUuid, dedupeKey, fetchUuid: { $ne: fetchUuid } }, { open: false });
      // When all of a page have failed, the next fetch retries the others: they are the oldest then.
      const failedAgain = await this.em.fork().count(FetchFailure, { connectionUuid, dedupeKey, open: true });
      if (failedAgain === failed.length) return rest;
    }
  }

  /** A cursor that the source rejects is dropped once; deduplication absorbs the repeated documents. */
  private async list(context: FetchContext, { connection, claim }: LoadedFetch): Promise<HeldOutcome> {
    try {
      return await this.processListing(context, connection.cursor ?? null, claim.resumed);
    } catch (error) {
      if (connection.cursor == null || classifyFailure(error).kind !== 'relist') throw error;
      return this.processListing(context, null, true);
    }
  }

  private processListing(context: FetchContext, cursor: unknown, resumed: boolean): Promise<HeldOutcome> {
    const { integration, session, startdate } = context;
    const listing = traceListing(this.tracing, integration.list(session, cursor as never, startdate));
    return this.pipeline.process(context, listedPages(listing, session.signal), resumed);
  }
}

async function* listedPages(listing: AsyncIterable<SourcePage>, signal: AbortSignal): AsyncGenerator<ListedPage> {
  for await (const page of listing) {
    signal.throwIfAborted();
    yield { ...page, filteredBy: page.filteredBy ?? NOTHING_FILTERED };
  }
}

async function* singlePage(page: ListedPage): AsyncGenerator<ListedPage> {
  yield page;
}
