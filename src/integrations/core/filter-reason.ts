/** Why a listed document is not fetched (decisions 4). */
export const FILTER_REASONS = [
  'TYPE',
  'INLINE_IMAGE',
  'BEFORE_STARTDATE',
  'PATTERN',
  'FOLDER',
  'EMPTY',
  'PARTIAL_UPLOAD',
  'SYSTEM_FILE',
  'ATTACHED_MAIL',
  'LINK',
  'MALWARE',
  'UNREADABLE',
  'DISMISSED',
] as const;
export type FilterReason = (typeof FILTER_REASONS)[number];

/** The number of documents that are not fetched, by reason; reasons without documents are absent. */
export type FilteredBy = Readonly<Partial<Record<FilterReason, number>>>;

export const NOTHING_FILTERED: FilteredBy = {};

/** Counts documents one by one, so that memory does not grow with their number. */
export class ReasonCounter {
  private readonly found: Partial<Record<FilterReason, number>> = {};

  count(reason: FilterReason): void {
    this.found[reason] = (this.found[reason] ?? 0) + 1;
  }

  get counts(): FilteredBy {
    return this.found;
  }
}

export function countReasons(reasons: Iterable<FilterReason>): FilteredBy {
  const counter = new ReasonCounter();
  for (const reason of reasons) counter.count(reason);
  return counter.counts;
}

/** `count` documents that are not fetched for the same reason. */
export function filteredBy(reason: FilterReason, count: number): FilteredBy {
  return count === 0 ? NOTHING_FILTERED : { [reason]: count };
}

export function addFiltered(...all: readonly FilteredBy[]): FilteredBy {
  const sum: Partial<Record<FilterReason, number>> = {};
  for (const counts of all) {
    for (const [reason, count] of Object.entries(counts) as [FilterReason, number][]) {
      if (count > 0) sum[reason] = (sum[reason] ?? 0) + count;
    }
  }
  return sum;
}

/** The number of documents that are not fetched, for whatever reason. */
export function totalFiltered(counts: FilteredBy): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
