import { addFiltered, type FilteredBy, NOTHING_FILTERED } from '../../integrations/core/filter-reason';
import type { PageOutcome } from '../history/page-outcome';

/**
 * The counts and the cursor of the last page of a fetch when it has brought nothing new. They are committed with the next page, or
 * with the end of the fetch, so that a fetch that finds nothing writes once.
 */
export interface HeldOutcome {
  readonly duplicates: number;
  readonly filteredBy: FilteredBy;
  /** Undefined when there is no cursor to store. */
  readonly cursor?: unknown;
}

export const NOTHING_HELD: HeldOutcome = { duplicates: 0, filteredBy: NOTHING_FILTERED };

/** A page without documents. */
export const NOTHING: PageOutcome = { documents: [], failures: [], duplicates: 0, filteredBy: NOTHING_FILTERED };

export const isNothingHeld = (held: HeldOutcome): boolean =>
  held.duplicates === 0 && Object.keys(held.filteredBy).length === 0 && held.cursor === undefined;

/** The outcome with what an earlier one has left; the later cursor counts. */
export function withHeld(held: HeldOutcome, outcome: PageOutcome): PageOutcome {
  return {
    ...outcome,
    duplicates: held.duplicates + outcome.duplicates,
    filteredBy: addFiltered(held.filteredBy, outcome.filteredBy),
    cursor: outcome.cursor === undefined ? held.cursor : outcome.cursor,
  };
}
