import { Injectable, Logger } from '@nestjs/common';
import type { Integration, Session } from '../integrations/integration';
import type { DocumentRef } from '../integrations/source-document';
import { databaseIsAway } from '../platform/database/database-is-away';
import { KnownDocuments } from '../transactions/known-documents';
import type { NewDocument, Origin } from '../transactions/record-document';
import { classifyFailure } from './classify-failure';
import { CommitOutcome } from './commit-outcome';
import type { Failure } from './page-outcome';
import { ReadDocument } from './read-document';

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

/** Takes one page of references to its end: read what is new, commit in batches, the cursor with the last one. */
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
    let inARow = 0;
    for (let start = 0; start < fresh.length; start += DOCUMENTS_A_COMMIT) {
      run.stop.throwIfAborted();
      const batch = fresh.slice(start, start + DOCUMENTS_A_COMMIT);
      const results = await this.readAll(run, batch, (failed) => {
        inARow = failed ? inARow + 1 : 0;
        return inARow < FAILURES_IN_A_ROW;
      });
      const last = start + DOCUMENTS_A_COMMIT >= fresh.length;
      await this.commit.run(run.origin, run.leaseToken, {
        ...results,
        ...waiting,
        ...(last && { cursor: page.cursor }),
      });
      waiting = { duplicates: 0, filtered: 0 };
    }
    if (fresh.length === 0) {
      await this.commit.run(run.origin, run.leaseToken, {
        documents: [],
        failures: [],
        ...waiting,
        cursor: page.cursor,
      });
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

  /** Reads documents side by side, as many as the connector allows, in the order of the source. */
  private async readAll(
    run: Run,
    refs: readonly DocumentRef[],
    goOn: (failed: boolean) => boolean,
  ): Promise<{ documents: NewDocument[]; failures: Failure[] }> {
    const results: (NewDocument | Failure)[] = new Array<NewDocument | Failure>(refs.length);
    let next = 0;
    const work = async () => {
      while (next < refs.length) {
        const index = next++;
        run.session.signal.throwIfAborted();
        results[index] = await this.readOne(run, refs[index]!, goOn);
      }
    };
    const workers = Math.min(run.integration.politeness.concurrency, refs.length);
    const ended = await Promise.allSettled(Array.from({ length: workers }, work));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    return {
      documents: results.filter((result) => 'content' in result),
      failures: results.filter((result) => 'ref' in result),
    };
  }

  private async readOne(
    run: Run,
    ref: DocumentRef,
    goOn: (failed: boolean) => boolean,
  ): Promise<NewDocument | Failure> {
    const { integration, session, origin, dataKey } = run;
    try {
      const document = await this.read.run(integration, session, { uuid: origin.connectionUuid, key: dataKey }, ref);
      goOn(false);
      return document;
    } catch (error) {
      const next = classifyFailure(error);
      if (next.kind === 'document') {
        goOn(false); // the source is there, this document is not
        return { ref, code: next.permanent ? 'DOCUMENT_GONE' : 'DOCUMENT_UNAVAILABLE', open: !next.permanent };
      }
      session.signal.throwIfAborted();
      if (databaseIsAway(error)) throw error; // no fault of the document
      if (next.kind !== 'back-off' || !goOn(true)) throw error;
      this.logger.warn({ err: error, connection: origin.connectionUuid }, 'A document could not be read');
      return { ref, code: 'DOCUMENT_UNAVAILABLE', open: true };
    }
  }
}
