import type {
  Fact,
  FactGroup,
  FactRow,
  ReadableInvoice,
  ReadableLine,
} from '../../documents/e-invoice/readable/readable-invoice';
import type { Lang } from '../../platform/i18n/lang';
import type { ValidationReportView } from '../validation/validation-report.view';
import { READABLE_STYLE } from './readable-style';
import { FactFormatter, type ReadableText } from './show-fact';

/** Findings on the page; the report has all. */
const MAX_FINDINGS = 50;

export interface ReadablePageOptions {
  readonly filename: string;
  readonly lang: Lang;
  readonly text: ReadableText;
  /** Absent when no rules apply to the invoice. */
  readonly report?: ValidationReportView;
}

/** An e-invoice as an HTML page for people, by the groups of EN 16931. All values are untrusted and escaped. */
export function readablePage(invoice: ReadableInvoice, options: ReadablePageOptions): string {
  return new ReadablePage(options).render(invoice);
}

class ReadablePage {
  private readonly facts: FactFormatter;

  constructor(private readonly options: ReadablePageOptions) {
    this.facts = new FactFormatter(options.lang, options.text);
  }

  render(invoice: ReadableInvoice): string {
    const { lang, filename, report } = this.options;
    const type = invoice.type ? this.value(invoice.type) : this.text('untitled');
    const title = invoice.number ? `${type} ${this.value(invoice.number)}` : type;
    const due = invoice.totals.find(({ key }) => key === 'due');
    return [
      `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>`,
      `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
      `<style>${READABLE_STYLE}</style></head><body><main><header><h1>${title}</h1>`,
      `<p class="origin">${this.text('origin')} ${escape(filename)}</p>`,
      due ? `<p class="due">${this.label('due')}: <strong>${this.value(due)}</strong></p>` : '',
      invoice.isTruncated ? `<p class="verdict warned">${this.text('truncated')}</p>` : '',
      report ? this.verdict(report) : '',
      `</header><div class="groups">${invoice.groups.map((group) => this.group(group)).join('')}</div>`,
      this.lines(invoice.lines),
      this.rows('adjustments', ['reason', 'base', 'percent', 'category', 'rate', 'amount'], invoice.adjustments),
      this.rows('taxes', ['category', 'rate', 'reason', 'base', 'amount'], invoice.taxes, {
        base: 'taxable',
        reason: 'exemption',
        amount: 'tax',
      }),
      this.totals(invoice.totals),
      this.notes(invoice.notes),
      report && report.findings.length > 0 ? this.findings(report) : '',
      '</main></body></html>',
    ].join('\n');
  }

  private verdict({ ruleset, valid, errors, warnings }: ValidationReportView): string {
    const key = valid ? (warnings > 0 ? 'warned' : 'valid') : 'invalid';
    const values = {
      ruleset: ruleset.name,
      version: ruleset.version,
      errors: String(errors),
      warnings: String(warnings),
    };
    const sentence = this.options.text(key, values);
    return `<p class="verdict${key === 'invalid' ? ' bad' : key === 'warned' ? ' warned' : ''}">${escape(sentence)}</p>`;
  }

  private group({ key, facts }: FactGroup): string {
    return `<section><h2>${this.text(`group.${key}`)}</h2>${this.list(facts)}</section>`;
  }

  private list(facts: readonly Fact[], kind = ''): string {
    const items = facts.map((fact) => `<dt>${this.label(fact.key)}</dt><dd>${this.value(fact)}</dd>`);
    return `<dl${kind}>${items.join('')}</dl>`;
  }

  private lines(lines: readonly ReadableLine[]): string {
    if (lines.length === 0) return '';
    const head = ['line', 'item', 'quantity', 'price', 'vat', 'net'].map((key) => this.head(key, NUMERIC.has(key)));
    const rows = lines.map((line) => {
      const more = line.details.length > 0 ? this.list(line.details, ' class="more"') : '';
      const tax = line.tax.map((fact) => this.value(fact)).join(', ');
      return [
        `<tr>${this.cell(line.number)}<td${line.level > 0 ? ' class="sub"' : ''}>${line.name ? `<strong>${this.value(line.name)}</strong>` : ''}${more}</td>`,
        `${this.cell(line.quantity, true)}${this.cell(line.price, true)}<td>${tax}</td>${this.cell(line.net, true)}</tr>`,
      ].join('');
    });
    return this.table('lines', head, rows);
  }

  /** A table with those of the columns that have a value. `labels` names columns whose label differs from their key. */
  private rows(
    key: string,
    columns: readonly string[],
    rows: readonly FactRow[],
    labels: Readonly<Record<string, string>> = {},
  ): string {
    const used = columns.filter((column) => rows.some((row) => row[column]));
    if (rows.length === 0 || used.length === 0) return '';
    const head = used.map((column) => this.head(labels[column] ?? column, NUMERIC.has(column)));
    const body = rows.map(
      (row) => `<tr>${used.map((column) => this.adjustmentCell(column, row[column])).join('')}</tr>`,
    );
    return this.table(key, head, body);
  }

  /** The reason says whether it is an allowance or a charge. */
  private adjustmentCell(column: string, fact: Fact | undefined): string {
    if (fact && column === 'reason' && fact.key !== 'exemption')
      return `<td>${this.label(fact.key)}: ${this.value(fact)}</td>`;
    return this.cell(fact, NUMERIC.has(column));
  }

  private totals(totals: readonly Fact[]): string {
    if (totals.length === 0) return '';
    const rows = totals.map((fact) => `<tr><th scope="row">${this.label(fact.key)}</th>${this.cell(fact, true)}</tr>`);
    return `<section><table class="totals"><caption>${this.text('totals')}</caption><tbody>${rows.join('')}</tbody></table></section>`;
  }

  private notes(notes: readonly Fact[]): string {
    if (notes.length === 0) return '';
    return `<section><h2>${this.text('notes')}</h2>${notes.map((note) => `<p class="note">${this.value(note)}</p>`).join('')}</section>`;
  }

  private findings({ findings }: ValidationReportView): string {
    const head = ['severity', 'rule', 'finding'].map((key) => `<th scope="col">${this.text(key)}</th>`);
    const rows = findings.slice(0, MAX_FINDINGS).map(({ severity, rule, message }) => {
      const name = this.text(severity === 'FATAL' ? 'error' : 'warning');
      return `<tr><td>${name}</td><td>${escape(rule)}</td><td>${escape(message)}</td></tr>`;
    });
    const more = findings.length > MAX_FINDINGS ? `<p>${this.text('more_findings')}</p>` : '';
    return this.table('check', head, rows, '') + more;
  }

  /** A wide table scrolls by itself on small screens, also by keyboard. */
  private table(key: string, head: readonly string[], rows: readonly string[], width = ' class="wide"'): string {
    return [
      `<section><div class="scroll" role="region" tabindex="0" aria-labelledby="${key}"><table${width}>`,
      `<caption id="${key}">${this.text(key)}</caption><thead><tr>${head.join('')}</tr></thead>`,
      `<tbody>${rows.join('\n')}</tbody></table></div></section>`,
    ].join('');
  }

  private head(key: string, isNumeric: boolean): string {
    return `<th scope="col"${isNumeric ? ' class="n"' : ''}>${this.label(key)}</th>`;
  }

  private cell(fact: Fact | undefined, isNumeric = false): string {
    return `<td${isNumeric ? ' class="n"' : ''}>${fact ? this.value(fact) : ''}</td>`;
  }

  private value(fact: Fact): string {
    return escape(this.facts.show(fact));
  }

  private label(key: string): string {
    return this.text(`label.${key}`);
  }

  private text(key: string): string {
    return escape(this.options.text(key));
  }
}

const NUMERIC: ReadonlySet<string> = new Set(['quantity', 'price', 'net', 'base', 'percent', 'rate', 'amount']);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text, without the characters that change the direction of what follows them. */
function escape(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
