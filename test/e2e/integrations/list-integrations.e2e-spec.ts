import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';

interface Field {
  readonly id: string;
  readonly label: string;
  readonly help: string | null;
  readonly secret: boolean;
}

interface Integration {
  readonly integration_id: string;
  readonly name: string;
  readonly category: string;
  readonly maturity: string;
  readonly step1_fields: Field[];
}

describe('GET /v1/integrations (decisions 4 and 5)', () => {
  const context = useSharedContext();
  let live: TestClient;

  const list = async (query = '', lang = 'en', by = context.client): Promise<Integration[]> => {
    const { body } = await by.request('get', `/v1/integrations${query}`).set('Lang', lang).expect(200);
    expect(body.meta).toEqual({ next_cursor: null, has_more: false });
    return (body as { data: Integration[] }).data;
  };
  const ids = (integrations: Integration[]) => integrations.map((integration) => integration.integration_id);

  beforeAll(async () => {
    live = await createTestClient(context.app, { environment: { kind: 'LIVE' } });
  });

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/integrations', accepts: ['key', 'token'] });

  it('describes each integration completely enough to render its form, when asked for the fields', async () => {
    const imap = (await list('?expand=step1_fields')).find((integration) => integration.integration_id === 'imap');
    expect(imap).toMatchObject({
      name: 'E-mail (IMAP)',
      category: 'MAILBOX',
      maturity: 'STABLE',
      aliases: [],
      help_url: null,
      auth_type: 'CREDENTIALS',
      available: true,
      has_step2: true,
      provides_external_id: false,
      supports_startdate: true,
      document_types: ['invoice', 'credit_note', 'document'],
      logo_url: 'https://docfetch.test/logos/imap.svg',
    });
    expect(imap!.step1_fields.map(({ id }) => id)).toEqual([
      'host',
      'port',
      'security',
      'user',
      'password',
      'time_zone',
      'startdate',
      'document_passwords',
    ]);
    expect(imap!.step1_fields[0]).toEqual({
      id: 'host',
      type: 'text',
      label: 'IMAP server',
      help: null,
      placeholder: 'imap.example.com',
      required: true,
      secret: false,
      multiple: false,
      default: null,
      pattern: '[^\\s/@]+',
      min: null,
      max: 253,
      visible_when: null,
      options: null,
      has_more: false,
    });
    expect(imap!.step1_fields.filter(({ secret }) => secret).map(({ id }) => id)).toEqual([
      'password',
      'document_passwords',
    ]);
  });

  it('uses the language of the request in every label and help text, and keeps ids', async () => {
    const [english, german] = [await list('?expand=step1_fields'), await list('?expand=step1_fields', 'de')];
    expect(ids(german)).toEqual(ids(english));
    const texts = (integrations: Integration[]) =>
      integrations.flatMap(({ name, step1_fields }) => [
        name,
        ...step1_fields.flatMap(({ label, help }) => [label, help]),
      ]);
    expect(texts(english)).toEqual(expect.arrayContaining(['IMAP server', 'Password', 'Fetch documents from']));
    expect(texts(german)).toEqual(expect.arrayContaining(['IMAP-Server', 'Passwort', 'Dokumente abrufen ab']));
  });

  it('is short: without the fields, and less than 40 kB', async () => {
    const { body, text } = await context.client.request('get', '/v1/integrations').expect(200);
    expect((body as { data: object[] }).data.filter((integration) => 'step1_fields' in integration)).toEqual([]);
    expect(Buffer.byteLength(text)).toBeLessThan(40_000);
  });

  it('has brands on known protocols as integrations of their own, with other words for them', async () => {
    const all = await list();
    const brand = (id: string) => all.find(({ integration_id }) => integration_id === id);
    expect(brand('t_online')).toMatchObject({
      ...{ name: 'T-Online', category: 'MAILBOX', preset_of: 'imap', maturity: 'BETA', available: true },
      aliases: expect.arrayContaining(['telekom']),
    });
    expect(brand('imap')).toMatchObject({ preset_of: null });
    const { body } = await context.client.request('get', '/v1/integrations/t_online').set('Lang', 'de').expect(200);
    const { step1_fields: fields } = (body as { data: Integration }).data;
    expect(fields.map(({ id, label }) => [id, label])).toEqual([
      ['user', 'E-Mail-Adresse'],
      ['password', 'Passwort für E-Mail-Programme'],
      ['time_zone', 'Zeitzone'],
      ['startdate', 'Dokumente abrufen ab'],
      ['document_passwords', 'Passwörter geschützter Dokumente'],
    ]);
  });

  it('says in the single read, step by step, how to get a password that has to be created first', async () => {
    const steps = async (id: string, lang: string) => {
      const { body } = await context.client.request('get', `/v1/integrations/${id}`).set('Lang', lang).expect(200);
      return (body as { data: { help_steps: string[] } }).data.help_steps;
    };
    expect(await steps('icloud', 'en')).toHaveLength(3);
    expect((await steps('icloud', 'de'))[1]).toBe('Erstellen Sie dort ein app-spezifisches Passwort.');
    expect(await steps('imap', 'en')).toEqual([]);
    const all = await list('?expand=step1_fields');
    expect(all.filter((integration) => 'help_steps' in integration)).toEqual([]);
  });

  it('has the sandbox in TEST environments only', async () => {
    expect(ids(await list())).toContain('sandbox');
    expect(ids(await list('', 'en', live))).not.toContain('sandbox');
    expect(ids(await list('', 'en', live))).toContain('imap');
  });

  it('says how well each is tested: against real servers, or not yet with a live account', async () => {
    const maturity = Object.fromEntries((await list()).map((each) => [each.integration_id, each.maturity]));
    expect(maturity).toMatchObject({ sftp: 'STABLE', webdav: 'STABLE', sevdesk: 'BETA', google_drive: 'BETA' });
    expect(Object.keys(maturity).filter((id) => !['BETA', 'STABLE'].includes(maturity[id]!))).toEqual([]);
  });

  it('filters by category', async () => {
    expect(ids(await list('?category=MAILBOX'))).toEqual(expect.arrayContaining(['imap', 'outlook']));
    const portals = (await list()).filter(({ category }) => category === 'PORTAL');
    expect(ids(portals)).toEqual(expect.arrayContaining(['sandbox', 'sandbox_oauth', 'stripe']));
    expect(await list('?category=PORTAL')).toEqual(portals);
  });

  it('shows a token only the integration that it was issued for', async () => {
    const token = await context.client.createToken(context.identity, { integration_id: 'imap' });
    const { body } = await context.client.requestWithToken(token, 'get', '/v1/integrations').expect(200);
    expect(ids(body.data)).toEqual(['imap']);
    const all = await context.client.requestWithToken(context.token, 'get', '/v1/integrations').expect(200);
    expect(ids(all.body.data)).toEqual(ids(await list()));
  });

  it.each([
    ['category=SOCIAL', { category: 'INVALID_OPTION' }],
    ['expand=options', { expand: 'INVALID_OPTION' }],
    ['category=mailbox', { category: 'INVALID_OPTION' }],
    ['auth_type=OAUTH2', { auth_type: 'UNKNOWN_PROPERTY' }],
  ])('rejects ?%s', async (query, invalidFields) => {
    const ask = () => context.client.request('get', `/v1/integrations?${query}`);
    expectError(await ask(), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await ask().set('Lang', 'de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
  });
});
