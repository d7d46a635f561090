import { isDeepStrictEqual } from 'node:util';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const REST = '…';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * Compares the responses in a guide with the actual ones. They must be equal, except
 * - `…` in a text stands for any characters, a member `"…": "…"` for further members, `"…"` as the last item for further items;
 * - a uuid stands for any uuid, but for the same one in the whole guide;
 * - a date stands for any date, a date with a time for any date with a time.
 */
export class ExpectedOutput {
  private readonly meant = new Map<string, string>();
  private readonly shownAs = new Map<string, string>();

  /** The differences between `actual` and the expected output, one line each. */
  differences(shown: Json, actual: Json, path = '$'): string[] {
    const differs = () => [`${path}: the guide shows ${brief(shown)}, the answer is ${brief(actual)}`];
    if (typeof shown === 'string') {
      return typeof actual === 'string' && this.sameText(shown, actual) ? [] : differs();
    }
    if (isList(shown)) return isList(actual) ? this.lists(shown, actual, path) : differs();
    if (shown === null || typeof shown !== 'object') return isDeepStrictEqual(shown, actual) ? [] : differs();
    if (actual === null || typeof actual !== 'object' || isList(actual)) return differs();
    const problems = Object.entries(shown).flatMap(([name, value]) => {
      if (name === REST) return [];
      const found = Object.hasOwn(actual, name) ? actual[name]! : undefined;
      if (found === undefined) return [`${path}.${name}: missing in the answer`];
      return this.differences(value, found, `${path}.${name}`);
    });
    if (REST in shown) return problems;
    const unknown = Object.keys(actual).filter((name) => !Object.hasOwn(shown, name));
    return [...problems, ...unknown.map((name) => `${path}.${name}: not shown by the guide, ${brief(actual[name]!)}`)];
  }

  /** Compares line by line; a line `…` stands for any number of lines. */
  textDifferences(shown: string, actual: string): string[] {
    const pattern = shown
      .trim()
      .split('\n')
      .map((line) => (line.trim() === REST ? '(?:.*\n)*?' : `${wildcard(line)}\n`))
      .join('');
    if (new RegExp(`^${pattern}$`).test(`${actual.trim()}\n`)) return [];
    return ['the guide shows:', ...indented(shown), 'the answer is:', ...indented(actual)];
  }

  private lists(shown: readonly Json[], actual: readonly Json[], path: string): string[] {
    const open = shown.at(-1) === REST;
    const items = open ? shown.slice(0, -1) : shown;
    if (open ? actual.length < items.length : actual.length !== items.length) {
      return [`${path}: the guide shows ${items.length} items, the answer has ${actual.length}: ${brief(actual)}`];
    }
    return items.flatMap((item, i) => this.differences(item, actual[i]!, `${path}[${i}]`));
  }

  private sameText(shown: string, actual: string): boolean {
    if (UUID.test(shown)) return UUID.test(actual) && this.sameUuid(shown, actual);
    if (DATETIME.test(shown)) return DATETIME.test(actual);
    if (DATE.test(shown)) return DATE.test(actual);
    return new RegExp(`^${wildcard(shown)}$`, 's').test(actual);
  }

  private sameUuid(shown: string, actual: string): boolean {
    if (!this.meant.has(shown) && !this.shownAs.has(actual)) {
      this.meant.set(shown, actual);
      this.shownAs.set(actual, shown);
    }
    return this.meant.get(shown) === actual;
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function wildcard(text: string): string {
  return text
    .split(REST)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
}

function brief(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function indented(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .slice(0, 40)
    .map((line) => `  ${line}`);
}
