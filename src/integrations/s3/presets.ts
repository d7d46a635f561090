import type { FieldSpec } from '../core/field';
import type { Preset } from '../core/presets/preset';

/** Every one of them takes the bucket's name in the path. */
const at = (endpoint: string, more: Preset['fixed'] = {}): Preset['fixed'] => ({
  endpoint,
  addressing: 'path',
  ...more,
});

/** A region that becomes part of the host's name. */
const region = (example: string, more: Partial<FieldSpec> = {}): Preset['changes'] => ({
  region: {
    help: {
      en: `As in the endpoint of your bucket, for example ${example}.`,
      de: `Wie im Endpunkt Ihres Buckets, zum Beispiel ${example}.`,
    },
    default: undefined,
    required: true,
    placeholder: example,
    pattern: '[a-z0-9]+(-[a-z0-9]+)*',
    ...more,
  },
});

/** Storage services that speak S3. */
export const S3_PRESETS: readonly Preset[] = [
  {
    id: 'amazon_s3',
    name: 'Amazon S3',
    aliases: ['aws'],
    fixed: { endpoint: null, addressing: 'path' },
    changes: {
      region: { help: { en: 'For example eu-central-1.', de: 'Zum Beispiel eu-central-1.' } },
    },
  },
  {
    id: 'cloudflare_r2',
    name: 'Cloudflare R2',
    aliases: ['r2'],
    logo: 'cloudflare',
    helpUrl: 'https://developers.cloudflare.com/r2/api/s3/tokens/',
    fixed: at('https://{account_id}.r2.cloudflarestorage.com', { region: 'auto' }),
    asks: [
      {
        id: 'account_id',
        type: 'text',
        label: { en: 'Account ID', de: 'Konto-ID' },
        help: {
          en: '32 characters, on the overview page of R2. For a bucket in the EU jurisdiction, add .eu to it.',
          de: '32 Zeichen, auf der Übersichtsseite von R2. Bei einem Bucket mit EU-Gerichtsbarkeit hängen Sie .eu an.',
        },
        required: true,
        pattern: '[0-9a-f]{32}(\\.eu|\\.fedramp)?',
        max: 40,
      },
    ],
  },
  {
    id: 'backblaze_b2',
    name: 'Backblaze B2',
    aliases: ['b2'],
    logo: 'backblaze',
    fixed: at('https://s3.{region}.backblazeb2.com'),
    changes: region('eu-central-003'),
  },
  {
    id: 'wasabi',
    name: 'Wasabi',
    aliases: [],
    fixed: at('https://s3.{region}.wasabisys.com'),
    changes: region('eu-central-1'),
  },
  {
    id: 'hetzner_object_storage',
    name: 'Hetzner Object Storage',
    aliases: [],
    logo: 'hetzner',
    helpUrl: 'https://docs.hetzner.com/storage/object-storage/getting-started/generating-s3-keys',
    fixed: at('https://{region}.your-objectstorage.com'),
    changes: region('fsn1', {
      label: { en: 'Location', de: 'Standort' },
      help: undefined,
      type: 'select',
      options: [
        { value: 'fsn1', label: 'Falkenstein (fsn1)' },
        { value: 'nbg1', label: { en: 'Nuremberg (nbg1)', de: 'Nürnberg (nbg1)' } },
        { value: 'hel1', label: 'Helsinki (hel1)' },
      ],
    }),
  },
  {
    id: 'ovh_object_storage',
    name: 'OVHcloud Object Storage',
    aliases: ['ovh'],
    logo: 'ovh',
    fixed: at('https://s3.{region}.io.cloud.ovh.net'),
    changes: region('gra'),
  },
];
