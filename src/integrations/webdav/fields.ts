import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [
  {
    id: 'provider',
    type: 'select',
    label: { en: 'Service', de: 'Dienst' },
    required: false,
    default: 'other',
    options: [
      { value: 'nextcloud', label: 'Nextcloud' },
      { value: 'owncloud', label: 'ownCloud' },
      { value: 'other', label: { en: 'Another WebDAV server', de: 'Anderer WebDAV-Server' } },
    ],
  },
  {
    id: 'url',
    type: 'url',
    label: { en: 'Address', de: 'Adresse' },
    help: {
      en: 'Nextcloud and ownCloud: the address that you see in the browser. Otherwise the WebDAV address of your provider. It should begin with https.',
      de: 'Nextcloud und ownCloud: die Adresse, die Sie im Browser sehen. Sonst die WebDAV-Adresse Ihres Anbieters. Sie sollte mit https beginnen.',
    },
    placeholder: 'https://cloud.example.com',
    required: true,
    // Without user name and password, because it is displayed.
    pattern: '[hH][tT][tT][pP][sS]?://[^\\s/@?#\\\\]+(/[^?#\\\\]*)?',
    max: 2000,
  },
  {
    id: 'user',
    type: 'text',
    label: { en: 'User name', de: 'Benutzername' },
    required: true,
    // A colon would end it (RFC 7617).
    pattern: '[^:]+',
    max: 255,
  },
  {
    id: 'password',
    type: 'password',
    label: { en: 'Password', de: 'Passwort' },
    help: {
      en: 'Nextcloud and ownCloud: create an app password in your security settings.',
      de: 'Nextcloud und ownCloud: Erstellen Sie in Ihren Sicherheitseinstellungen ein App-Passwort.',
    },
    required: true,
    secret: true,
    max: 1024,
  },
  TIME_ZONE_FIELD,
] as const satisfies readonly FieldSpec[];

export type WebdavSession = Session<FieldValues<typeof STEP1>>;
