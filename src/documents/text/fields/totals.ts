import type { Decimal } from '../../e-invoice/decimal';
import { labeled } from '../layout/labels';
import type { Line } from '../layout/lines';
import { currenciesIn } from '../values/money';
import { onlyValue } from './only-value';
import { CENT, type TotalRow, totalRows } from './total-rows';

/** The proven totals of a document. All have the sign of the document: a credit note may write them with a minus. */
export interface Totals {
  readonly gross: Decimal;
  readonly net?: Decimal;
  readonly tax?: Decimal;
  readonly currency?: string;
}

interface Proof {
  readonly net: Decimal;
  readonly tax: Decimal;
  readonly gross: Decimal;
  /** Whether no label is only "total". */
  readonly isExplicit: boolean;
  readonly rows: readonly TotalRow[];
}

/** More rows of one kind than this are a table, not totals. */
const MAX_ROWS = 12;
/** The label of a tax can have several lines. */
const LINES_OF_A_ROW = 3;
/** The highest rate of VAT in the European Union is 27 percent. */
const HIGHEST_RATE = 27;
/** A tax of a few cents fits every small amount. */
const LEAST_TAX = 20 * Number(CENT);
const EXEMPT =
  /§ ?19\b|kleinunternehmer|steuerfrei|umsatzsteuerbefreit|reverse[- ]charge|steuerschuldnerschaft|vat exempt|exempt from (?:vat|tax)|innergemeinschaftliche lieferung|intra-community|nicht steuerbar|without vat|no vat|ohne (?:umsatzsteuer|mwst|ust)/i;

/**
 * The totals of an invoice, when they prove each other: net + tax = gross, with a rate that the document names, a total with the tax
 * that it contains, or one labelled amount in a document that says why it has no tax. Undefined when no totals, or several different ones, are proven.
 */
export function provenTotals(lines: readonly Line[]): Totals | undefined {
  const rows = totalRows(lines);
  const all = proofs(rows);
  const proof = all.length > 0 ? onlyProof(all) : containedTax(rows);
  if (proof) {
    const currency = currencyOf(proof.rows, lines);
    return currency === null
      ? undefined
      : { net: proof.net, tax: proof.tax, gross: proof.gross, ...(currency && { currency }) };
  }
  return totalWithoutTax(rows, lines);
}

function proofs(rows: readonly TotalRow[]): Proof[] {
  const [nets, grosses] = [candidates(rows, ['net', 'total']), candidates(rows, ['gross', 'due', 'total'])];
  const taxRows = candidates(rows, ['tax']);
  if ([nets, grosses, taxRows].some(({ length }) => length > MAX_ROWS)) return [];
  const taxes = taxSums(taxRows);
  return nets.flatMap((net) =>
    grosses.flatMap((gross): Proof[] => {
      const tax = taxes.find(({ sum }) => sum === gross.value - net.value);
      if (!tax || (gross.row === net.row && gross.column === net.column) || !isPlausible(net.value, tax)) return [];
      const isExplicit = net.kind === 'net' && gross.kind !== 'total';
      return [{ net: net.value, tax: tax.sum, gross: gross.value, isExplicit, rows: [gross, net, ...tax.rows] }];
    }),
  );
}

/** The rows of these kinds. */
function candidates(rows: readonly TotalRow[], kinds: readonly TotalRow['kind'][]): TotalRow[] {
  return rows.filter(({ kind }) => kinds.includes(kind));
}

interface TaxSum {
  readonly sum: Decimal;
  readonly rows: readonly TotalRow[];
}

/**
 * Each tax by itself, and their sum: an invoice with several rates may have a row for each of them. The table of the taxes may also
 * be one of several places that name taxes.
 */
function taxSums(rows: readonly TotalRow[]): TaxSum[] {
  const single = rows.map((row) => ({ sum: row.value, rows: [row] }));
  const distinct = rows.filter(
    (row, at) =>
      rows.findIndex(({ value, rates }) => value === row.value && String(rates) === String(row.rates)) === at,
  );
  const add = (some: readonly TotalRow[]) => ({ sum: some.reduce((sum, { value }) => sum + value, 0n), rows: some });
  return [...single, ...[rows, distinct, ...tablesOf(rows)].filter(haveOneSign).map(add)];
}

