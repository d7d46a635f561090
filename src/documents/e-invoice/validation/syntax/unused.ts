import type { InvoiceDocument } from '../engine/invoice-document';
import type { Rule, Severity } from '../engine/rule';
import { select } from '../engine/select';
import type { XmlNode } from '../engine/xml-node';

/** What a table of elements has in common. */
export interface UnusedTable {
  /** Before the numbers: `UBL` and `CR` make `UBL-CR-001`; a number may name another series (`DT-08`). */
  readonly syntax: 'UBL' | 'CII';
  readonly series: string;
  readonly severity: Severity;
}

/** Elements of a group that the rules except. */
export type Excepted = (node: XmlNode, group: string) => boolean;

/**
 * Rules for elements and attributes that are not used, from a table: each line is a path and the numbers of the rules with the last
 * names of their paths (`InvoicePeriod: 012 StartTime, 013 EndTime`). A path begins at the root element; `//` finds its first element
 * anywhere, `//*Amount` all whose names end so, `LINE` is a line of an invoice or a credit note, `.` the root element.
 */
export function unused({ syntax, series, severity }: UnusedTable, text: string, excepted?: Excepted): Rule[] {
  const lines = text
    .trim()
    .replace(/\n {2}/g, ' ')
    .split('\n');
  return lines.flatMap((line) => {
    const [, path = '', entries = ''] = /^(\S+): (.*)$/.exec(line)!;
    return entries.split(', ').map((entry): Rule => {
      const [number = '', name = ''] = entry.split(' ');
      const id = /^\d/.test(number) ? `${syntax}-${series}-${number}` : `${syntax}-${number}`;
      return {
        id,
        severity,
        class: 'BUSINESS_RULE',
        term: null,
        sentence: {
          key: name.startsWith('@') ? 'unused_attribute' : 'unused_element',
          values: { name: name.replace('@', '') },
        },
        at: (invoice) => firstOf(invoice, path, name, excepted),
        holds: () => false,
      };
    });
  });
}

/** Only the first place is a finding: the rules test the whole document at once. */
function firstOf(
  invoice: InvoiceDocument,
  path: string,
  name: string,
  excepted: Excepted | undefined,
): readonly XmlNode[] {
  for (const group of groups(invoice, path, name)) {
    if (excepted?.(group, path)) continue;
    const found = path === '//' ? [group] : select(group, name);
    if (found[0]) return [found[0]];
  }
  return [];
}

function groups(invoice: InvoiceDocument, path: string, name: string): readonly XmlNode[] {
  if (path === '.') return [invoice.root];
  if (path === '//') return name.startsWith('@') ? invoice.withAttribute(name.slice(1)) : invoice.named(name);
  if (path.startsWith('//')) return anywhere(invoice, path.slice(2));
  if (path === 'LINE' || path.startsWith('LINE/')) {
    const lines = select(invoice.root, 'InvoiceLine|CreditNoteLine');
    return path === 'LINE' ? lines : lines.flatMap((line) => select(line, path.slice('LINE/'.length)));
  }
  return select(invoice.root, path);
}

function anywhere(invoice: InvoiceDocument, path: string): readonly XmlNode[] {
  const [first = '', ...rest] = path.split('/');
  const found = first.startsWith('*') ? invoice.endingWith(first.slice(1)) : invoice.named(first);
  return rest.length === 0 ? found : found.flatMap((node) => select(node, rest.join('/')));
}
