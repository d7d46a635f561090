import type { Decimal } from '../../e-invoice/decimal';
import { cellBelow, type PlacedCell } from '../layout/labels';
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
  /** The index of its line. */
  readonly row: number;
  /** The index of its cell. */
  readonly column: number;
}

const TAX_WORD =
  '(?:ust|mwst|mehrwertsteuer|umsatzs?steuer|steuern?|vat|tax(?:es)?|gst|value added tax|versicherungsst(?:euer|\\.))';
/** The name of the tax as a word of its own: neither "Steuernummer" nor "USt-IdNr." nor "Steuerberatung". */
const TAX_NAME = `(?:^|[^\\p{L}])${TAX_WORD}(?:betr[aä]g|summe|satz|frei\\p{L}*|befreit)?(?!\\p{L}|[-.\\s]*(?:nr|id|nummer|number|no\\b))`;
const WITH_TAX = `(?:inkl|incl|inc|einschl|including|inclusive|mit)[a-z.]* .{0,14}${TAX_WORD}`;
const WITHOUT_TAX = `(?:exkl|excl|ex|ohne|vor|before|without|excluding)[a-z.]* .{0,14}${TAX_WORD}`;

/** In order: the first kind that fits is the kind of the label. */
const KINDS: readonly (readonly [RegExp, TotalKind | null])[] = [
  [/übertrag|carried|vorauszahl|vorausbezahlt|(?:zu|ab)schl[aä]ge?(?![\p{L}])|allowance|surcharge|anzahlung|prepaid|paid|gezahlt|skonto|rabatt|nachlass|discount|versand|shipping|porto|fracht|freight|transport|einzelpreis|stückpreis|(?:brutto|netto)-?preis|unit price|saldo|guthaben|mahn|gebühr/iu, null],
  [new RegExp(`(?:summe|betrag|total|gesamt|amount|preis).*${WITH_TAX}`, 'i'), 'gross'],
  [new RegExp(`(?:summe|betrag|total|gesamt|amount|preis).*${WITHOUT_TAX}`, 'i'), 'net'],
  [/netto|\bnet\b|zwischensumme|sub-?\s?total|warenwert|bemessungsgrundlage|taxable|positionssumme|steuerbasis|basisbetrag|tax base|base amount|entgelt/i, 'net'],
  [/brutto|\bgross\b/i, 'gross'],
  [new RegExp(TAX_NAME, 'iu'), 'tax'],
  [/zahlbetrag|zu (?:be)?zahlen|zahlbar|fällig|amount due|balance due|total due|due amount|(?:amount|total|due) payable|restbetrag|offener betrag|forderungs?betrag|überweisungsbetrag/i, 'due'],
  [/rechnungs-?\s?(?:betrag|summe|endbetrag|total)|end-?(?:betrag|summe)|grand total|invoice (?:total|amount)|total (?:invoice )?amount|gutschrifts?-?betrag|gesamt-?(?:rechnungs)?betrag|auszahlungsbetrag/i, 'gross'],
  [/^(?:die )?(?:summe gesamt|gesamt-?\s?(?:summe|preis)?|summe|total(?: price)?|betrag)(?![\p{L}])/iu, 'total'],
]; // prettier-ignore

/** The label of a row with what the tax is calculated on, and the tax. */
const TAX_ROW = new RegExp(TAX_NAME, 'iu');
const TAX_FIRST = new RegExp(`^${TAX_NAME}`, 'iu');
/** A rate without its sign, in the column of rates. */
const BARE_RATE = /^\d{1,2}(?:[.,]\d{1,2})?$/;
/** "19 % USt." is the label of a tax, but after other text it is the rate of an item. */
const RATE_FIRST = /^\d{1,2}(?:[.,]\d{1,2})? ?%/;
const ADDED = new RegExp(`^(?:zzgl|zuzügl|plus|incl|inkl|enth|davon|darin)|^${TAX_NAME}`, 'iu');

/** One hundredth as a decimal. */
export const CENT = 10_000_000_000n;
/** More amounts in one column are a table of items. */
const MAX_COLUMN = 8;

