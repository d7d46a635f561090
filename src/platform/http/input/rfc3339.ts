import { ValidateBy } from 'class-validator';

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
