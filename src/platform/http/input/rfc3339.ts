import { ValidateBy } from 'class-validator';
import { invalid } from '../../errors/errors';

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(?:[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;
/** The database does not support year 0. */
const YEAR_ONE = Date.parse('0001-01-01');

/** A point in time (spec 1: RFC 3339), or a date, which means its beginning in UTC. */
export const IsRfc3339 = () =>
  ValidateBy({
    name: 'isRfc3339',
    validator: { validate: (value: unknown) => typeof value === 'string' && isRfc3339(value) },
  });

function isRfc3339(text: string): boolean {
  const day = RFC_3339.exec(text)?.[1];
  return day !== undefined && exists(day) && Date.parse(text) >= YEAR_ONE;
}

/** JavaScript parses 30 February as 2 March. */
function exists(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** @throws ApiError 422 naming `created_to` when a period does not end after its beginning */
export function assertPeriod({ created_from: from, created_to: to }: Period): void {
  if (from != null && to != null && Date.parse(to) <= Date.parse(from)) {
    throw invalid([{ field: 'created_to', code: 'NOT_LATER' }]);
  }
}

/** Points in time that {@link IsRfc3339} has accepted; both are optional. */
interface Period {
  readonly created_from?: string | null;
  readonly created_to?: string | null;
}
