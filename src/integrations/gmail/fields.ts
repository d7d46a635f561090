import type { FieldOption, FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { FILTER_FIELDS, type MailFilters, mailFilters } from '../shared/mail/parts/kinds/mail-filters';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type GmailSession = Session<FieldValues<typeof STEP1>>;

/** All mails, independent of labels. */
export const ALL_MAIL = 'ALL_MAIL';
const INBOX = 'INBOX';

/** The second step: which labels, and which of the mails that have them. `labels` are the first-level options of the tree. */
export function step2Fields(labels: readonly FieldOption[]): FieldSpec[] {
  return [
    {
      id: 'labels',
      type: 'tree',
      label: { en: 'Labels', de: 'Labels' },
      help: {
        en: 'Documents are fetched from e-mails with one of these labels, not from those that only have a nested label. Spam, trash and drafts are never fetched.',
        de: 'Dokumente werden aus E-Mails mit einem dieser Labels abgerufen, nicht aus solchen, die nur ein untergeordnetes Label haben. Spam, Papierkorb und Entwürfe werden nie abgerufen.',
      },
      required: true,
      multiple: true,
      default: [INBOX],
      options: labels,
      hasMore: true,
    },
    ...FILTER_FIELDS,
  ];
}

/** The selection of mails by the second step; labels are unique. */
export interface GmailSelection extends MailFilters {
  readonly labels: readonly string[];
}

/** Reads the stored second step; the inbox without selected labels. */
export function selectionOf(step2: Readonly<Record<string, unknown>>): GmailSelection {
  const given = Array.isArray(step2['labels']) ? step2['labels'].filter((id) => typeof id === 'string') : [];
  const labels = given.length > 0 ? [...new Set<string>(given)] : [INBOX];
  return { ...mailFilters(step2), labels: labels.includes(ALL_MAIL) ? [ALL_MAIL] : labels };
}
