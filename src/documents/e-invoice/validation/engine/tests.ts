import type { InvoiceDocument } from './invoice-document';
import type { FindingClass, Rule, Sentence, Severity } from './rule';
import { exists, normalize, normalized, places, select, text } from './select';
import type { XmlNode } from './xml-node';

export type Selector = (invoice: InvoiceDocument) => readonly XmlNode[];
export type Condition = (node: XmlNode, invoice: InvoiceDocument) => boolean;

/** What a rule tests, without its id. */
export interface Test {
  readonly at: Selector;
  readonly holds: Condition;
  readonly sentence: Sentence;
  readonly class?: FindingClass;
}

export const ROOT: Selector = (invoice) => [invoice.root];

/** All elements with one of these names. */
export function named(...names: readonly string[]): Selector {
  return (invoice) => (names.length === 1 ? invoice.named(names[0]!) : names.flatMap((name) => invoice.named(name)));
}

/** All elements whose last ancestors are these: `PaymentMeans/CardAccount`; alternatives with `|`. `where` narrows them. */
export function matching(pattern: string, where?: Condition): Selector {
  const alternatives = pattern.split('|').map((each) => each.split('/').reverse());
  return (invoice) =>
    alternatives.flatMap(([name, ...ancestors]) =>
      invoice.named(name!).filter((node) => isBelow(node, ancestors) && (where === undefined || where(node, invoice))),
    );
}

function isBelow(node: XmlNode, ancestors: readonly string[]): boolean {
  let here: XmlNode | undefined = node;
  for (const name of ancestors) {
    here = here.parent;
    if (here?.name !== name) return false;
  }
  return true;
}

/** The nodes on a path from the root element. */
export function fromRoot(path: string, where?: Condition): Selector {
  return (invoice) => {
    const nodes = select(invoice.root, path);
    return where ? nodes.filter((node) => where(node, invoice)) : nodes;
  };
}

const MISSING: Sentence = { key: 'missing' };

/** The element is there; it may be empty. */
export function present(at: Selector, path: string): Test {
  return { at, holds: (node) => exists(node, path), sentence: MISSING };
}

/** The element is there once and not empty. */
export function filled(at: Selector, path: string): Test {
  return { at, holds: (node) => normalized(node, path) !== '', sentence: MISSING };
}

/** The element is there and not empty, however often. */
export function notBlank(at: Selector, path: string): Test {
  return { at, holds: (node) => select(node, path).some((each) => normalize(each.text) !== ''), sentence: MISSING };
}

/** Filled if the element, or what holds it, is there at all. */
export function filledIf(at: Selector, condition: string, path: string): Test {
  return { at, holds: (node) => !exists(node, condition) || normalized(node, path) !== '', sentence: MISSING };
}

/** At most two decimal places. */
export function twoPlaces(at: Selector, path: string): Test {
  return { at, holds: (node) => places(text(node, path)) <= 2, sentence: { key: 'places' } };
}

/** At most two decimal places of the first amount, where another rule refuses further ones. */
export function twoPlacesOfFirst(at: Selector, path: string): Test {
  return { at, holds: (node) => places(select(node, path)[0]?.text ?? '') <= 2, sentence: { key: 'places' } };
}

/** Any condition, with a sentence of its own. */
export function test(at: Selector, key: string, holds: Condition, values?: Record<string, string>): Test {
  return { at, holds, sentence: { key, ...(values && { values }) } };
}

/** Calculations contradict themselves when they fail: an error of content. */
export function calculation(at: Selector, key: string, holds: Condition, values?: Record<string, string>): Test {
  return { ...test(at, key, holds, values), class: 'CONTENT' };
}

export function rule(id: string, term: string | null, tested: Test, severity: Severity = 'FATAL'): Rule {
  const { at, holds, sentence } = tested;
  return { id, severity, class: tested.class ?? 'BUSINESS_RULE', term, sentence, at, holds };
}

/** The rules of one syntax. */
export interface BySyntax {
  readonly ubl: readonly Rule[];
  readonly cii: readonly Rule[];
}

/** One line of a table: a rule and how each syntax expresses it. */
export type Row = readonly [
  id: string,
  term: string | null,
  ubl: Test | undefined,
  cii: Test | undefined,
  severity?: Severity,
];

export function table(rows: readonly Row[]): BySyntax {
  const of = (column: 2 | 3) => rows.flatMap((row) => (row[column] ? [rule(row[0], row[1], row[column], row[4])] : []));
  return { ubl: of(2), cii: of(3) };
}

/** One line of a table of rules for UBL only. */
export type UblRow = readonly [id: string, term: string | null, ubl: Test, severity?: Severity];

export function ublRules(rows: readonly UblRow[]): Rule[] {
  return rows.map((row) => rule(...row));
}

export function together(parts: readonly BySyntax[]): BySyntax {
  return { ubl: parts.flatMap((part) => part.ubl), cii: parts.flatMap((part) => part.cii) };
}
