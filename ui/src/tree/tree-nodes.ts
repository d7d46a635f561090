import type { FieldOption } from '@docfetch/sdk';
import { normalizeText } from '../components/list/normalize-text';

/** The parent of the first level. */
export const ROOT = '';

export type NodeChildren =
  { readonly state: 'loading' | 'failed' } | { readonly state: 'loaded'; readonly options: readonly FieldOption[] };
/** The loaded part of a tree, by the value of the parent node. */
export type TreeNodes = Readonly<Record<string, NodeChildren>>;

/** One row of the tree: an option, or a placeholder for the state of a level. */
export interface TreeRow {
  readonly id: string;
  readonly label: string;
  readonly kind: 'option' | 'loading' | 'failed' | 'empty';
  readonly parent: string;
  readonly hasChildren: boolean;
  readonly selectable: boolean;
  readonly children: readonly TreeRow[];
}

/**
 * The rows below a parent. A collapsed node gets one invisible placeholder row: React Aria expands a node with the arrow key
 * only if it has child rows.
 */
export function treeRows(parent: string, nodes: TreeNodes, open: ReadonlySet<string>): TreeRow[] {
  const children = nodes[parent];
  if (!children) return [];
  if (children.state !== 'loaded') return [placeholderRow(parent, children.state)];
  if (children.options.length === 0 && parent !== ROOT) return [placeholderRow(parent, 'empty')];
  return children.options.map((option) => ({
    ...optionRow(option, parent),
    children: open.has(option.value)
      ? treeRows(option.value, nodes, open)
      : option.has_children
        ? [placeholderRow(option.value, 'loading')]
        : [],
  }));
}

function optionRow({ value, label, has_children: hasChildren, selectable }: FieldOption, parent: string): TreeRow {
  return { id: value, label, kind: 'option', parent, hasChildren, selectable, children: [] };
}

function placeholderRow(parent: string, kind: 'loading' | 'failed' | 'empty'): TreeRow {
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

/** Number of rows that are visible when the nodes in `open` are expanded. */
export const countVisibleRows = (rows: readonly TreeRow[], open: ReadonlySet<string>): number =>
  rows.reduce((count, row) => count + 1 + (open.has(row.id) ? countVisibleRows(row.children, open) : 0), 0);

export interface TreeMatch extends TreeRow {
  /** The labels of its ancestors, outermost first. */
  readonly path: readonly string[];
}

/** All loaded nodes whose label contains the text; case and accents are ignored. */
export function searchNodes(text: string, nodes: TreeNodes): TreeMatch[] {
  const query = normalizeText(text.trim());
  const visit = (parent: string, path: readonly string[]): TreeMatch[] => {
    const children = nodes[parent];
    if (children?.state !== 'loaded') return [];
    return children.options.flatMap((option) => {
      const match = normalizeText(option.label).includes(query)
        ? [{ ...optionRow(option, parent), hasChildren: false, path }]
        : [];
      return [...match, ...visit(option.value, [...path, option.label])];
    });
  };
  return visit(ROOT, []);
}

/** The labels of all loaded nodes, by value. */
export function labelsOf(nodes: TreeNodes): Record<string, string> {
  const options = Object.values(nodes).flatMap((children) => (children.state === 'loaded' ? children.options : []));
  return Object.fromEntries(options.map(({ value, label }) => [value, label]));
}

/** Whether every level has been loaded. */
export const isWhole = (nodes: TreeNodes): boolean =>
  unloadedParents(nodes).length === 0 && Object.values(nodes).every(({ state }) => state === 'loaded');

/** Nodes whose children have not been loaded yet, upper levels first. */
export function unloadedParents(nodes: TreeNodes): string[] {
  const parents: string[] = [];
  let level = [ROOT];
  while (level.length > 0) {
    const options = level.flatMap((parent) => {
      const children = nodes[parent];
      return children?.state === 'loaded' ? children.options.filter(({ has_children: has }) => has) : [];
    });
    level = options.map(({ value }) => value);
    parents.push(...level.filter((value) => !nodes[value]));
  }
  return parents;
}
