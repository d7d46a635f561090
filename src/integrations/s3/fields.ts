import type { FieldSpec, FieldValues } from '../core/field';
import type { Session } from '../core/integration';
import { TIME_ZONE_FIELD } from '../shared/tree-sync/selection/file-selection-fields';

export const STEP1 = [
  {
    id: 'endpoint',
    type: 'url',
    label: { en: 'Endpoint', de: 'Endpunkt' },
    help: {
      en: 'The S3 address of your provider. Leave empty for Amazon S3.',
      de: 'Die S3-Adresse Ihres Anbieters. Leer lassen für Amazon S3.',
    },
    placeholder: 'https://s3.example.com',
    required: false,
    pattern: '[hH][tT][tT][pP][sS]?://[^\\s/@?#\\\\]+(/[^\\s?#\\\\]*)?',
    max: 2000,
  },
  {
    id: 'region',
    type: 'text',
    label: { en: 'Region', de: 'Region' },
    help: {
      en: 'For example eu-central-1. Many other providers accept any value.',
      de: 'Zum Beispiel eu-central-1. Viele andere Anbieter akzeptieren jeden Wert.',
    },
    required: false,
    default: 'us-east-1',
    pattern: '[A-Za-z0-9-]+',
    max: 64,
  },
  {
    id: 'bucket',
    type: 'text',
    label: { en: 'Bucket', de: 'Bucket' },
    required: true,
    pattern: '[A-Za-z0-9._-]+',
    max: 255,
  },
  {
    id: 'addressing',
    type: 'select',
    label: { en: 'Bucket in the address', de: 'Bucket in der Adresse' },
    required: false,
    default: 'path',
    options: [
      { value: 'path', label: { en: 'In the path (usual)', de: 'Im Pfad (üblich)' } },
      { value: 'host', label: { en: 'In the host name', de: 'Im Hostnamen' } },
    ],
  },
  {
    id: 'access_key',
    type: 'text',
    label: { en: 'Access key ID', de: 'Zugriffsschlüssel-ID' },
    help: {
      en: 'Permission to list the bucket and to read its objects is enough.',
      de: 'Es genügt die Berechtigung, den Bucket aufzulisten und seine Objekte zu lesen.',
    },
    required: true,
    pattern: '[^\\s/,=]+',
    max: 255,
  },
  {
    id: 'secret_key',
    type: 'password',
    label: { en: 'Secret access key', de: 'Geheimer Zugriffsschlüssel' },
    required: true,
    secret: true,
    max: 1024,
  },
  TIME_ZONE_FIELD,
] as const satisfies readonly FieldSpec[];

export type S3Session = Session<FieldValues<typeof STEP1>>;
