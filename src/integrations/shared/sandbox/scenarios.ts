import type { FieldOption } from '../../core/field';

/** The only password that the portal rejects. */
export const WRONG_PASSWORD = 'wrong';
/** The only password that the portal accepts in scenarios with invalid credentials: entering it fixes the connection. */
export const CHANGED_PASSWORD = 'changed';

/**
 * The scenarios of the portal, set by the field `scenario` of the first step or by `POST /v1/sandbox/connections/{uuid}/scenario`,
 * which sets that field.
 */
export const SCENARIOS = [
  { value: 'normal', label: { en: 'Everything works', de: 'Alles funktioniert' } },
  {
    value: 'password_changed',
    label: {
      en: 'The login is rejected',
      de: 'Die Anmeldung wird abgelehnt',
    },
  },
  { value: 'expired_grant', label: { en: 'The consent has expired', de: 'Die Zustimmung ist abgelaufen' } },
  { value: 'revoked_grant', label: { en: 'The consent was revoked', de: 'Die Zustimmung wurde widerrufen' } },
  { value: 'missing_permission', label: { en: 'A permission is missing', de: 'Eine Berechtigung fehlt' } },
  { value: 'folder_gone', label: { en: 'A selected folder no longer exists', de: 'Ein ausgewählter Ordner fehlt' } },
  {
    value: 'rate_limited',
    label: {
      en: 'The portal asks for a pause of 30 seconds',
      de: 'Das Portal verlangt eine Pause von 30 Sekunden',
    },
  },
  {
    value: 'interrupted',
    label: {
      en: 'The connection is lost halfway, once per fetch',
      de: 'Die Verbindung bricht einmal je Abruf in der Mitte ab',
    },
  },
  { value: 'provider_down', label: { en: 'The portal is down', de: 'Das Portal ist nicht erreichbar' } },
  {
    value: 'provider_changed',
    label: { en: 'The portal sends invalid responses', de: 'Das Portal sendet ungültige Antworten' },
  },
  {
    value: 'cursor_lost',
    label: { en: 'The portal no longer accepts the cursor', de: 'Das Portal erkennt den Cursor nicht mehr an' },
  },
  {
    value: 'broken_document',
    label: { en: 'One document is temporarily unreadable', de: 'Ein Dokument ist vorübergehend nicht lesbar' },
  },
  {
    value: 'unreadable_document',
    label: { en: 'One document is permanently unreadable', de: 'Ein Dokument ist dauerhaft nicht lesbar' },
  },
  {
    value: 'broken_download',
    label: { en: 'The download of one document is cut off', de: 'Der Download eines Dokuments bricht ab' },
  },
  {
    value: 'damaged_document',
    label: { en: 'One document is damaged', de: 'Ein Dokument ist beschädigt' },
  },
  {
    value: 'duplicates',
    label: { en: 'Every document is listed twice', de: 'Jedes Dokument wird doppelt aufgeführt' },
  },
  {
    value: 'rerendered',
    label: {
      en: 'Known documents appear again with other content',
      de: 'Bekannte Dokumente erscheinen erneut mit anderem Inhalt',
    },
  },
  { value: 'odd_filenames', label: { en: 'File names are unusual', de: 'Die Dateinamen sind ungewöhnlich' } },
  { value: 'slow', label: { en: 'The portal is slow', de: 'Das Portal ist langsam' } },
] as const satisfies readonly FieldOption[];

export type Scenario = (typeof SCENARIOS)[number]['value'];

export const SCENARIO_VALUES: readonly Scenario[] = SCENARIOS.map(({ value }) => value);