/** Rows that follow each other. */
function tablesOf(rows: readonly TotalRow[]): TotalRow[][] {
  const tables: TotalRow[][] = [];
  for (const row of rows.toSorted((a, b) => a.row - b.row)) {
    const table = tables.at(-1);
    if (table && row.row - table.at(-1)!.row <= LINES_OF_A_ROW) table.push(row);
    else tables.push([row]);
  }
  return tables;
}

/** Taxes with different signs are not those of one total: some belong to discounts. */
function haveOneSign(rows: readonly TotalRow[]): boolean {
  return new Set(rows.flatMap(({ value }) => (value === 0n ? [] : value > 0n))).size < 2;
}

/** Whether the tax can be that of the net amount: at the rate that its row names, or between the lowest and the highest. */
function isPlausible(net: Decimal, { sum, rows }: TaxSum): boolean {
  if (net === 0n || (sum !== 0n && net < 0n !== sum < 0n)) return false;
  if (sum === 0n) return rows.length > 0;
  const rates = rows.flatMap((row) => row.rates);
  const [low, high] = rates.length > 0 ? [Math.min(...rates), Math.max(...rates)] : [0, HIGHEST_RATE];
  const share = (Number(sum) / Number(net)) * 100;
  const tolerance = (Number(CENT) * 5 * 100) / Math.abs(Number(net));
  return share >= low - tolerance && share <= Math.min(high, HIGHEST_RATE) + tolerance;
}

/** The only proof; of several, the only explicit one, else the only one with a tax. */
function onlyProof(all: readonly Proof[]): Proof | undefined {
  for (const some of [all, all.filter(({ isExplicit }) => isExplicit), all.filter(({ tax }) => tax !== 0n)]) {
    const found = onlyValue(some, ({ net, gross }) => `${net}/${gross}`);
    if (found) return found;
  }
  return undefined;
}

/**
 * The only total and the tax that it contains, which is that of the stated rate to the cent: invoices to consumers often state no net
 * amount.
 */
function containedTax(rows: readonly TotalRow[]): Proof | undefined {
  const gross = onlyValue(candidates(rows, ['gross', 'due', 'total']), ({ value }) => value);
  const tax = onlyValue(candidates(rows, ['tax']), ({ value }) => value);
  const [rate, ...others] = tax?.rates ?? [];
  if (!gross || !tax || rate === undefined || others.length > 0 || candidates(rows, ['net']).length > 0)
    return undefined;
  const expected = (Number(gross.value) * rate) / (100 + rate);
  if (rate === 0 || Number(tax.value) < LEAST_TAX || Math.abs(expected - Number(tax.value)) > Number(CENT))
    return undefined;
  return { net: gross.value - tax.value, tax: tax.value, gross: gross.value, isExplicit: true, rows: [gross, tax] };
}

/** A document without tax has one amount; it must be labelled, and say why there is no tax. */
function totalWithoutTax(rows: readonly TotalRow[], lines: readonly Line[]): Totals | undefined {
  const isExempt = lines.some(({ cells }) => cells.some(({ text }) => EXEMPT.test(text)));
  if (!isExempt || rows.some(({ kind, value }) => kind === 'tax' && value !== 0n)) return undefined;
  const stated = rows.filter(({ kind }) => kind !== 'tax');
  const labelled = stated.some(({ kind }) => kind === 'gross') ? stated.filter(({ kind }) => kind !== 'due') : stated;
  const total = onlyValue(labelled, ({ value }) => value);
  if (
    !total ||
    total.value === 0n ||
    !labelled.some(({ kind }) => kind === 'gross' || kind === 'due' || kind === 'total')
  )
    return undefined;
  const currency = currencyOf(labelled, lines);
  return currency === null ? undefined : { gross: total.value, ...(currency && { currency }) };
}

const CURRENCY_LABEL = /(?:rechnungs)?währung|(?:invoice )?currency/giu;

/**
 * The currency of the totals; where they name none, that with the label of the currency, else that of the whole document. `null` when
 * they are in several currencies.
 */
function currencyOf(rows: readonly TotalRow[], lines: readonly Line[]): string | null | undefined {
  const named = new Set(rows.flatMap(({ currencies }) => [...currencies]));
  if (named.size > 1) return null;
  if (named.size === 1) return [...named][0];
  const labelled = labeled(lines, CURRENCY_LABEL, (text) => onlyValue([...currenciesIn(text)]));
  if (labelled.length > 0) return onlyValue(labelled);
  const all = new Set(lines.flatMap(({ cells }) => cells.flatMap(({ text }) => [...currenciesIn(text)])));
  return all.size === 1 ? [...all][0] : undefined;
}
