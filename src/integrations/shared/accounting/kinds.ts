import type { FieldSpec } from '../../core/field';

/** The document types of an accounting tool that users can select. */
export const KINDS = ['invoice', 'credit_note'] as const;
export type Kind = (typeof KINDS)[number];

/** The second step of accounting tools and billing portals. */
export const KINDS_FIELD = {
  id: 'kinds',
  type: 'select',
  label: { en: 'Documents', de: 'Dokumente' },
  help: {
    en: 'The documents to fetch. Drafts are skipped until they are issued.',
    de: 'Die Dokumente, die abgerufen werden. Entwürfe werden erst abgerufen, wenn sie ausgestellt sind.',
  },
  required: true,
  multiple: true,
  default: [...KINDS],
  options: [
    { value: 'invoice', label: { en: 'Invoices', de: 'Rechnungen' } },
    { value: 'credit_note', label: { en: 'Credit notes and cancellations', de: 'Gutschriften und Stornorechnungen' } },
  ],
} as const satisfies FieldSpec;

/** The selected kinds in a fixed order; all of them before the second step is completed. */
export function chosenKinds(step2: Readonly<Record<string, unknown>>): readonly Kind[] {
  const chosen = step2[KINDS_FIELD.id];
  return Array.isArray(chosen) ? KINDS.filter((kind) => chosen.includes(kind)) : KINDS;
}
