import type { FieldOption, FieldSpec } from '../../core/field';

/** The kinds of documents that users can select, in the order of the form. */
const OPTIONS: readonly FieldOption[] = [
  { value: 'invoice', label: { en: 'Invoices', de: 'Rechnungen' } },
  { value: 'credit_note', label: { en: 'Credit notes and cancellations', de: 'Gutschriften und Stornorechnungen' } },
  { value: 'received', label: { en: 'Received invoices and receipts', de: 'Eingangsrechnungen und Belege' } },
  { value: 'receipt', label: { en: 'Receipts', de: 'Belege' } },
  { value: 'bank_statement', label: { en: 'Account statements', de: 'Kontoauszüge' } },
  { value: 'document', label: { en: 'Other documents', de: 'Weitere Dokumente' } },
];
export const KINDS: readonly string[] = OPTIONS.map(({ value }) => value);

const FIELD_ID = 'kinds';

/** The field of the second step that selects kinds of documents; all of them by default. */
export function kindsField(kinds: readonly string[]): FieldSpec {
  const options = OPTIONS.filter(({ value }) => kinds.includes(value));
  return {
    id: FIELD_ID,
    type: 'select',
    label: { en: 'Documents', de: 'Dokumente' },
    help: {
      en: 'The documents to fetch. Drafts are skipped until they are issued.',
      de: 'Die Dokumente, die abgerufen werden. Entwürfe werden erst abgerufen, wenn sie ausgestellt sind.',
    },
    required: true,
    multiple: true,
    default: options.map(({ value }) => value),
    options,
  };
}

/** The selected kinds in a fixed order; all of them before the second step is completed. */
export function chosenKinds(step2: Readonly<Record<string, unknown>>, kinds: readonly string[]): readonly string[] {
  const chosen = step2[FIELD_ID];
  return Array.isArray(chosen) ? kinds.filter((kind) => chosen.includes(kind)) : kinds;
}
