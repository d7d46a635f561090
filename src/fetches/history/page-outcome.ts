import type { FilteredBy } from '../../integrations/core/filter-reason';
import type { DocumentRef } from '../../integrations/core/source-document';
import type { NewDocument } from '../../transactions/record/record-document';

/** Why a document could not be downloaded; `DocumentUnavailable` and its classes say it. */
export type FailureCode =
  | 'DOCUMENT_UNAVAILABLE'
  | 'DOCUMENT_GONE'
  | 'DOCUMENT_REFUSED'
  | 'DOCUMENT_EMPTY'
  | 'DOCUMENT_DAMAGED'
  | 'DOCUMENT_CHANGED'
  | 'DOCUMENT_TOO_LARGE';

/** A document that could not be downloaded. */
export interface FailedDownload {
  readonly ref: DocumentRef;
  readonly code: FailureCode;
  /** Whether the next fetch retries it. */
  readonly open: boolean;
}

/** The outcome of some documents of a page, written in one commit. */
export interface PageOutcome {
  readonly documents: readonly NewDocument[];
  readonly duplicates: number;
  readonly filteredBy: FilteredBy;
  /** The keys of files that have been read and are no documents themselves. */
  readonly readKeys?: readonly string[];
  readonly failures: readonly FailedDownload[];
  /** The cursor of the page, set in its last outcome. */
  readonly cursor?: unknown;
}
