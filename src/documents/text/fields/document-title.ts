import type { DocumentType } from '../../metadata';
import type { Cell, Line } from '../layout/lines';

/**
 * `null` marks titles of documents that have no type of their own; nothing is read from them. A `correction` is an invoice or a
 * credit note.
 */
export type TitledType = DocumentType | 'correction' | null;

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

/**
 * The type of a document by its title. Undefined when it has no title, or titles of several types and none is larger than the
 * others.
 */
export function titledType(lines: readonly Line[]): TitledType | undefined {
  const body = usualSize(lines);
  const titles = lines
    .filter(({ page, at }) => page === 0 && at < LOWEST)
    .flatMap((line) => line.cells.flatMap((cell) => titleOf(cell, line, body) ?? []));
  const largest = Math.max(...titles.map(({ size }) => size));
  const types = new Set(titles.filter(({ size }) => size > largest * 0.95).map(({ type }) => type));
  if (types.size !== 1) return undefined;
  const [type] = types;
  const isDoubtful =
    type === 'credit_note' && lines.some(({ cells }) => cells.some(({ text }) => SELF_BILLED.test(text)));
  return isDoubtful ? undefined : type;
}

function titleOf(cell: Cell, line: Line, body: number): { type: TitledType; size: number } | undefined {
  const text = withoutLetterSpacing(cell.text).replace(PREFIX, '');
  const standsOut = cell.size >= body * PROMINENT || line.cells.length === 1 || isHeadingInCapitals(cell, line);
  if (!standsOut) return undefined;
  if (text.length > LONGEST) return undefined;
  if (COMBINED.test(text)) return { type: null, size: cell.size };
  const found = PATTERNS.find(([, pattern]) => pattern.test(text) && isNumberOrDate(text.replace(pattern, '')));
  return found && { type: found[0], size: cell.size };
}

/** Whether only numbers, dates and the words that introduce them follow the title. */
function isNumberOrDate(rest: string): boolean {
  const words = rest.split(/[\s:#|,()]+/).map((word) => word.replace(/\.$/, ''));
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
