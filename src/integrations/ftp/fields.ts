import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [
  {
    id: 'host',
    type: 'text',
    label: { en: 'Server', de: 'Server' },
    placeholder: 'ftp.example.com',
    required: true,
    pattern: '[^\\s/@]+',
    max: 253,
  },
  {
    id: 'security',
    type: 'select',
    label: { en: 'Encryption', de: 'Verschlüsselung' },
    help: {
      en: 'Without encryption, others on the network can read your password.',
      de: 'Ohne Verschlüsselung können andere im Netzwerk Ihr Passwort mitlesen.',
    },
    required: false,
    default: 'EXPLICIT',
    options: [
      { value: 'EXPLICIT', label: { en: 'TLS (explicit)', de: 'TLS (explizit)' } },
      { value: 'IMPLICIT', label: { en: 'TLS (implicit, older)', de: 'TLS (implizit, älter)' } },
      { value: 'NONE', label: { en: 'None (insecure)', de: 'Keine (unsicher)' } },
    ],
  },
  {
    id: 'port',
    type: 'number',
    label: { en: 'Port', de: 'Port' },
    help: {
      en: 'Leave empty for the default: 990 with implicit TLS, otherwise 21.',
      de: 'Leer lassen für den Standardport: 990 mit implizitem TLS, sonst 21.',
    },
    required: false,
    min: 1,
    max: 65535,
  },
  {
    id: 'user',
    type: 'text',
    label: { en: 'User name', de: 'Benutzername' },
    required: true,
    pattern: '[^\\r\\n]+',
    max: 255,
  },
  {
    id: 'password',
    type: 'password',
    label: { en: 'Password', de: 'Passwort' },
    required: true,
    secret: true,
    pattern: '[^\\r\\n]+',
    max: 1024,
  },
  TIME_ZONE_FIELD,
] as const satisfies readonly FieldSpec[];

export type FtpSession = Session<FieldValues<typeof STEP1>>;
