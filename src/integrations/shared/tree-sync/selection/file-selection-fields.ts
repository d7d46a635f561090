import type { FieldOption, FieldSpec } from '../../../core/field';

/** The time zone of the start date. */
export const TIME_ZONE_FIELD = {
  id: 'time_zone',
  type: 'select',
  label: { en: 'Time zone', de: 'Zeitzone' },
  help: {
    en: 'The start date begins at midnight in this time zone.',
    de: 'Das Startdatum beginnt um Mitternacht in dieser Zeitzone.',
  },
  required: false,
  default: 'UTC',
  options: [
    'UTC',
    'Europe/Berlin',
    'Europe/Vienna',
    'Europe/Zurich',
    'Europe/London',
    'Europe/Lisbon',
    'Europe/Paris',
    'Europe/Amsterdam',
    'Europe/Madrid',
    'Europe/Rome',
    'Europe/Warsaw',
    'Europe/Stockholm',
    'Europe/Athens',
    'Europe/Kyiv',
    'Europe/Istanbul',
    'America/New_York',
    'America/Chicago',
    'America/Denver',
    'America/Los_Angeles',
    'America/Sao_Paulo',
    'Africa/Johannesburg',
    'Asia/Dubai',
    'Asia/Kolkata',
    'Asia/Shanghai',
    'Asia/Tokyo',
    'Australia/Sydney',
  ].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
} as const satisfies FieldSpec;

/** The extensions of each kind of file. */
const KINDS = {
  pdf: ['pdf'],
  xml: ['xml'],
  image: ['jpg', 'jpeg', 'jpe', 'png', 'tif', 'tiff', 'heic', 'heif', 'webp', 'gif', 'bmp'],
  office: ['doc', 'docx', 'odt', 'rtf', 'xls', 'xlsx', 'ods', 'csv', 'txt', 'html', 'htm', 'eml', 'msg'],
} as const;

/** All kinds of files. */
export const ALL = 'all';

/**
 * The second step of every storage: which folders, and which files in them. `folders` is the tree's first level, `native` the
 * kind of files that have no bytes until they are exported, where a storage has some.
 */
export function fileSelectionFields(
  folders: readonly FieldOption[],
  startFolder: string,
  native?: FieldOption,
): FieldSpec[] {
  return [
    {
      id: 'folders',
      type: 'tree',
      label: { en: 'Folders', de: 'Ordner' },
      help: {
        en: 'Documents are fetched from these folders and all their subfolders.',
        de: 'Dokumente werden aus diesen Ordnern und allen ihren Unterordnern abgerufen.',
      },
      required: true,
      multiple: true,
      default: [startFolder],
      options: folders,
      hasMore: true,
    },
    {
      id: 'file_types',
      type: 'select',
      label: { en: 'File types', de: 'Dateitypen' },
      required: true,
      multiple: true,
      default: ['pdf', 'xml', 'image'],
      options: [
        { value: 'pdf', label: 'PDF' },
        { value: 'xml', label: { en: 'XML (e-invoices)', de: 'XML (E-Rechnungen)' } },
        { value: 'image', label: { en: 'Images', de: 'Bilder' } },
        { value: 'office', label: { en: 'Office files, text and e-mails', de: 'Office-Dateien, Texte und E-Mails' } },
        ...(native ? [native] : []),
        { value: ALL, label: { en: 'All files', de: 'Alle Dateien' } },
      ],
    },
    {
      id: 'include',
      type: 'text',
      label: { en: 'Only these files', de: 'Nur diese Dateien' },
      help: {
        en: 'Patterns, separated by commas: * matches any part of a name, ** for any folders. Leave empty for all files.',
        de: 'Muster, durch Kommas getrennt: * steht für einen beliebigen Teil eines Namens, ** für beliebige Ordner. Leer lassen, um alle Dateien abzurufen.',
      },
      placeholder: { en: 'invoice*, 2026/**', de: 'Rechnung*, 2026/**' },
      required: false,
      max: 1000,
    },
    {
      id: 'exclude',
      type: 'text',
      label: { en: 'Skip these files', de: 'Diese Dateien auslassen' },
      help: {
        en: 'Patterns as above. Files that match are skipped.',
        de: 'Muster wie oben. Passende Dateien werden ausgelassen.',
      },
      placeholder: { en: 'draft*, archive/**', de: 'Entwurf*, Archiv/**' },
      required: false,
      max: 1000,
    },
  ];
}

/** The extensions of the selected kinds; null for all files. */
export function extensionsOf(kinds: readonly string[]): ReadonlySet<string> | null {
  if (kinds.includes(ALL)) return null;
  return new Set(kinds.flatMap((kind) => (kind in KINDS ? KINDS[kind as keyof typeof KINDS] : [])));
}

export const DEFAULT_KINDS: readonly string[] = ['pdf', 'xml', 'image'];
