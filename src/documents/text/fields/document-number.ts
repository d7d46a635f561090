import { labeled, type LabelHit } from '../layout/labels';
import type { Line } from '../layout/lines';
import { moneyIn } from '../values/money';
import { parseDate } from '../values/written-date';
import { belowTitle, QUALIFIER, type ReadType } from './document-title';
import { onlyValue } from './only-value';

const NUMBER_WORD = String.raw`(?:[-–\s]*(?:nummer|nr\.?|number|no\.?|num\.?|id|#|№|n[º°]\.?))`;
const label = (words: string) => new RegExp(`(?:${words})${QUALIFIER}${NUMBER_WORD}`, 'giu');

/** A title at the beginning of its cell, and the number after it. */
const titleWith = (words: string) =>
  new RegExp(`^(?:${words})(?= ?[:#]? ?[A-Z]{0,6}[-/ ]?\\d[\\p{L}\\d/._-]{2})`, 'giu');

const INVOICE = label(
  '(?!ursprungs|original|bezugs|vor)\\p{L}*rechnungs?|rech(?:n)?\\.|rg\\.?|re\\.?|faktura|(?:tax |vat )?invoice|inv\\.?|bill',
);
const CREDIT = label(
  'gutschrifts?|storno(?:rechnungs?)?|korrekturrechnungs?|rechnungs-?korrektur|credit ?(?:note|memo|invoice)',
);
const DOCUMENT = label('belegs?|dokument(?:en)?|document');
/** In order of precision: the next label counts only when there is none of the ones before. */
const LABELS: Readonly<Partial<Record<ReadType, readonly RegExp[]>>> = {
  invoice: [INVOICE, DOCUMENT, titleWith('(?!ursprungs|original|bezugs|vor|[ex]r)\\p{L}*rechnung|invoice')],
  credit_note: [CREDIT, DOCUMENT, titleWith('gutschrift|stornorechnung|credit (?:note|memo)')],
  self_billed: [CREDIT, INVOICE, DOCUMENT],
  receipt: [label('quittungs?|bon|receipt'), DOCUMENT, INVOICE],
  reminder: [label('mahn(?:ungs?)?|reminder')],
  delivery_note: [label('lieferscheins?|ls|delivery note')],
  order_confirmation: [label('auftragsbestätigungs?|ab|order confirmation'), label('auftrags?|order')],
}; // prettier-ignore

/** The number belongs to another document, or is quoted as somebody else's. */
const FOREIGN =
  /(?:\b(?:zu|zur|ihre|ihrer|your|original|ursprüngliche|ursprungs|vorherige|bezug|betrifft|storno|storniert|korrigiert|ersetzt|for|previous|corrects|cancels|replaces|related|referenced)[\s:.(-]*)$/iu;
/** What the payer is asked to write or has written is no statement about the document, and may name another one. */
const PAYMENT_REFERENCE = /zahlungsreferenz|verwendungszweck|payment reference|remittance/i;
/** A line of a table in which other documents are listed has no label before its values, but one in prose can. */
const TOKEN = /^(?:[#№]\s*)?((?=[^\s]*\d)[\p{L}\d][\p{L}\d/._\\+–-]*[\p{L}\d]|\d)(?=$|[\s,;)|])/u;
const SPACED = /^((?:[A-Z]{1,6}|\d{2,6})(?:[ ](?=[\d/-])[\d/-]+)+)$/u;
/** What may follow a number in its cell: a word, but no second part of the number. */
const FOLLOWING = /^\s*(?:$|[,;|)(]|\p{Ll}|\p{L}{3})/u;
const ALONE = new RegExp(`^${NUMBER_WORD}[\\s:.]*`, 'iu');
const LONGEST = 40;

/** The number of a document of the given type; undefined when no label states it, or several numbers are stated. */
export function documentNumber(lines: readonly Line[], type: ReadType): string | undefined {
  const labels = LABELS[type];
  if (!labels) return undefined;
  for (const each of labels) {
    const found = labeled(lines, each, parseNumber, isOwn);
    if (found.length > 0) return onlyValue(found, (number) => number.replace(/\s+/g, '').toUpperCase());
  }
  return onlyValue(belowTitle(lines).flatMap((text) => numberAlone(text) ?? []));
}

/** "Nr. 17" below a title, and nothing else. */
function numberAlone(text: string): string | undefined {
  const [label] = ALONE.exec(text) ?? [];
  const rest = label === undefined ? '' : text.slice(label.length);
  return parseNumber(rest) === rest ? rest : undefined;
}

/** Whether the document states an invoice number with an unmistakable label. */
export function statesInvoiceNumber(lines: readonly Line[]): boolean {
  return labeled(lines, INVOICE, parseNumber, isOwn).length > 0;
}

function isOwn({ before }: LabelHit): boolean {
  return !FOREIGN.test(before) && !PAYMENT_REFERENCE.test(before);
}

function parseNumber(text: string): string | undefined {
  const spaced = SPACED.exec(text);
  const found = spaced ?? TOKEN.exec(text);
  const number = found?.[1];
  if (number === undefined || number.length > LONGEST || !FOLLOWING.test(text.slice(found![0].length)))
    return undefined;
  if (parseDate(number) !== undefined || moneyIn(number).length > 0) return undefined;
  return number;
}
