import type { FieldSpec } from '../../../../core/field';
import { type AttachmentChoice, attachmentChoice, ATTACHMENTS_FIELD } from './attachment-choice';

/** Which mails of any sender are taken, which of their attachments, and whether texts are. */
export const CONTENT_FIELDS = [
  {
    id: 'subject_filter',
    type: 'text',
    label: { en: 'Only with these words in the subject', de: 'Nur mit diesen Wörtern im Betreff' },
    help: {
      en: 'Parts of the subject, separated by commas. Leave empty for all subjects.',
      de: 'Teile des Betreffs, durch Kommas getrennt. Leer lassen, um jeden Betreff zuzulassen.',
    },
    placeholder: { en: 'invoice, receipt', de: 'Rechnung, Beleg' },
    required: false,
    max: 1000,
  },
  ATTACHMENTS_FIELD,
  {
    id: 'take_texts',
    type: 'boolean',
    label: { en: 'Also fetch e-mails without attachments', de: 'Auch E-Mails ohne Anhang abrufen' },
    help: {
      en: 'For invoices that are written in the e-mail itself: its text becomes a document. Enter senders or words of the subject above; otherwise every e-mail is fetched.',
      de: 'Für Rechnungen, die in der E-Mail selbst stehen: Der Text der E-Mail wird zu einem Dokument. Geben Sie oben Absender oder Wörter im Betreff an, sonst wird jede E-Mail abgerufen.',
    },
    required: false,
    default: false,
  },
] as const satisfies readonly FieldSpec[];

/** The last fields of every mailbox's second step. */
export const FILTER_FIELDS = [
  {
    id: 'sender_filter',
    type: 'text',
    label: { en: 'Only from these senders', de: 'Nur von diesen Absendern' },
    help: {
      en: 'Parts of names or addresses, separated by commas. Leave empty for all senders.',
      de: 'Teile von Namen oder Adressen, durch Kommas getrennt. Leer lassen, um alle Absender zuzulassen.',
    },
    placeholder: { en: 'invoice@, example.com', de: 'rechnung@, example.com' },
    required: false,
    max: 1000,
  },
  ...CONTENT_FIELDS,
] as const satisfies readonly FieldSpec[];

/** Substrings of senders and subjects in lower case; an empty list matches everything. */
export interface MailFilters {
  readonly senders: readonly string[];
  readonly subjects: readonly string[];
  readonly attachments: AttachmentChoice;
  /** Whether mails without documents count as documents themselves. */
  readonly takesTexts: boolean;
}

/** Reads the filters of a stored second step. */
export function mailFilters(step2: Readonly<Record<string, unknown>>): MailFilters {
  return {
    senders: substrings(step2['sender_filter']),
    subjects: substrings(step2['subject_filter']),
    attachments: attachmentChoice(step2),
    takesTexts: step2['take_texts'] === true,
  };
}

/** Whether a mail contains one of the substrings of each set filter, ignoring case. */
export function passes(filters: MailFilters, mail: { readonly from: string; readonly subject: string }): boolean {
  return contains(mail.from, filters.senders) && contains(mail.subject, filters.subjects);
}

function substrings(list: unknown): string[] {
  if (typeof list !== 'string') return [];
  return list
    .split(',')
    .map((part) => comparable(part.trim()))
    .filter((part) => part !== '');
}

function contains(text: string, parts: readonly string[]): boolean {
  return parts.length === 0 || parts.some((part) => comparable(text).includes(part));
}

/** Normalizes umlauts, which may be one character or two. */
function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
