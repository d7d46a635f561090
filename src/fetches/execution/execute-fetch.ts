import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { KeyManager } from '../../platform/crypto/key-manager';
import type { ClaimedFetch } from './fetch-leases';
import { classifyFailure } from './classify-failure';
import { FailedDocument } from '../history/failed-document.entity';
import { OpenSourceSession } from './reading/open-source-session';
import { type ListedPage, FetchPipeline, type FetchContext } from './fetch-pipeline';
import { StallDetectorFactory } from './supervision/stall-detector-factory';

/** Second tries are read in portions, so that memory does not grow with their number. */
const RETRIES_A_PAGE = 100;

/**
 * Runs one fetch over one connection's source, from the stored cursor on: first the listing, page by page, then what earlier fetches
 * could not read: whatever becomes of that, it keeps nothing new back.
 */
@Injectable()
export class ExecuteFetch {
  constructor(
    private readonly em: EntityManager,
    private readonly watchSource: StallDetectorFactory,
    private readonly vault: KeyManager,
    private readonly openSource: OpenSourceSession,
    private readonly process: FetchPipeline,
  ) {}

  /**
   * Resolves when the source has nothing more; rejects with whatever stopped it. `signal` cuts it off; `stop` has it end at the
   * next commit.
   */
  async execute(claim: ClaimedFetch, signal: AbortSignal, stop: AbortSignal): Promise<void> {
    const { connection, fetch, leaseToken } = claim;
    const em = this.em.fork();
    const patience = this.watchSource.create(connection.integrationId);
    const integration = patience.wrap();
    const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
    const session = await this.openSource.open(integration, connection, AbortSignal.any([signal, patience.signal]));
    const run: FetchContext = {
      integration,
      session,
      dataKey: await this.vault.key(em, connection.uuid),
      leaseToken,
      stop,
      origin: {
        connectionUuid: connection.uuid,
        identityUuid: connection.identityUuid,
        integrationId: integration.id,
        fetchUuid: fetch.uuid,
        environment,
      },
    };
    try {
      await patience.guard(this.list(run, claim).then(() => this.retryFailed(run)));
    } finally {
      // What is stuck may not even close.
      const closed = session.close();
      if (!patience.signal.aborted) await closed;
    }
  }

  private async retryFailed(run: FetchContext): Promise<void> {
    const { connectionUuid, fetchUuid } = run.origin;
    for (;;) {
      const failed = await this.em
        .fork()
        .find(
          FailedDocument,
          { connectionUuid, open: true, fetchUuid: { $ne: fetchUuid } },
          { limit: RETRIES_A_PAGE, orderBy: { createdAt: 'asc' } },
        );
      if (failed.length === 0) return;
      await this.process.process(run, alone({ documents: failed.map(({ ref }) => ref), filtered: 0, resumed: true }));
      // Whatever came of it has been recorded by this fetch; also when the listing had brought the document meanwhile.
      const dedupeKey = { $in: failed.map((document) => document.dedupeKey) };
      await this.em
        .fork()
        .nativeUpdate(FailedDocument, { connectionUuid, dedupeKey, fetchUuid: { $ne: fetchUuid } }, { open: false });
      // Where none could be read, the others have their turn with the next fetch: they are the oldest then.
      const failedAgain = await this.em.fork().count(FailedDocument, { connectionUuid, dedupeKey, open: true });
      if (failedAgain === failed.length) return;
    }
  }

  /** A cursor that the source no longer knows is dropped once; de-duplication absorbs what comes up again. */
  private async list(run: FetchContext, { connection, resumed }: ClaimedFetch): Promise<void> {
    try {
      await this.pages(run, connection.cursor ?? null, connection.startdate ?? null, resumed);
    } catch (error) {
      if (connection.cursor == null || classifyFailure(error).kind !== 'relist') throw error;
      await this.pages(run, null, connection.startdate ?? null, true);
    }
  }

  private pages(run: FetchContext, cursor: unknown, startdate: string | null, resumed: boolean): Promise<void> {
    return this.process.process(run, listed(run, cursor, startdate, resumed));
  }
}

async function* listed(
  { integration, session }: FetchContext,
  from: unknown,
  startdate: string | null,
  resumed: boolean,
): AsyncGenerator<ListedPage> {
  let mayBeCounted = resumed;
  for await (const { documents, filtered = 0, cursor } of integration.list(session, from as never, startdate)) {
    session.signal.throwIfAborted();
    yield { documents, filtered, cursor, resumed: mayBeCounted };
    mayBeCounted = false; // every later page starts behind a cursor that is committed before it
  }
}

async function* alone(page: ListedPage): AsyncGenerator<ListedPage> {
  yield page;
}
