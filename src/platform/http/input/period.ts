import { invalid } from '../../errors/errors';

/** A period of time; null: without a beginning or an end. */
export interface Period {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The period of a query. @throws ApiError 422 naming `to` when it does not end after its beginning */
export function periodOf({ from, to }: { readonly from?: string; readonly to?: string }): Period {
  const period = { from: from === undefined ? null : new Date(from), to: to === undefined ? null : new Date(to) };
  if (period.from && period.to && period.to <= period.from) throw invalid([{ field: 'to', code: 'NOT_LATER' }]);
  return period;
}

/** Checks the period of a creation time. @throws ApiError 422 naming `created_to` when it does not end after its beginning */
export function assertPeriod({ created_from: from, created_to: to }: CreationPeriod): void {
  if (from != null && to != null && Date.parse(to) <= Date.parse(from)) {
    throw invalid([{ field: 'created_to', code: 'NOT_LATER' }]);
  }
}

/** Points in time that `IsRfc3339` has accepted; both are optional. */
interface CreationPeriod {
  readonly created_from?: string | null;
  readonly created_to?: string | null;
}
