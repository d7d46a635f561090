import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

const WITH_PASSWORD = { field: 'login', equals: 'password' } as const;
const WITH_KEY = { field: 'login', equals: 'key' } as const;

export const STEP1 = [
  {
    id: 'host',
    type: 'text',
    label: { en: 'Server', de: 'Server' },
    help: {
      en: 'When you save, we show you the key of the server. Your password is not sent until you have confirmed it.',
      de: 'Beim Speichern zeigen wir Ihnen den Schlüssel des Servers. Erst nach Ihrer Bestätigung wird das Passwort gesendet.',
    },
    placeholder: 'sftp.example.com',
    required: true,
    pattern: '[^\\s/@]+',
    max: 253,
  },
  {
    id: 'port',
    type: 'number',
    label: { en: 'Port', de: 'Port' },
    required: false,
    default: 22,
    min: 1,
    max: 65535,
  },
  {
    id: 'user',
    type: 'text',
    label: { en: 'User name', de: 'Benutzername' },
    required: true,
    max: 255,
  },
  {
    id: 'login',
    type: 'select',
    label: { en: 'Sign in with', de: 'Anmelden mit' },
    required: false,
    default: 'password',
    options: [
      { value: 'password', label: { en: 'Password', de: 'Passwort' } },
      { value: 'key', label: { en: 'Private key', de: 'Privatem Schlüssel' } },
    ],
  },
  {
    id: 'password',
    type: 'password',
    label: { en: 'Password', de: 'Passwort' },
    required: true,
    secret: true,
    max: 1024,
    visibleWhen: WITH_PASSWORD,
  },
  {
    id: 'private_key',
    type: 'text',
    label: { en: 'Private key', de: 'Privater Schlüssel' },
    help: {
      en: 'The whole file, in OpenSSH, PEM or PuTTY format, with its first and last line.',
      de: 'Die ganze Datei im Format von OpenSSH, PEM oder PuTTY, mit erster und letzter Zeile.',
    },
    placeholder: '-----BEGIN OPENSSH PRIVATE KEY-----',
    required: true,
    secret: true,
    max: 20_000,
    visibleWhen: WITH_KEY,
  },
  {
    id: 'passphrase',
    type: 'password',
    label: { en: 'Passphrase of the key', de: 'Passphrase des Schlüssels' },
    help: { en: 'Leave empty if the key has none.', de: 'Leer lassen, wenn der Schlüssel keine hat.' },
    required: false,
    secret: true,
    max: 1024,
    visibleWhen: WITH_KEY,
  },
  TIME_ZONE_FIELD,
] as const satisfies readonly FieldSpec[];

export type SftpSession = Session<FieldValues<typeof STEP1>>;
