import type { Field, Integration } from '@docfetch/sdk';
import type { Lang } from '../../../messages/date-format';
import { SAMPLE_INTEGRATION } from './sample-ids';

type Text = Readonly<Record<Lang, string>>;

const field =
  (id: string, label: Text, more: Partial<Field> = {}) =>
  (lang: Lang): Field => ({
    ...{ id, type: 'text', label: label[lang], help: null, placeholder: null, required: true, secret: false },
    ...{ multiple: false, default: null, pattern: null, min: null, max: null },
    ...{ visible_when: null, options: null, has_more: false },
    ...more,
  });

const FIELDS = [
  field('user', { en: 'E-mail address', de: 'E-Mail-Adresse' }, { type: 'email', placeholder: 'name@example.com' }),
  field('password', { en: 'Password', de: 'Passwort' }, { type: 'password', secret: true }),
  field(
    'all_folders',
    { en: 'Fetch from all folders', de: 'Aus allen Ordnern abrufen' },
    {
      ...{ type: 'boolean', required: false, default: true },
    },
  ),
];

const SOURCES: readonly [id: string, name: Text, category: Integration['category']][] = [
  [SAMPLE_INTEGRATION, { en: 'E-mail (IMAP)', de: 'E-Mail (IMAP)' }, 'MAILBOX'],
  ['gmx', { en: 'GMX', de: 'GMX' }, 'MAILBOX'],
  ['google_drive', { en: 'Google Drive', de: 'Google Drive' }, 'CLOUD_STORAGE'],
  ['dropbox', { en: 'Dropbox', de: 'Dropbox' }, 'CLOUD_STORAGE'],
  ['nextcloud', { en: 'Nextcloud', de: 'Nextcloud' }, 'CLOUD_STORAGE'],
  ['stripe', { en: 'Stripe', de: 'Stripe' }, 'ACCOUNTING'],
  ['sevdesk', { en: 'sevdesk', de: 'sevdesk' }, 'ACCOUNTING'],
  ['sandbox', { en: 'Portal', de: 'Portal' }, 'PORTAL'],
];

export const sampleIntegrations = (lang: Lang): readonly Integration[] =>
  SOURCES.map(([id, name, category]) => ({
    ...{ integration_id: id, name: name[lang], category, logo_url: `${location.origin}/logos/${id}.svg` },
    ...{ maturity: 'STABLE', preset_of: null, aliases: [], help_url: null, help_steps: [] },
    ...{ auth_type: 'CREDENTIALS', available: true, has_step2: true, supports_startdate: true },
    ...{ provides_external_id: false, document_types: ['invoice', 'credit_note', 'document'] },
    step1_fields: FIELDS.map((each) => each(lang)),
  }));
