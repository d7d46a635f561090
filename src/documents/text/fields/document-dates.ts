import { labeled, type LabelHit } from '../layout/labels';
import type { Line } from '../layout/lines';
import { dayOrder, parseDate } from '../values/written-date';
import { belowTitle, QUALIFIER, type ReadType } from './document-title';
import { onlyValue } from './only-value';

const OF_INVOICE =
  '(?:rechnungs|beleg|ausstellungs|faktura|gutschrifts?)[- ]?datum|rechnungs-? ?(?:und|u\\.|/|&) ?(?:liefer|leistungs)-?datum|datum der rechnung|ausgestellt am|(?:invoice|issue|billing|bill|receipt|document|credit note)[- ]?date|date (?:of issue|issued|of invoice)|invoiced on|issued on';
const GENERAL = '(?<!liefer|leistungs|bestell|auftrags|fälligkeits|druck)datum|date';
const AFTER_TITLE = `(?:\\p{L}*rechnung|rechnungs-?korrektur|gutschrift|invoice|credit note)${QUALIFIER}(?: ?(?:nr|no|nummer|number)?\\.?[:#]? ?[\\p{L}\\d/._-]*\\d[\\p{L}\\d/._-]*)? (?:vom|von|dated|of|from|issued(?: at| on)?)(?= |$)`;
const PLACE_AND_DAY = '(?<=^\\p{Lu}[\\p{L} -]{2,30}, )(?:den$|(?:den|the)?(?= ?\\d))';

/** The header of a table with the items of an invoice: its dates are those of the items. */
const ITEMS =
  /^(?:pos\.?|position|menge|anzahl|leistung|beschreibung|bezeichnung|artikel|betrag|preis|description|item|qty\.?|quantity|amount|price)\b/i;

/** The document that is named is another one. */
const FOREIGN = /(?:\b(?:zu|zur|unsere[r]?|ihre|ihrer|für|for|our|your|original|storno|korrektur)[\s:.(-]*)$/iu;

const LOWEST = 0.8;

const pattern = (words: string) => new RegExp(`(?:${words})`, 'giu');
/** Labels that name the document. */
const EXPLICIT = { date: pattern(OF_INVOICE), title: pattern(AFTER_TITLE) };
/** In order of precision: the next label counts only when there is none of the ones before. */
const INVOICE_DATE = [EXPLICIT.date, pattern(GENERAL), EXPLICIT.title, pattern(PLACE_AND_DAY)];
const DATE: Readonly<Partial<Record<ReadType, readonly RegExp[]>>> = {
  invoice: INVOICE_DATE,
  credit_note: INVOICE_DATE,
  self_billed: INVOICE_DATE,
  receipt: INVOICE_DATE,
  reminder: ['mahndatum|reminder date', GENERAL, PLACE_AND_DAY].map(pattern),
  delivery_note: ['lieferscheindatum|delivery note date', GENERAL, PLACE_AND_DAY].map(pattern),
  order_confirmation: ['auftragsbestätigungsdatum|order confirmation date', GENERAL, PLACE_AND_DAY].map(pattern),
};
const DUE = pattern(
  'fällig(?:keit)?(?:sdatum|stag)?(?: (?:am|zum|bis|seit))?|zahlbar (?:bis(?: zum| spätestens)?|zum|am)|zahlungsziel|zahlungsfrist|zahlungstermin|(?:zu )?zahlen(?: sie)?(?: bitte)? bis(?: zum)?|zahlung bis(?: zum)?|payment due(?: date| by| on)?|due(?: date| by| on)?|pay(?:able|ment)? by|payable until|(?:remit|transfer)[a-z ]{0,20} (?:until|by)|überweis[a-z ]{0,40} bis(?: zum| spätestens)*',
);
/** A date by which a discount is granted is no due date. */
const DISCOUNT = /skonto|discount|abzüglich|abzgl|(?<!ohne )abschlag|%/i;

export interface DocumentDates {
  readonly date?: string;
  readonly due_date?: string;
}

/**
 * The date and due date of a document of the given type. A due date before the date is not read, and the date with it unless its label
 * says that it is that of the document: one of the two was misread.
 */
export function documentDates(lines: readonly Line[], type: ReadType): DocumentDates {
  const order = dayOrder(lines.flatMap(({ cells }) => cells.map(({ text }) => text)));
  const parse = (text: string) => parseDate(text, order);
  const labels = DATE[type];
  const { day: date, isExplicit } = labels ? firstStated(lines, labels, parse) : {};
  const due = labels === INVOICE_DATE ? onlyValue(labeled(lines, DUE, parse, isNoDiscount)) : undefined;
  if (date !== undefined && due !== undefined && due < date) return isExplicit ? { date } : {};
  return { ...(date && { date }), ...(due && { due_date: due }) };
}

function firstStated(
  lines: readonly Line[],
  labels: readonly RegExp[],
  parse: (text: string) => string | undefined,
): { day?: string | undefined; isExplicit?: boolean } {
  for (const each of labels) {
    const found = labeled(lines, each, parse, isLabelOfDocument);
    if (found.length > 0) return { day: onlyValue(found), isExplicit: Object.values(EXPLICIT).includes(each) };
  }
  return { day: onlyValue(belowTitle(lines).flatMap((text) => dateAlone(text, parse) ?? [])) };
}

/** A day that is all of the text: one of a period, or of something else that is named, is not that of the document. */
function dateAlone(text: string, parse: (text: string) => string | undefined): string | undefined {
  const [day] = /^(?:(?:vom|von|dated|of|from) )?(.{6,20})$/i.exec(text)?.slice(1) ?? [];
  return day !== undefined && !/\s[-–]\s/.test(day) ? parse(day) : undefined;
}

/**
 * "Date" is a label by itself, unless it is near the end of a page, but not at the end of "Delivery date", and not above a column of a
 * table of items. There it is that of a print-out or a signature.
 */
function isLabelOfDocument({ line, inCell, label }: LabelHit): boolean {
  if (!/^dat(?:um|e)$/i.test(label)) return !FOREIGN.test(inCell);
  if (line.at > LOWEST) return false;
  return /(?:^|[:,;|/]\s*)$/.test(inCell) && !line.cells.some(({ text }) => ITEMS.test(text));
}

function isNoDiscount({ line, valueLine }: LabelHit): boolean {
  return ![line, valueLine].some(({ cells }) => cells.some(({ text }) => DISCOUNT.test(text)));
}
