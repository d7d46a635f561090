import { secondsOf } from '../language/durations';
import type { Condition } from '../language/expressions/conditions';
import type { Evaluate } from '../language/expressions/evaluate';
import type { Names } from '../language/expressions/names';
import type { Place } from '../language/manifest-errors';
import type { ChangesManifest, ListManifest, PageManifest, ParentsManifest } from '../language/stream-manifest';
import type { CompiledRequest, Compiler } from './compiler';

export interface CompiledList {
  readonly request: CompiledRequest;
  readonly items: Evaluate;
  /** For messages. */
  readonly itemsPath: string;
  readonly page: CompiledPage;
  readonly ceiling: number | undefined;
  /** It is read once for each record of this one. */
  readonly of: CompiledParents | undefined;
}

/** A list whose pages can be read. */
export interface PagedList {
  /** For messages. */
  readonly name: string;
  readonly list: CompiledList;
  readonly id: Evaluate;
}

export interface CompiledParents extends PagedList {
  readonly as: string | undefined;
  readonly at: Evaluate | undefined;
  readonly skip: Condition | undefined;
}

export interface CompiledPage extends Pick<PageManifest, 'style' | 'size' | 'checked'> {
  readonly first: number;
  readonly value?: Evaluate;
  readonly more?: Evaluate;
  readonly last?: Evaluate;
  readonly total?: Evaluate;
  readonly pages?: Evaluate;
}

/** How the new records of a stream are found. Times in seconds. */
export type CompiledChanges =
  | { readonly strategy: 'snapshot'; readonly recent: number | undefined; readonly every: number }
  | {
      readonly strategy: 'updated_since';
      readonly at: Evaluate;
      readonly overlap: number;
      readonly sorted: boolean;
      readonly recheck: number | undefined;
      readonly lead: number;
    }
  | { readonly strategy: 'created_windows'; readonly at: Evaluate; readonly overlap: number; readonly lead: number }
  | { readonly strategy: 'months'; readonly from: string; readonly recheck: number }
  | { readonly strategy: 'cursor' };

const DAY_SECONDS = 86_400;

/** The variables of a request for a list. */
const LIST_NAMES = ['since', 'until', 'month', 'month_number', 'year', 'size', 'page', 'offset', 'cursor', 'after'];

/** Compiles the list of a stream. `outer` are the fields and choices. */
export function compileList(
  compiler: Compiler,
  place: Place,
  stream: string,
  given: ListManifest,
  outer: Names,
): CompiledList {
  const names = outer.with(...LIST_NAMES);
  const own = given.of === undefined ? names : names.with('parent');
  const parents = given.of && compileParents(compiler, [...place, 'of'], `${stream}.of`, given.of, names);
  return { ...compileFlat(compiler, place, given, own), of: parents };
}

function compileParents(
  compiler: Compiler,
  place: Place,
  name: string,
  given: ParentsManifest,
  names: Names,
): CompiledParents {
  return {
    name,
    list: { ...compileFlat(compiler, place, given, names), of: undefined },
    id: compiler.expression([...place, 'id'], given.id ?? 'id', names),
    as: given.as,
    at: compiler.optional([...place, 'at'], given.at, names),
    skip: compiler.condition([...place, 'skip'], given.skip, names),
  };
}

function compileFlat(
  compiler: Compiler,
  place: Place,
  given: Omit<ListManifest, 'of'>,
  names: Names,
): Omit<CompiledList, 'of'> {
  const { value, more, last, total, pages, ...page } = given.page ?? { style: 'none' };
  const read = (member: string, expression: string | undefined) =>
    compiler.optional([...place, 'page', member], expression, names);
  if ((page.style === 'cursor' || page.style === 'next') && value === undefined)
    compiler.manifestErrors.add([...place, 'page'], `${page.style} needs value, where the answer has it`);
  return {
    request: compiler.request(place, given, names),
    items: compiler.expression([...place, 'items'], given.items, names),
    itemsPath: given.items,
    page: {
      ...page,
      first: page.first ?? 1,
      value: read('value', value),
      more: read('more', more),
      last: read('last', last),
      total: read('total', total),
      pages: read('pages', pages),
    },
    ceiling: given.ceiling,
  };
}

export function compileChanges(
  compiler: Compiler,
  place: Place,
  given: ChangesManifest,
  names: Names,
): CompiledChanges {
  const seconds = (duration: string | undefined) => (duration === undefined ? undefined : secondsOf(duration));
  switch (given.strategy) {
    case 'snapshot':
      return { strategy: 'snapshot', recent: seconds(given.recent), every: seconds(given.every) ?? 0 };
    case 'updated_since':
      return {
        strategy: 'updated_since',
        at: compiler.expression([...place, 'at'], given.at, names),
        overlap: secondsOf(given.overlap),
        sorted: given.sorted ?? false,
        recheck: seconds(given.recheck),
        lead: seconds(given.lead) ?? 60 * DAY_SECONDS,
      };
    case 'created_windows':
      return {
        strategy: 'created_windows',
        at: compiler.expression([...place, 'at'], given.at, names),
        overlap: secondsOf(given.overlap),
        lead: seconds(given.lead) ?? 30 * DAY_SECONDS,
      };
    default:
      return given;
  }
}
