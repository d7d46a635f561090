import type { Change } from './oasdiff';

/** A change with all operations that it concerns: a change of a schema concerns each operation that uses it. */
export interface GroupedChange {
  readonly level: Change['level'];
  /** `<rule>: <sentence>`; the form in `openapi.breaks.json`. */
  readonly change: string;
  readonly sentence: string;
  readonly operations: readonly string[];
}

/** The status of the response, which oasdiff writes in several ways: ` for the response with the status `404``. */
const STATUS = / (?:for|with)(?: the)?(?: response)?(?: with)?(?: the)?(?: status)? `\d{3}`(?: status)?/;

/** Groups changes by rule and sentence, whatever the status of the response; errors come first. */
export function grouped(changes: readonly Change[]): GroupedChange[] {
  const groups = Map.groupBy(changes, ({ id, text }) => `${id}: ${text.replace(STATUS, '')}`);
  return [...groups]
    .map(([change, all]) => ({
      change,
      level: all[0]!.level,
      sentence: change.slice(all[0]!.id.length + 2),
      operations: [...new Set(all.flatMap(({ operation, path }) => (path ? [`${operation} ${path}`] : [])))],
    }))
    .sort((one, other) => other.level - one.level);
}

/** The operations for a reader: the first ones, and how many more there are. */
export function listed(operations: readonly string[], most: number, quote = ''): string {
  const shown = operations.slice(0, most).map((operation) => `${quote}${operation}${quote}`);
  const more = operations.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
