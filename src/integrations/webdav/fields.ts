import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [
  {
    id: 'url',
    type: 'url',
    label: { en: 'Address', de: 'Adresse' },
    help: {
      en: 'The WebDAV address of your provider. It should begin with https.',
      de: 'Die WebDAV-Adresse Ihres Anbieters. Sie sollte mit https beginnen.',
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
      en: 'With two-factor authentication, create an app password at your provider and enter it here.',
      de: 'Mit Zwei-Faktor-Authentifizierung erstellen Sie bei Ihrem Anbieter ein App-Passwort und geben es hier ein.',
    },
    required: true,
    secret: true,
    max: 1024,
  },
  TIME_ZONE_FIELD,
] as const satisfies readonly FieldSpec[];

/** With the layout of the server, which the user does not type: presets know it. */
export type WebdavSession = Session<FieldValues<typeof STEP1> & { readonly layout?: 'nextcloud' }>;
