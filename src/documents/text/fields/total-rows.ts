import type { Decimal } from '../../e-invoice/decimal';
import { cellBelow } from '../layout/labels';
import type { Cell, Line } from '../layout/lines';
import { currenciesIn, type Money, moneyIn } from '../values/money';

/** What the label of a total says: `total` can be the net or the gross amount, `due` what remains to be paid. */
export type TotalKind = 'net' | 'tax' | 'gross' | 'total' | 'due';

/** An amount with the label of a total. */
export interface TotalRow {
  readonly kind: TotalKind;
  readonly value: Decimal;
  readonly currencies: ReadonlySet<string>;
  /** The percentages that the row names. */
  readonly rates: readonly number[];
  /** Where it is: two amounts of one place are one. */
  readonly place: string;
}

const TAX_WORD =
  '(?:ust|mwst|mehrwertsteuer|umsatzsteuer|steuern?|vat|tax|gst|value added tax|versicherungsst(?:euer|\\.))';
const WITH_TAX = `(?:inkl|incl|inc|einschl|including|inclusive|mit)[a-z.]* .{0,14}${TAX_WORD}`;
const WITHOUT_TAX = `(?:exkl|excl|ex|ohne|vor|before|without|excluding)[a-z.]* .{0,14}${TAX_WORD}`;

/** In order: the first kind that fits is the kind of the label. */
const KINDS: readonly (readonly [TotalKind | null, RegExp])[] = [
  [null, /übertrag|carried|vorauszahl|anzahlung|prepaid|paid|gezahlt|skonto|rabatt|nachlass|discount|versand|shipping|porto|einzelpreis|stückpreis|unit price|saldo|guthaben|mahn|gebühr/i],
  ['gross', new RegExp(`(?:summe|betrag|total|gesamt|amount|preis).*${WITH_TAX}`, 'i')],
  ['net', new RegExp(`(?:summe|betrag|total|gesamt|amount|preis).*${WITHOUT_TAX}`, 'i')],
  ['net', /netto|\bnet\b|zwischensumme|sub-?\s?total|warenwert|bemessungsgrundlage|taxable|positionssumme|steuerbasis|tax base|entgelt/i],
  ['gross', /brutto|\bgross\b/i],
  ['tax', new RegExp(`(?:^|[^\\p{L}])${TAX_WORD}(?![\\p{L}]*-?(?:nr|id|nummer|number|no\\b))|(?:umsatz|mehrwert)?steuer(?:betrag|summe)`, 'iu')],
  ['due', /zahlbetrag|zu (?:be)?zahlen|zahlbar|fällig|amount due|balance due|total due|due amount|(?:amount|total|due) payable|restbetrag|offener betrag|forderungs?betrag|überweisungsbetrag/i],
  ['gross', /rechnungs-?\s?(?:betrag|summe|endbetrag|total)|end-?(?:betrag|summe)|grand total|invoice (?:total|amount)|total (?:invoice )?amount|gutschrifts?-?betrag|gesamt-?(?:rechnungs)?betrag|auszahlungsbetrag/i],
  ['total', /^(?:die )?(?:summe gesamt|gesamt-?\s?(?:summe|preis)?|summe|total(?: price)?|betrag)(?![\p{L}])/iu],
]; // prettier-ignore

/** The label of a row with what the tax is calculated on, and the tax. */
const TAX_ROW = new RegExp(`(?:^|[^\\p{L}])${TAX_WORD}`, 'iu');

/** More amounts in one column are a table of items. */
const MAX_COLUMN = 8;

/** Not a label: a percentage, a currency, punctuation, or an amount that the tax is calculated on. */
const FILLER = /^(?:[\s:=+*()-]|\d{1,2}(?:[.,]\d{1,2})? ?%|EUR|€|USD|GBP|CHF|von|auf|of|on|aus)*$/i;

/** All amounts with the label of a total, beside or below it. */
export function totalRows(lines: readonly Line[]): TotalRow[] {
  return lines.flatMap((line, at) => [...besideLabels(line, at), ...belowLabels(lines, at)]);
}

/** The last amount of the line, whose label is the nearest text to its left. */
function besideLabels(line: Line, at: number): TotalRow[] {
  const index = line.cells.findLastIndex(({ text }) => moneyIn(text).length > 0);
  const cell = line.cells[index];
  const amount = cell && moneyIn(cell.text).at(-1);
  if (!cell || !amount || /\p{L}{4}/u.test(cell.text.slice(amount.end))) return [];
  const label = [cell.text.slice(0, moneyIn(cell.text)[0]!.start), ...line.cells.slice(0, index).map(({ text }) => text).reverse()]
    .map((text) => text.trim())
    .find((text) => !FILLER.test(text) && moneyIn(text).length === 0); // prettier-ignore
  const amounts = line.cells.reduce((sum, { text }) => sum + moneyIn(text).length, 0);
  const kind = label === undefined ? undefined : amounts > 1 && TAX_ROW.test(label) ? 'tax' : kindOf(label);
  if (!kind) return [];
  const texts = line.cells.slice(0, index + 1).map(({ text }) => text);
  return [toRow(kind, amount, texts, `${at}:${index}`)];
}

/**
 * Totals in columns: a row of labels above one row of amounts, or above several and their sum. Below the labels of a table of items
 * there are several rows without a sum.
 */
function belowLabels(lines: readonly Line[], at: number): TotalRow[] {
  const line = lines[at]!;
  if (line.cells.length < 2 || line.cells.some(({ text }) => moneyIn(text).length > 0)) return [];
  return line.cells.flatMap((cell) => {
    const kind = kindOf(cell.text);
    const column = kind ? moneyBelow(lines, at, cell) : [];
    const last = column.at(-1);
    const others = column.slice(0, -1).reduce((sum, { amount }) => sum + amount.value, 0n);
    if (!kind || !last || (column.length > 1 && others !== last.amount.value)) return [];
    return [toRow(kind, last.amount, [cell.text, last.cell.text], last.place)];
  });
}

interface Amount {
  readonly cell: Cell;
  readonly amount: Money;
  readonly place: string;
}

/** The amounts of a column, down to the first cell that contains something else. */
function moneyBelow(lines: readonly Line[], at: number, label: Cell): Amount[] {
  const found: Amount[] = [];
  for (let [row, cell] = [at, cellBelow(lines, at, label)]; cell; cell = cellBelow(lines, row, cell)) {
    const amount = onlyMoney(cell);
    if (!amount || found.length > MAX_COLUMN) break;
    const current = cell;
    row = lines.findIndex(({ cells }, index) => index > row && cells.includes(current));
    found.push({ cell, amount, place: `${row}:${lines[row]!.cells.indexOf(cell)}` });
  }
  return found;
}

function onlyMoney(cell: Cell): Money | undefined {
  const [amount, second] = moneyIn(cell.text);
  return amount && !second && !/\p{L}{4}/u.test(cell.text) ? amount : undefined;
}

function kindOf(label: string): TotalKind | undefined {
  if (label.length > 70) return undefined;
  return KINDS.find(([, pattern]) => pattern.test(label))?.[0] ?? undefined;
}

function toRow(kind: TotalKind, amount: Money, texts: readonly string[], place: string): TotalRow {
  const text = texts.join(' ');
  const rates = [...text.matchAll(/(\d{1,2}(?:[.,]\d{1,2})?) ?%/g)].map(([, rate]) => Number(rate!.replace(',', '.')));
  const currencies = amount.currency === undefined ? currenciesIn(text) : new Set([amount.currency]);
  return { kind, value: amount.value, currencies, rates, place };
}