/** Not a label: a percentage, the code of a category of tax, a currency, or punctuation. */
const FILLER = /^(?:[\s:=+*()-]|\(\p{L}{1,2}\)|\d{1,2}(?:[.,]\d{1,2})? ?%|EUR|€|USD|GBP|CHF|von|auf|of|on|aus)*$/iu;

/** Wide gaps in words, which some programs make by kerning: "Br uttosumme". */
const BROKEN = /(?<=\p{L}) (?=\p{Ll})/gu;

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
  const amounts = line.cells.flatMap(({ text }) => moneyIn(text).map(({ value }) => value));
  const before = [
    ...line.cells.slice(0, index).map(({ text }) => text),
    cell.text.slice(0, moneyIn(cell.text)[0]!.start),
  ];
  const label = labelOf(before, amounts);
  const kind = label === undefined ? undefined : amounts.length > 1 && TAX_ROW.test(label) ? 'tax' : kindOf(label);
  if (!kind) return [];
  const texts = line.cells.slice(0, index + 1).map(({ text }) => text);
  return [toRow(kind, amount, texts, { row: at, column: index })];
}

/** The last text before the last of the amounts that names it. */
function labelOf(before: readonly string[], amounts: readonly Decimal[]): string | undefined {
  const texts = before.map((text) => text.trim()).filter((text) => !FILLER.test(text) && moneyIn(text).length === 0);
  const [label, previous] = [texts.at(-1), texts.at(-2)];
  if (label === undefined || previous === undefined) return label;
  if (BARE_RATE.test(label)) return TAX_FIRST.test(previous) && isTaxAt(label, amounts) ? previous : undefined;
  return RATE_FIRST.test(label) && !ADDED.test(previous) ? undefined : label;
}

/** Whether the last amount is the tax on another one: a number without a sign can also be a quantity. */
function isTaxAt(rate: string, amounts: readonly Decimal[]): boolean {
  const hundredths = BigInt(Math.round(Number(rate.replace(',', '.')) * 100));
  const tax = amounts.at(-1)!;
  const difference = (base: Decimal) => (base * hundredths) / 10_000n - tax;
  return amounts.slice(0, -1).some((base) => difference(base) <= CENT && difference(base) >= -CENT);
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
    const column = kind ? moneyBelow(lines, { cell, row: at }) : [];
    const last = column.at(-1);
    const others = column.slice(0, -1).reduce((sum, { amount }) => sum + amount.value, 0n);
    if (!kind || !last || (column.length > 1 && others !== last.amount.value)) return [];
    const place = { row: last.row, column: lines[last.row]!.cells.indexOf(last.cell) };
    return [toRow(kind, last.amount, [cell.text, last.cell.text], place)];
  });
}

interface Amount extends PlacedCell {
  readonly amount: Money;
}

/** The amounts of a column, down to the first cell that contains something else. */
function moneyBelow(lines: readonly Line[], label: PlacedCell): Amount[] {
  const found: Amount[] = [];
  for (let below = cellBelow(lines, label); below; below = cellBelow(lines, below)) {
    const amount = onlyMoney(below.cell);
    if (!amount || found.length > MAX_COLUMN) break;
    found.push({ ...below, amount });
  }
  return found;
}

function onlyMoney(cell: Cell): Money | undefined {
  const [amount, second] = moneyIn(cell.text);
  return amount && !second && !/\p{L}{4}/u.test(cell.text) ? amount : undefined;
}

function kindOf(label: string): TotalKind | undefined {
  if (label.length > 70) return undefined;
  const [, kind] = findKind(label) ?? findKind(label.replace(BROKEN, '')) ?? [];
  return kind ?? undefined;
}

function findKind(label: string) {
  return KINDS.find(([pattern]) => pattern.test(label));
}

function toRow(
  kind: TotalKind,
  amount: Money,
  texts: readonly string[],
  place: Pick<TotalRow, 'row' | 'column'>,
): TotalRow {
  const text = texts.join(' ');
  const rates = [...text.matchAll(/(\d{1,2}(?:[.,]\d{1,2})?) ?%/g)].map(([, rate]) => Number(rate!.replace(',', '.')));
  const currencies = amount.currency === undefined ? currenciesIn(text) : new Set([amount.currency]);
  return { kind, value: amount.value, currencies, rates, ...place };
}
