import type { FieldSpec, FieldValues } from '../../core/field';
import { topLevel } from './folders';
import { KINDS } from './fixture-document';
import { CHANGED_PASSWORD, SCENARIOS, WRONG_PASSWORD } from './scenarios';

/** The default response time in the scenario `slow`. */
export const DELAY_MS = 2_000;

/** The behavior and contents of the portal, common to both kinds of login. */
export const BEHAVIOR = [
  {
    id: 'scenario',
    type: 'select',
    label: { en: 'What happens', de: 'Was passiert' },
    help: {
      en: 'How the portal behaves when you fetch from it.',
      de: 'Wie sich das Portal verhält, wenn Sie davon abrufen.',
    },
    required: true,
    default: 'normal',
    options: SCENARIOS,
  },
  {
    id: 'fails_from',
    type: 'select',
    label: { en: 'Fails from', de: 'Fehler ab' },
    help: {
      en: 'For scenarios that stop a whole fetch: when the portal starts to behave like this.',
      de: 'Für Szenarien, die einen ganzen Abruf anhalten: ab wann sich das Portal so verhält.',
    },
    required: false,
    default: 'first_fetch',
    options: [
      { value: 'setup', label: { en: 'Immediately, also during setup', de: 'sofort, auch beim Einrichten' } },
      { value: 'first_fetch', label: { en: 'The first fetch', de: 'dem ersten Abruf' } },
      { value: 'later_fetch', label: { en: 'The second fetch', de: 'dem zweiten Abruf' } },
    ],
  },
  {
    id: 'delay_ms',
    type: 'number',
    label: { en: 'Delay in milliseconds', de: 'Verzögerung in Millisekunden' },
    help: {
      en: 'Applies to every login, every list page and every document.',
      de: 'Gilt für jede Anmeldung, jede Listenseite und jedes Dokument.',
    },
    required: false,
    default: DELAY_MS,
    min: 0,
    max: 60_000,
    visibleWhen: { field: 'scenario', equals: 'slow' },
  },
  {
    id: 'documents',
    type: 'number',
    label: { en: 'Documents at the start', de: 'Dokumente zu Beginn' },
    help: {
      en: 'The newest document is dated 31\u00a0December\u00a02025, each further one a day earlier.',
      de: 'Das neueste Dokument ist vom 31.\u00a0Dezember\u00a02025, jedes weitere einen Tag älter.',
    },
    required: false,
    default: 3,
    min: 0,
    max: 10_000,
  },
  {
    id: 'new_per_fetch',
    type: 'number',
    label: { en: 'New documents per later fetch', de: 'Neue Dokumente je weiterem Abruf' },
    help: { en: 'They are dated on the day of the fetch.', de: 'Jedes trägt das Datum seines Abrufs.' },
    required: false,
    default: 1,
    min: 0,
    max: 1_000,
  },
  {
    id: 'document_size_kb',
    type: 'number',
    label: { en: 'Size of a PDF in KiB', de: 'Größe einer PDF-Datei in KiB' },
    help: {
      en: 'Exact from 3 KiB; smaller values give the smallest possible PDF. E-invoices (XML) keep their natural size.',
      de: 'Ab 3 KiB exakt; kleinere Werte ergeben die kleinstmögliche PDF-Datei. E-Rechnungen (XML) behalten ihre natürliche Größe.',
    },
    required: false,
    default: 50,
    min: 1,
    max: 102_400,
  },
] as const satisfies readonly FieldSpec[];

export const STEP1 = [
  {
    id: 'user',
    type: 'text',
    label: { en: 'User name', de: 'Benutzername' },
    help: {
      en: 'Any name. The same user name always has the same documents.',
      de: 'Beliebig. Zum selben Benutzernamen gehören immer dieselben Dokumente.',
    },
    placeholder: 'demo',
    required: true,
    max: 100,
  },
  {
    id: 'password',
    type: 'password',
    label: { en: 'Password', de: 'Passwort' },
    help: {
      en: `Every password is accepted except “${WRONG_PASSWORD}”. If the login is rejected or a consent is missing, use “${CHANGED_PASSWORD}”.`,
      de: `Jedes Passwort wird angenommen, außer „${WRONG_PASSWORD}“. Wird die Anmeldung abgelehnt oder fehlt eine Zustimmung, verwenden Sie „${CHANGED_PASSWORD}“.`,
    },
    required: true,
    secret: true,
  },
  ...BEHAVIOR,
] as const satisfies readonly FieldSpec[];

export type BehaviorFields = FieldValues<typeof BEHAVIOR>;

/** Both fields have defaults, so that a connection works without the second step. */
export const STEP2 = [
  {
    id: 'folders',
    type: 'tree',
    label: { en: 'Folders', de: 'Ordner' },
    help: {
      en: 'Documents are in the inbox, by year and month. A folder includes its subfolders.',
      de: 'Die Dokumente liegen im Posteingang, nach Jahr und Monat. Ein Ordner schließt seine Unterordner ein.',
    },
    required: true,
    multiple: true,
    default: ['inbox'],
    options: topLevel(),
    hasMore: true,
  },
  {
    id: 'kinds',
    type: 'select',
    label: { en: 'Document types', de: 'Dokumentarten' },
    required: true,
    multiple: true,
    default: KINDS,
    options: [
      { value: 'invoice', label: { en: 'Invoices', de: 'Rechnungen' } },
      { value: 'credit_note', label: { en: 'Credit notes', de: 'Gutschriften' } },
      { value: 'e_invoice', label: { en: 'E-invoices (XML)', de: 'E-Rechnungen (XML)' } },
    ],
  },
] as const satisfies readonly FieldSpec[];
