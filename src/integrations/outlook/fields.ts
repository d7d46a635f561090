import type { FieldOption, FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { FILTER_FIELDS } from '../shared/mail/parts/kinds/mail-filters';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [TIME_ZONE_FIELD] as const satisfies readonly FieldSpec[];
export type OutlookSession = Session<FieldValues<typeof STEP1>>;

/** Graph's well-known name of the inbox, independent of the language. */
export const INBOX = 'inbox';

/** A folder of the user's own mailbox or of a shared one. */
export interface OutlookFolderRef {
  /** The address of a shared mailbox; null for the user's own. */
  readonly mailbox: string | null;
  readonly id: string;
}

const ADDRESS = '[^\\s,;:@/]+@[^\\s,;:@/]+';

/** The option value of a folder. */
export const valueOf = ({ mailbox, id }: OutlookFolderRef): string => (mailbox === null ? id : `${mailbox}/${id}`);

/** Parses an option value; null for a whole shared mailbox. */
export function parseFolderRef(value: string): OutlookFolderRef | null {
  const [, mailbox, id] = new RegExp(`^(?:(${ADDRESS})/)?([^\\s/@]+)$`).exec(value) ?? [];
  return id === undefined ? null : { mailbox: mailbox ?? null, id };
}

/** The addresses of the shared mailboxes in a second step. */
export function sharedMailboxes(step2: Readonly<Record<string, unknown>>): string[] {
  const text = step2['shared_mailboxes'];
  const addresses = typeof text === 'string' ? text.split(/[\s,;]+/).map((address) => address.toLowerCase()) : [];
  return [...new Set(addresses.filter((address) => new RegExp(`^${ADDRESS}$`).test(address)))];
}

/** The folders of a stored second step: the selected ones of each mailbox, else its inbox. */
export function chosenFolders(step2: Readonly<Record<string, unknown>>): OutlookFolderRef[] {
  const mailboxes = sharedMailboxes(step2);
  const given = Array.isArray(step2['folders']) ? step2['folders'] : [];
  const values = [...new Set(given.filter((value) => typeof value === 'string'))];
  const places = values.flatMap((value) => parseFolderRef(value) ?? []);
  const own = places.filter(({ mailbox }) => mailbox === null);
  const shared = mailboxes.flatMap((mailbox) => {
    const chosen = places.filter((place) => place.mailbox === mailbox);
    return chosen.length > 0 ? chosen : [{ mailbox, id: INBOX }];
  });
  const all = [...own, ...shared];
  return all.length > 0 ? all : [{ mailbox: null, id: INBOX }];
}

/** The second step: which folders, of which mailboxes, and which mails in them. */
export function outlookFields(folders: readonly FieldOption[]): FieldSpec[] {
  return [
    {
      id: 'folders',
      type: 'tree',
      label: { en: 'Folders', de: 'Ordner' },
      help: {
        en: 'Documents are fetched from these folders, but not from their subfolders.',
        de: 'Dokumente werden aus diesen Ordnern abgerufen, nicht aus deren Unterordnern.',
      },
      required: true,
      multiple: true,
      default: [INBOX],
      options: folders,
      hasMore: true,
    },
    {
      id: 'shared_mailboxes',
      type: 'text',
      label: { en: 'Shared mailboxes', de: 'Freigegebene Postfächer' },
      help: {
        en: 'Addresses of mailboxes that are shared with you, separated by commas. Microsoft asks for your consent. Documents are fetched from the inbox; to select other folders, open this page again afterwards.',
        de: 'Adressen von Postfächern, die für Sie freigegeben sind, durch Kommas getrennt. Microsoft fragt Sie dafür nach Ihrer Zustimmung. Dokumente werden aus dem Posteingang abgerufen; um andere Ordner auszuwählen, öffnen Sie diese Seite danach noch einmal.',
      },
      placeholder: { en: 'invoices@example.com', de: 'rechnungen@example.com' },
      required: false,
      pattern: `${ADDRESS}(\\s*[,;]\\s*${ADDRESS})*`,
      max: 1000,
    },
    ...FILTER_FIELDS,
  ];
}
