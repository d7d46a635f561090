import type { FilteredBy } from '../../integrations/core/filter-reason';
import type { Integration, Session } from '../../integrations/core/integration';
import type { DocumentRef } from '../../integrations/core/source-document';
import type { CommitTarget } from './commit-outcome';
import type { KeyRing } from '../../platform/crypto/key-ring';

/** The values that are the same for all pages of a fetch. */
export interface FetchContext extends CommitTarget {
  readonly integration: Integration;
  readonly session: Session;
  readonly dataKey: KeyRing;
  /** Aborted when the service shuts down: started documents are committed, no further ones are started. */
  readonly stop: AbortSignal;
}

/** A page of a listing. */
export interface ListedPage {
  readonly documents: readonly DocumentRef[];
  readonly filteredBy: FilteredBy;
  readonly readKeys?: readonly string[];
  /** Undefined for documents that belong to no listing (retries): the cursor does not move. */
  readonly cursor?: unknown;
}
