import type { DocumentRef } from '../../integrations/core/source-document';
import type { NewDocument } from '../../transactions/record/record-document';

export type FailureCode = 'DOCUMENT_UNAVAILABLE' | 'DOCUMENT_GONE' | 'DOCUMENT_REFUSED';

/** A document that could not be read. */
export interface FailedDownload {
  readonly ref: DocumentRef;
  readonly code: FailureCode;
  /** The next fetch tries again. */
  readonly open: boolean;
}

/** What is known of some documents of a page, waiting to become true in one commit. */
export interface PageOutcome {
  readonly documents: readonly NewDocument[];
  readonly duplicates: number;
  readonly filtered: number;
  readonly failures: readonly FailedDownload[];
  /** Set with the last outcome of a page: its cursor. */
  readonly cursor?: unknown;
}
