import type { Decimal } from '../../e-invoice/decimal';
import type { Line } from '../layout/lines';
import { currenciesIn } from '../values/money';
import { onlyValue } from './only-value';
import { type TotalRow, totalRows } from './total-rows';

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

const CENT = 10_000_000_000n;
/** More rows of one kind than this are a table, not totals. */
const MAX_ROWS = 12;
/** The highest rate of VAT in the European Union is 27 percent. */
const HIGHEST_RATE = 27;
const EXEMPT =
  /§ ?19\b|kleinunternehmer|steuerfrei|umsatzsteuerbefreit|reverse[- ]charge|steuerschuldnerschaft|vat exempt|exempt from (?:vat|tax)|innergemeinschaftliche lieferung|intra-community|nicht steuerbar|without vat|no vat|ohne (?:umsatzsteuer|mwst|ust)/i;

/**
 * The totals of an invoice, when they prove each other: net + tax = gross, with a rate that the document names, or one labelled
 * amount in a document that says why it has no tax. Undefined when no totals, or several different ones, are proven.
 */
export function provenTotals(lines: readonly Line[]): Totals | undefined {
  const rows = totalRows(lines);
  const proof = onlyProof(proofs(rows));
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
      if (!tax || gross.place === net.place || !isPlausible(net.value, tax)) return [];
      const isExplicit = net.kind === 'net' && gross.kind !== 'total';
      return [{ net: net.value, tax: tax.sum, gross: gross.value, isExplicit, rows: [gross, net, ...tax.rows] }];
    }),
  );
}

/** One row for each place and value. */
function candidates(rows: readonly TotalRow[], kinds: readonly TotalRow['kind'][]): TotalRow[] {
  return rows.filter(({ kind }) => kinds.includes(kind));
}

interface TaxSum {
  readonly sum: Decimal;
  readonly rows: readonly TotalRow[];
}

/** Each tax by itself, and their sum: an invoice with several rates may have a row for each of them. */
function taxSums(rows: readonly TotalRow[]): TaxSum[] {
  const single = rows.map((row) => ({ sum: row.value, rows: [row] }));
  const distinct = rows.filter(
    (row, at) =>
      rows.findIndex(({ value, rates }) => value === row.value && String(rates) === String(row.rates)) === at,
  );
  const add = (some: readonly TotalRow[]) => ({ sum: some.reduce((sum, { value }) => sum + value, 0n), rows: some });
  return [...single, add(rows), add(distinct)];
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

/** A document without tax has one amount; it must be labelled, and say why there is no tax. */
function totalWithoutTax(rows: readonly TotalRow[], lines: readonly Line[]): Totals | undefined {
  const isExempt = lines.some(({ cells }) => cells.some(({ text }) => EXEMPT.test(text)));
  if (!isExempt || rows.some(({ kind, value }) => kind === 'tax' && value !== 0n)) return undefined;
  const labelled = rows.filter(({ kind }) => kind !== 'tax');
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

/** The currency of the totals; that of the whole document where they name none. `null` when they are in several currencies. */
function currencyOf(rows: readonly TotalRow[], lines: readonly Line[]): string | null | undefined {
  const named = new Set(rows.flatMap(({ currencies }) => [...currencies]));
  if (named.size > 1) return null;
  if (named.size === 1) return [...named][0];
  const all = new Set(lines.flatMap(({ cells }) => cells.flatMap(({ text }) => [...currenciesIn(text)])));
  return all.size === 1 ? [...all][0] : undefined;
}
