import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { KeyManager } from '../../platform/crypto/vault';
import type { Claim } from './claim-fetch';
import { classifyFailure } from './classify-failure';
import { FailedDocument } from '../history/failed-document.entity';
import { OpenSource } from './reading/open-source';
import { type Page, ProcessPages, type Run } from './process-pages';
import { WatchSource } from './supervision/watch-source';

/** Second tries are read in portions, so that memory does not grow with their number. */
const RETRIES_A_PAGE = 100;

/**
 * Runs one fetch over one connection's source, from the stored cursor on: first the listing, page by page, then what earlier fetches
 * could not read: whatever becomes of that, it keeps nothing new back.
 */
@Injectable()
export class RunFetch {
  constructor(
    private readonly em: EntityManager,
    private readonly watchSource: WatchSource,
    private readonly vault: KeyManager,
    private readonly openSource: OpenSource,
    private readonly process: ProcessPages,
  ) {}

  /**
   * Resolves when the source has nothing more; rejects with whatever stopped it. `signal` cuts it off; `stop` has it end at the
   * next commit.
   */
  async run(claim: Claim, signal: AbortSignal, stop: AbortSignal): Promise<void> {
    const { connection, fetch, leaseToken } = claim;
    const em = this.em.fork();
    const patience = this.watchSource.run(connection.integrationId);
    const integration = patience.watched();
    const environment = await em.findOneOrFail(Environment, connection.environmentUuid);
    const session = await this.openSource.run(integration, connection, AbortSignal.any([signal, patience.signal]));
    const run: Run = {
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
      await patience.wait(this.list(run, claim).then(() => this.retryFailed(run)));
    } finally {
      // What is stuck may not even close.
      const closed = session.close();
      if (!patience.signal.aborted) await closed;
    }
  }

  private async retryFailed(run: Run): Promise<void> {
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
      await this.process.run(run, alone({ documents: failed.map(({ ref }) => ref), filtered: 0, resumed: true }));
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
  private async list(run: Run, { connection, resumed }: Claim): Promise<void> {
    try {
      await this.pages(run, connection.cursor ?? null, connection.startdate ?? null, resumed);
    } catch (error) {
      if (connection.cursor == null || classifyFailure(error).kind !== 'relist') throw error;
      await this.pages(run, null, connection.startdate ?? null, true);
    }
  }

  private pages(run: Run, cursor: unknown, startdate: string | null, resumed: boolean): Promise<void> {
    return this.process.run(run, listed(run, cursor, startdate, resumed));
  }
}

async function* listed(
  { integration, session }: Run,
  from: unknown,
  startdate: string | null,
  resumed: boolean,
): AsyncGenerator<Page> {
  let mayBeCounted = resumed;
  for await (const { documents, filtered = 0, cursor } of integration.list(session, from as never, startdate)) {
    session.signal.throwIfAborted();
    yield { documents, filtered, cursor, resumed: mayBeCounted };
    mayBeCounted = false; // every later page starts behind a cursor that is committed before it
  }
}

async function* alone(page: Page): AsyncGenerator<Page> {
  yield page;
}
