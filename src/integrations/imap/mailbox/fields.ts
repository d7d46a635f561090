import type { FieldOption, FieldSpec } from '../../core/field';
import { FILTER_FIELDS, type MailFilters, mailFilters } from '../../shared/mail/parts/kinds/mail-filters';
import { TIME_ZONE_FIELD } from '../../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [
  {
    id: 'host',
    type: 'text',
    label: { en: 'IMAP server', de: 'IMAP-Server' },
    placeholder: 'imap.example.com',
    required: true,
    pattern: '[^\\s/@]+',
    max: 253,
  },
  {
    id: 'port',
    type: 'number',
    label: { en: 'Port', de: 'Port' },
    help: {
      en: 'Leave empty for the default: 993 with TLS, otherwise 143.',
      de: 'Leer lassen für den Standardport: 993 mit TLS, sonst 143.',
    },
    required: false,
    min: 1,
    max: 65535,
  },
  {
    id: 'security',
    type: 'select',
    label: { en: 'Encryption', de: 'Verschlüsselung' },
    required: false,
    default: 'TLS',
    options: [
      { value: 'TLS', label: 'TLS' },
      { value: 'STARTTLS', label: 'STARTTLS' },
      { value: 'NONE', label: { en: 'None (insecure)', de: 'Keine (unsicher)' } },
    ],
  },
  {
    id: 'user',
    type: 'text',
    label: { en: 'User name', de: 'Benutzername' },
    help: { en: 'Usually your e-mail address.', de: 'Meistens Ihre E-Mail-Adresse.' },
    required: true,
    max: 320,
  },
  {
    id: 'password',
    type: 'password',
    label: { en: 'Password', de: 'Passwort' },
    help: {
      en: 'If you use two-factor authentication, create an app password at your provider and enter it here.',
      de: 'Wenn Sie die Zwei-Faktor-Authentifizierung nutzen, erstellen Sie bei Ihrem Anbieter ein App-Passwort und geben Sie es hier ein.',
    },
    required: true,
    secret: true,
    max: 1024,
  },
  TIME_ZONE_FIELD,
] as const satisfies readonly FieldSpec[];

const SELECTED_FOLDERS = { field: 'folder_scope', equals: 'selected' } as const;

/** The second step: which folders, and which mails in them. `folders` are the first-level options of the tree. */
export function step2Fields(folders: readonly FieldOption[]): FieldSpec[] {
  return [
    {
      id: 'folder_scope',
      type: 'select',
      label: { en: 'Fetch documents from', de: 'Dokumente abrufen aus' },
      required: true,
      default: 'selected',
      options: [
        { value: 'selected', label: { en: 'selected folders', de: 'ausgewählten Ordnern' } },
        { value: 'all', label: { en: 'all folders', de: 'allen Ordnern' } },
      ],
      help: {
        en: 'The choice “all folders” includes folders that are added later, but not drafts, spam and trash.',
        de: 'Die Auswahl „allen Ordnern“ umfasst auch Ordner, die später hinzukommen, aber nicht Entwürfe, Spam und Papierkorb.',
      },
    },
    {
      id: 'folders',
      type: 'tree',
      label: { en: 'Folders', de: 'Ordner' },
      required: true,
      multiple: true,
      default: ['INBOX'],
      options: folders,
      hasMore: true,
      visibleWhen: SELECTED_FOLDERS,
    },
    {
      id: 'include_subfolders',
      type: 'boolean',
      label: { en: 'Including subfolders', de: 'Auch aus Unterordnern' },
      help: {
        en: 'Also those that are added later, but not drafts, spam and trash.',
        de: 'Auch aus solchen, die später hinzukommen, aber nicht aus Entwürfen, Spam und Papierkorb.',
      },
      required: false,
      default: false,
      visibleWhen: SELECTED_FOLDERS,
    },
    ...FILTER_FIELDS,
  ];
}

/** The selection of the second step; folders are unique. */
export interface ImapSelection extends MailFilters {
  /** Only the selected folders, also their subfolders, or all folders. */
  readonly coverage: 'SELECTED' | 'SUBFOLDERS' | 'ALL';
  readonly folders: readonly string[];
  /** Those of `folders` that were found by `coverage`: the user has not named them, so one that is gone again is no problem. */
  readonly found?: ReadonlySet<string>;
}

/** Reads the stored second step; the inbox without selected folders. */
export function selectionOf(step2: Readonly<Record<string, unknown>>): ImapSelection {
  const folders = Array.isArray(step2['folders']) ? step2['folders'].filter((path) => typeof path === 'string') : [];
  const coverage =
    step2['folder_scope'] === 'all' ? 'ALL' : step2['include_subfolders'] === true ? 'SUBFOLDERS' : 'SELECTED';
  return {
    ...mailFilters(step2),
    coverage,
    folders: folders.length ? [...new Set<string>(folders)] : ['INBOX'],
  };
}
