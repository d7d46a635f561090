import type { DocumentType } from '../../metadata';
import { cellBelow, type PlacedCell } from '../layout/labels';
import type { Cell, Line } from '../layout/lines';

/**
 * `null` marks titles of documents that have no type of their own; nothing is read from them. A `correction` is an invoice or a
 * credit note. A document that is `self_billed` may be the customer's invoice to itself, or a credit note.
 */
export type TitledType = ReadType | 'correction' | null;
/** What the labels of a document are chosen by. */
export type ReadType = DocumentType | 'self_billed';

const TITLES: readonly (readonly [TitledType, string])[] = [
  [null, 'pro[- ]?forma[- ]?(?:rechnung|invoice)?|angebot|kostenvoranschlag|(?:sales )?(?:quote|quotation|offer|estimate)|bestellung|(?:purchase )?order|statement(?: of account)?|rechnungsabschluss|leistungsnachweis|time ?sheet'],
  ['correction', 'korrekturrechnung|rechnungs-?korrektur|correct(?:ed|ion) invoice|invoice correction'],
  ['credit_note', 'gutschrift|(?:storno|gutschrifts)rechnung|rechnungsstorno|stornierung|credit (?:note|memo|invoice)|cancell?ation invoice'],
  ['reminder', '(?:(?:\\d\\.|erste|zweite|dritte|letzte|first|second|third|final) )?(?:mahnung|zahlungserinnerung|(?:payment |invoice )?reminder|dunning (?:notice|letter))'],
  ['bank_statement', 'kontoauszug|(?:bank|account) statement'],
  ['delivery_note', 'lieferschein|delivery note'],
  ['order_confirmation', '(?:auftrags|bestell)bestätigung|order confirmation'],
  ['receipt', 'quittung|kassen(?:bon|beleg|zettel)|(?:payment |sales )?receipt'],
  ['contract', '(?:miet|kauf|dienst|dienstleistungs|arbeits|rahmen|wartungs|leasing|darlehens)?vertrag|contract|(?:service|rental|lease|purchase) (?:agreement|contract)'],
  ['invoice', '\\p{L}*(?<!ab)rechnung|(?:(?:tax|vat|sales|final|partial) )?invoice'],
]; // prettier-ignore

/** Words that may follow a title in its cell, besides numbers and dates. */
const FOLLOWING =
  /^(?:nr|no|nummer|number|vom|from|of|dated|den|issued|at|on|kopie|copy|original|duplikat|januar|january|februar|february|märz|march|april|mai|may|juni|june|juli|july|august|september|oktober|october|november|dezember|december)$/i;
const PATTERNS = TITLES.map(([type, words]) => [type, new RegExp(`^(?:${words})(?![\\p{L}])`, 'iu')] as const);
/** What says more of a title before its number: "Rechnung (Kopie) Nr.", "Rechnung des Versicherers Nr.", "Teilrechnung Bau (875) Nr." */
export const QUALIFIER = String.raw`(?:(?: (?:des|der|of the) \p{L}+| \p{L}+(?= \(\d{3}\)))?(?: ?\([^()]{1,40}\))?)`;
const QUALIFIED = new RegExp(`^${QUALIFIER}`, 'u');
/** The same title again, as in "Handelsrechnung Nr. 17 - RECHNUNG". */
const REPEATED = /\s[-–]\s([\p{L}-]+)$/u;
/** Longer text is a sentence. */
const LONGEST = 80;
/** Two titles in one, such as "Rechnung / Lieferschein". */
const COMBINED = new RegExp(`^(?:${TITLES.map(([, words]) => words).join('|')})\\s*(?:/|&|und |and )\\s*\\p{L}`, 'iu');
const PREFIX = /^(?:betreff|betr\.?|subject|re)\s*:\s*/i;
/** A title is in the upper part of the first page. */
const LOWEST = 0.6;
const TOP = 0.3;
/** A title with this multiple of the usual size of text stands out, wherever its line is. */
const PROMINENT = 1.15;
/** A self-billed invoice is called "Gutschrift", too (§ 14 (2) UStG), and it is an invoice. */
const SELF_BILLED =
  /gutschriftsverfahren|self[- ]?bill|§ ?14 (?:abs\. ?2|\(2\))|gutschriftempfänger|provisionsgutschrift|selbst ausgestellte/i;

