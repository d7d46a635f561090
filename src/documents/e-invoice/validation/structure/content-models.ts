import type { Syntax } from '../engine/invoice-document';
import { CII_STRUCTURE } from './cii-structure';
import { UBL_STRUCTURE } from './ubl-structure';

/** How often a child may occur, and where among the others. */
export interface Child {
  readonly name: string;
  readonly position: number;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Its content is not described, since EN 16931 does not use it. */
  readonly opaque: boolean;
}

/** The children of an element: a sequence, or a choice of one. */
export interface ContentModel {
  readonly choice: boolean;
  readonly children: ReadonlyMap<string, Child>;
}

/**
 * Reads a table of content models. Each line has the names of elements and their children: `?` optional, `*` optional and
 * repeatable, `+` repeatable, `~` opaque, `{}` in another namespace; after `:|`, one of them is chosen. Lines that begin with two spaces continue.
 */
function contentModels(text: string): ReadonlyMap<string, ContentModel> {
  const lines = text
    .trim()
    .replace(/\n {2}/g, ' ')
    .split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, names = '', choice, children = ''] = /^([^:]+):(\|?) (.*)$/.exec(line)!;
      const model: ContentModel = {
        choice: choice === '|',
        children: new Map(children.split(' ').map((entry, position) => childOf(entry, position))),
      };
      return names.split(' ').map((name) => [name, model] as const);
    }),
  );
}

function childOf(entry: string, position: number): [string, Child] {
  const [, name = '', cardinality = ''] = /^((?:\{\})?\w+)(.*)$/.exec(entry)!;
  const has = (...signs: readonly string[]) => signs.some((sign) => cardinality.includes(sign));
  return [name, { name, position, required: !has('?', '*'), repeatable: has('*', '+'), opaque: has('~') }];
}

/** The content models of the elements that EN 16931 uses, by element name. */
export const CONTENT_MODELS: Readonly<Record<Syntax, ReadonlyMap<string, ContentModel>>> = {
  UBL: contentModels(UBL_STRUCTURE),
  CII: contentModels(CII_STRUCTURE),
};
