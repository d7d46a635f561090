import { step1Session } from '../harness/connectors/step1-session';
import { validateStep1 } from '../../src/integrations/shared/trust/step1-input';
import { openSession } from '../../src/integrations/core/session/open-session';
import type { Integration, Session } from '../../src/integrations/core/integration';
import { AUTHORIZED_IMAP_PRESETS } from '../../src/integrations/imap/authorized-presets';
import { IMAP_PRESETS } from '../../src/integrations/imap/presets';
import { imap } from '../../src/integrations/imap/imap';
import { INTEGRATIONS } from '../../src/integrations/integration-registry';
import { S3_PRESETS } from '../../src/integrations/s3/presets';
import { s3 } from '../../src/integrations/s3/s3';
import { WEBDAV_PRESETS } from '../../src/integrations/webdav/presets';
import { webdav } from '../../src/integrations/webdav/webdav';
import { type Preset, withPresets } from '../../src/integrations/core/presets/preset';

const ALL: readonly [Integration, readonly Preset[]][] = [
  [imap, [...IMAP_PRESETS, ...AUTHORIZED_IMAP_PRESETS]],
  [webdav, WEBDAV_PRESETS],
  [s3, S3_PRESETS],
];
const find = (id: string) => INTEGRATIONS.find((integration) => integration.id === id)!;

/** What the connector gets when a preset's form has been filled in. */
async function fieldsFor(id: string, given: Record<string, unknown>): Promise<Record<string, unknown>> {
  const [connector, presets] = ALL.find(([, list]) => list.some((preset) => preset.id === id))!;
  const seen: Session[] = [];
  const recording: Integration = {
    ...connector,
    check(session) {
      seen.push(session);
      return Promise.resolve({ id: 'account', display: 'Anna' });
    },
  };
  const preset = withPresets(recording, presets).find((integration) => integration.id === id)!;
  const session = openSession({
    ...step1Session(preset, given),
    ...{ step2: {}, network: null as never, signal: new AbortController().signal, now: () => new Date() },
  });
  await preset.check(session);
  return seen[0]!.fields;
}

const LOGIN = { user: 'anna@example.com', password: 'p' };
const KEYS = { bucket: 'invoices', access_key: 'a', secret_key: 's' };

describe('A brand on a known protocol', () => {
  it.each([
    ['gmx', LOGIN, { host: 'imap.gmx.net', port: 993, security: 'TLS' }],
    ['zoho_mail', { ...LOGIN, server: 'imap.zoho.com' }, { host: 'imap.zoho.com', port: 993, security: 'TLS' }],
    ['zoho_mail', LOGIN, { host: 'imappro.zoho.eu' }],
    ['nextcloud', { url: 'https://cloud.example', user: 'anna', password: 'p' }, { layout: 'nextcloud' }],
    ['hetzner_storage_box', { user: 'u123-sub1', password: 'p' }, { url: 'https://u123-sub1.your-storagebox.de' }],
    ['magentacloud', { user: 'anna', password: 'p' }, { url: 'https://magentacloud.de', layout: 'nextcloud' }],
    ['backblaze_b2', { ...KEYS, region: 'eu-central-003' }, { endpoint: 'https://s3.eu-central-003.backblazeb2.com' }],
    ['hetzner_object_storage', { ...KEYS, region: 'hel1' }, { endpoint: 'https://hel1.your-objectstorage.com' }],
    [
      'cloudflare_r2',
      { ...KEYS, account_id: `${'0af'.repeat(10)}00.eu` },
      { endpoint: `https://${'0af'.repeat(10)}00.eu.r2.cloudflarestorage.com`, region: 'auto', addressing: 'path' },
    ],
  ])('%s fills in its server: %j', async (id, given, expected) => {
    expect(await fieldsFor(id, given)).toMatchObject({ ...given, ...expected });
  });

  it.each([
    ['gmail_imap', 'imap.gmail.com', ['https://mail.google.com/']],
    ['outlook_imap', 'outlook.office365.com', ['offline_access', 'https://outlook.office.com/IMAP.AccessAsUser.All']],
  ])('%s is authorized by its users: they enter no password', async (id, host, scopes) => {
    const user = 'anna@example.com';
    const server = { host, port: 993, security: 'TLS' };
    expect(await fieldsFor(id, { user })).toEqual({ user, ...server, time_zone: 'UTC' });
    expect(find(id)).toMatchObject({ authType: 'OAUTH2', oauth: { scopes } });
    const { invalidFields } = validateStep1(find(id), { user: 'anna@example.com,x', password: 'p' });
    expect(invalidFields.map(({ field }) => field).sort()).toEqual(['fields.password', 'fields.user']);
  });

  it('of Amazon has no endpoint', async () => {
    expect(await fieldsFor('amazon_s3', KEYS)).not.toHaveProperty('endpoint');
  });

  it.each([
    ['hetzner_storage_box', { user: 'u1.evil.example/', password: 'p' }, 'user'],
    ['hetzner_storage_box', { user: 'u1@evil', password: 'p' }, 'user'],
    ['backblaze_b2', { ...KEYS, region: 'x.evil.example/' }, 'region'],
    ['wasabi', { ...KEYS, region: 'eu central' }, 'region'],
    ['ovh_object_storage', KEYS, 'region'],
    ['cloudflare_r2', { ...KEYS, account_id: 'evil.example/' }, 'account_id'],
    ['zoho_mail', { ...LOGIN, server: 'evil.example' }, 'server'],
    ['gmx', { ...LOGIN, host: 'evil.example' }, 'host'],
  ])('%s refuses %j, from which no other server can be made', (id, given, field) => {
    const { invalidFields } = validateStep1(find(id), given);
    expect(invalidFields.map((invalid) => invalid.field)).toEqual([`fields.${field}`]);
  });

  it.each([
    ['gmx', LOGIN, false],
    ['ionos_hidrive', LOGIN, false],
    ['amazon_s3', KEYS, false],
    ['nextcloud', { url: 'https://cloud.example' }, true],
  ])('%s accepts a fingerprint only for a server that the user types', (id, fields, isTyped) => {
    expect(find(id).typedServer?.address(fields) !== undefined).toBe(isTyped);
  });

  it('keeps the capabilities of its connector, under its own id and name', () => {
    for (const [connector, presets] of ALL) {
      for (const { id, name, oauth } of presets) {
        const authType = oauth ? 'OAUTH2' : connector.authType;
        const { category, documentTypes, rateLimits, worksWithoutStep2 } = connector;
        expect(find(id)).toMatchObject({
          ...{
            id,
            name: typeof name === 'string' ? { en: name, de: name } : name,
            presetOf: connector.id,
            maturity: 'BETA',
          },
          ...{ category, authType, documentTypes, rateLimits, worksWithoutStep2 },
        });
      }
    }
  });
});