interface Title extends PlacedCell {
  readonly type: TitledType;
}

/**
 * The type of a document by its title. Undefined when it has no title, or titles of several types and none is larger than the
 * others.
 */
export function titledType(lines: readonly Line[]): TitledType | undefined {
  const types = new Set(largestTitles(lines).map(({ type }) => type));
  if (types.size !== 1) return undefined;
  const [type] = types;
  const isDoubtful =
    type === 'credit_note' && lines.some(({ cells }) => cells.some(({ text }) => SELF_BILLED.test(text)));
  return isDoubtful ? 'self_billed' : type;
}

/** What is written directly below the title: many programs put number and date there without a label. */
export function belowTitle(lines: readonly Line[]): string[] {
  return largestTitles(lines).flatMap((title) => cellBelow(lines, title)?.cell.text ?? []);
}

function largestTitles(lines: readonly Line[]): Title[] {
  const body = usualSize(lines);
  const titles = lines.flatMap((line, row) =>
    line.page > 0 || line.at >= LOWEST
      ? []
      : line.cells.flatMap((cell): Title[] => {
          const type = standsOut(cell, line, body) ? typeOf(cell) : undefined;
          return type === undefined ? [] : [{ type, cell, row }];
        }),
  );
  const largest = Math.max(...titles.map(({ cell }) => cell.size));
  return titles.filter(({ cell }) => cell.size > largest * 0.95);
}

/** A label before a value is no title, whatever its size is. */
function standsOut(cell: Cell, line: Line, body: number): boolean {
  if (cell.text.endsWith(':') && line.cells.at(-1) !== cell) return false;
  return cell.size >= body * PROMINENT || line.cells.length === 1 || isHeadingInCapitals(cell, line);
}

function typeOf(cell: Cell): TitledType | undefined {
  const text = withoutLetterSpacing(cell.text).replace(PREFIX, '');
  if (text.length > LONGEST) return undefined;
  if (COMBINED.test(text)) return null;
  const once = withoutRepetition(text);
  return PATTERNS.find(([, pattern]) => pattern.test(once) && isNumberOrDate(once.replace(pattern, '')))?.[0];
}

function withoutRepetition(text: string): string {
  const [repeated, word] = REPEATED.exec(text) ?? [];
  if (repeated === undefined) return text;
  const before = text.slice(0, -repeated.length);
  return PATTERNS.some(([, pattern]) => pattern.test(before) && pattern.test(word!)) ? before : text;
}

/** Whether only numbers, dates and the words that introduce them follow the title and its qualifier. */
function isNumberOrDate(rest: string): boolean {
  const words = rest
    .replace(QUALIFIED, '')
    .split(/[\s:#|,()]+/)
    .map((word) => word.replace(/\.$/, ''));
  return words.every((word) => /^[–-]?$/.test(word) || /\d/.test(word) || FOLLOWING.test(word));
}

/** At the top of the page, capitals or spaces between the letters replace a larger font. */
function isHeadingInCapitals({ text }: Cell, { at }: Line): boolean {
  return at < TOP && text === text.toUpperCase();
}

/** "R E C H N U N G" is a word. */
function withoutLetterSpacing(text: string): string {
  return /^\p{L}(?: \p{L}){4,}$/u.test(text) ? text.replaceAll(' ', '') : text;
}

/** The size in which most characters are written. */
function usualSize(lines: readonly Line[]): number {
  const characters = new Map<number, number>();
  for (const { cells } of lines)
    for (const { size, text } of cells) {
      const rounded = Math.round(size * 2) / 2;
      characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
    }
  return [...characters].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}
