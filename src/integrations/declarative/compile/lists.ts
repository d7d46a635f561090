import { secondsOf } from '../language/durations';
import type { Evaluate } from '../language/expressions/evaluate';
import type { Names } from '../language/expressions/names';
import type { Place } from '../language/faults';
import type { ChangesManifest, ListManifest, PageManifest } from '../language/stream-manifest';
import type { CompiledRequest, Compiler } from './compiler';

export interface CompiledList {
  readonly request: CompiledRequest;
  readonly items: Evaluate;
  /** For messages. */
  readonly itemsPath: string;
  readonly page: CompiledPage;
  readonly ceiling: number | undefined;
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

export function compileList(compiler: Compiler, place: Place, given: ListManifest, names: Names): CompiledList {
  const { value, more, last, total, pages, ...page } = given.page ?? { style: 'none' };
  const read = (member: string, expression: string | undefined) =>
    compiler.optional([...place, 'page', member], expression, names);
  if ((page.style === 'cursor' || page.style === 'next') && value === undefined)
    compiler.faults.add([...place, 'page'], `${page.style} needs value, where the answer has it`);
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
