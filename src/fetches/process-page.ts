import { Injectable, Logger } from '@nestjs/common';
import type { Integration, Session } from '../integrations/integration';
import type { DocumentRef } from '../integrations/source-document';
import { databaseIsAway } from '../platform/database/database-is-away';
import { KnownDocuments } from '../transactions/known-documents';
import type { NewDocument, Origin } from '../transactions/record-document';
import { classifyFailure } from './classify-failure';
import { CommitOutcome } from './commit-outcome';
import type { Failure, Outcome } from './page-outcome';
import { ReadDocument } from './read-document';
import { ReadSideBySide } from './read-side-by-side';

/** So many documents become true in one commit: enough to spare commits, few enough to deliver early. */
const DOCUMENTS_A_COMMIT = 20;
/** A source that fails for so many documents in a row is away as a whole. */
const FAILURES_IN_A_ROW = 3;

/** What stays the same over all pages of one fetch. */
export interface Run {
  readonly integration: Integration;
  readonly session: Session;
  readonly origin: Origin;
  readonly dataKey: Buffer;
  readonly leaseToken: string;
  /** The service shuts down: what is begun is committed, nothing more is begun. */
  readonly stop: AbortSignal;
}

interface Page {
  readonly documents: readonly DocumentRef[];
  readonly filtered: number;
  /** Undefined: these documents belong to no listing (a second try), so no cursor moves. */
  readonly cursor?: unknown;
  /** The page may have been worked on by a worker that died: what it recorded is counted already. */
  readonly resumed: boolean;
}

/**
 * Takes one page of references to its end: read what is new, commit in batches, the cursor with the last one. While one batch is
 * committed, the next ones are read.
 */
@Injectable()
export class ProcessPage {
  private readonly logger = new Logger(ProcessPage.name);

  constructor(
    private readonly known: KnownDocuments,
    private readonly read: ReadDocument,
    private readonly commit: CommitOutcome,
  ) {}

  /** Rejects with what makes going on pointless; what was committed until then stays. */
  async run(run: Run, page: Page): Promise<void> {
    const { fresh, duplicates } = await this.sift(run, page);
    let waiting = { duplicates, filtered: page.filtered };
    const commit = async (results: Pick<Outcome, 'documents' | 'failures'>, cursor?: unknown) => {
      await this.commit.run(run.origin, run.leaseToken, { ...results, ...waiting, cursor });
      waiting = { duplicates: 0, filtered: 0 };
    };
    if (fresh.length === 0) return commit({ documents: [], failures: [] }, page.cursor);
    const reading = new ReadSideBySide(run.integration.politeness.concurrency, run.stop);
    const goOn = patienceWithFailures();
    const batches = batchesOf(fresh);
    const begin = (batch: readonly DocumentRef[]) => reading.run(batch, (ref) => this.readOne(run, ref, goOn));
    // While one batch is committed, others keep all of the source's places busy.
    const ahead = 1 + Math.ceil(run.integration.politeness.concurrency / DOCUMENTS_A_COMMIT);
    const begun = batches.slice(0, ahead).map(begin);
    try {
      for (const [at, batch] of batches.entries()) {
        const results = await begun[at]!;
        const next = batches[at + ahead];
        if (next) begun.push(begin(next));
        const isWhole = results.length === batch.length;
        if (results.length > 0) {
          await commit(
            {
              documents: results.filter((result) => 'content' in result),
              failures: results.filter((result) => 'ref' in result),
            },
            isWhole && at === batches.length - 1 ? page.cursor : undefined,
          );
        }
        if (!isWhole) run.stop.throwIfAborted();
      }
    } finally {
      await reading.end();
    }
  }

  /** Leaves only what is not recorded yet, and counts the rest. */
  private async sift(run: Run, page: Page): Promise<{ fresh: DocumentRef[]; duplicates: number }> {
    const keys = [...new Set(page.documents.map((ref) => ref.dedupeKey))];
    const known = await this.known.run(run.origin.connectionUuid, keys);
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
    run: Run,
    ref: DocumentRef,
    goOn: (failed: boolean) => boolean,
  ): Promise<NewDocument | Failure> {
    const { integration, session, origin, dataKey } = run;
    session.signal.throwIfAborted();
    try {
      const document = await this.read.run(integration, session, { uuid: origin.connectionUuid, key: dataKey }, ref);
      goOn(false);
      return document;
    } catch (error) {
      const next = classifyFailure(error);
      if (next.kind === 'document') {
        goOn(false); // the source is there, this document is not
        return { ref, code: next.code, open: next.code === 'DOCUMENT_UNAVAILABLE' };
      }
      session.signal.throwIfAborted();
      if (databaseIsAway(error)) throw error; // no fault of the document
      if (next.kind !== 'back-off' || !goOn(true)) throw error;
      this.logger.warn({ err: error, connection: origin.connectionUuid }, 'A document could not be read');
      return { ref, code: 'DOCUMENT_UNAVAILABLE', open: true };
    }
  }
}

function batchesOf(documents: readonly DocumentRef[]): (readonly DocumentRef[])[] {
  const batches: (readonly DocumentRef[])[] = [];
  for (let at = 0; at < documents.length; at += DOCUMENTS_A_COMMIT) {
    batches.push(documents.slice(at, at + DOCUMENTS_A_COMMIT));
  }
  return batches;
}

/** Told of each document whether the source has failed for it; answers false when it has for too many in a row. */
function patienceWithFailures(): (failed: boolean) => boolean {
  let inARow = 0;
  return (failed) => {
    inARow = failed ? inARow + 1 : 0;
    return inARow < FAILURES_IN_A_ROW;
  };
}
