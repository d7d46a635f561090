import type { FieldOption } from '@docfetch/sdk';

/** The parent of the first level. */
export const ROOT = '';

export type Branch =
  { readonly state: 'loading' | 'failed' } | { readonly state: 'loaded'; readonly options: readonly FieldOption[] };
/** What is known of a tree that is loaded level by level, by the parent's value. */
export type Branches = Readonly<Record<string, Branch>>;

/** One row of the tree: an option, or a word on a level that is on its way. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly kind: 'option' | 'loading' | 'failed' | 'empty';
  readonly parent: string;
  readonly hasChildren: boolean;
  readonly selectable: boolean;
  readonly children: readonly Row[];
}

/**
 * The rows below a parent. What is closed has one row that is never seen, however much of it has been loaded: React Aria
 * opens with the arrow key only what it knows to have something below it.
 */
export function rowsBelow(parent: string, branches: Branches, open: ReadonlySet<string>): Row[] {
  const branch = branches[parent];
  if (!branch) return [];
  if (branch.state !== 'loaded') return [note(parent, branch.state)];
  if (branch.options.length === 0 && parent !== ROOT) return [note(parent, 'empty')];
  return branch.options.map((option) => ({
    ...asRow(option, parent),
    children: open.has(option.value)
      ? rowsBelow(option.value, branches, open)
      : option.has_children
        ? [note(option.value, 'loading')]
        : [],
  }));
}

function asRow({ value, label, has_children: hasChildren, selectable }: FieldOption, parent: string): Row {
  return { id: value, label, kind: 'option', parent, hasChildren, selectable, children: [] };
}

function note(parent: string, kind: 'loading' | 'failed' | 'empty'): Row {
  return {
    id: `\u0000${kind} ${parent}`,
    label: '',
    kind,
    parent,
    hasChildren: false,
    selectable: false,
    children: [],
  };
}

/** How many rows are seen. */
export const countRows = (rows: readonly Row[], open: ReadonlySet<string>): number =>
  rows.reduce((count, row) => count + 1 + (open.has(row.id) ? countRows(row.children, open) : 0), 0);

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

export interface Found extends Row {
  /** The names of what it lies in, outermost first. */
  readonly path: readonly string[];
}

/** Everything that has been loaded and whose name holds the text, wherever it lies; case and accents do not matter. */
export function search(text: string, branches: Branches): Found[] {
  const wanted = plain(text.trim());
  const visit = (parent: string, path: readonly string[]): Found[] => {
    const branch = branches[parent];
    if (branch?.state !== 'loaded') return [];
    return branch.options.flatMap((option) => {
      const hit = plain(option.label).includes(wanted) ? [{ ...asRow(option, parent), hasChildren: false, path }] : [];
      return [...hit, ...visit(option.value, [...path, option.label])];
    });
  };
  return visit(ROOT, []);
}

/** The names of all options that have been loaded. */
export function labelsOf(branches: Branches): Record<string, string> {
  const options = Object.values(branches).flatMap((branch) => (branch.state === 'loaded' ? branch.options : []));
  return Object.fromEntries(options.map(({ value, label }) => [value, label]));
}

/** What has something below it that has not been loaded yet, the upper levels first. */
export function unopened(branches: Branches): string[] {
  const found: string[] = [];
  let level = [ROOT];
  while (level.length > 0) {
    const options = level.flatMap((parent) => {
      const branch = branches[parent];
      return branch?.state === 'loaded' ? branch.options.filter(({ has_children: has }) => has) : [];
    });
    level = options.map(({ value }) => value);
    found.push(...level.filter((value) => !branches[value]));
  }
  return found;
}
