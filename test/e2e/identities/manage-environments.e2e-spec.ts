import { randomUUID } from 'node:crypto';
import {
  Environment,
  SIGNING_SECRETS,
  type SigningSecret,
} from '../../../src/identities/environments/environment.entity';
import { EntityManager } from '@mikro-orm/postgresql';
import { Encrypted } from '../../../src/platform/crypto/encrypted';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { useTestContext } from '../../harness/app/test-context';
import { openConsole, type TestConsole } from '../../harness/http/console-session';
import { expectError } from '../../harness/http/expect-error';

const PATH = '/v1/console/environments';

interface Managed {
  readonly environment_uuid: string;
  readonly updated_at: string;
  readonly [member: string]: unknown;
}

describe('Environments in the console, for the support team (decisions 7)', () => {
  const context = useTestContext();
  let support: TestConsole;
  let developer: TestConsole;
  let client: TestClient;
  let path: string;

  beforeAll(async () => {
    support = await openConsole(context.app, context.client.environmentUuid, 'SUPPORT');
    developer = await openConsole(context.app, context.client.environmentUuid, 'DEVELOPER');
  });
  beforeEach(async () => {
    client = await createTestClient(context.app, {
      environment: { clientName: 'Müller & Söhne', name: `Shop ${randomUUID()}` },
      provisioning: {
        strategy: 'PUSH',
        url: 'https://client.example/documents?token=in-url',
        auth: 'BEARER',
        secret: 'hunter2',
      },
    });
    path = `${PATH}/${client.environmentUuid}`;
  });

  const read = async (): Promise<Managed> =>
    ((await support.request('get', path).expect(200)).body as { data: Managed }).data;
  const stored = async () =>
    (await context.query('select * from environment where uuid = $1', [client.environmentUuid]))[0]!;
  const audited = (action: string) =>
    context.query<{ actor: string; details: object }>(
      'select actor, details from audit_log where subject_uuid = $1 and action = $2 order by uuid',
      [client.environmentUuid, action],
    );
  const secretsOf = async (): Promise<SigningSecret[]> => {
    const em = context.app.app.get(EntityManager, { strict: false }).fork();
    const keys = context.app.app.get(KeyManager, { strict: false });
    const environment = await em.findOneOrFail(Environment, client.environmentUuid);
    return keys.decrypt(await keys.key(em, client.environmentUuid), SIGNING_SECRETS, environment.signingSecrets);
  };

  it('are listed page by page, and found by client, name and uuid', async () => {
    const all: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await support.request('get', `${PATH}?limit=2${cursor && `&cursor=${cursor}`}`).expect(200);
      all.push(...(body.data as Managed[]).map(({ environment_uuid }) => environment_uuid));
      if (!body.meta.has_more) break;
      cursor = body.meta.next_cursor;
    }
    const rows = await context.query<{ uuid: string }>('select uuid from environment order by uuid');
    expect(all).toEqual(rows.map(({ uuid }) => uuid));
    const { name } = await read();
    for (const q of [
      String(name),
      String(name).toUpperCase(),
      client.environmentUuid,
      client.environmentUuid.slice(0, 35),
    ]) {
      const { body } = await support.request('get', PATH).query({ q }).expect(200);
      expect(body.data).toEqual([await read()]);
    }
    expect((await support.request('get', PATH).query({ q: 'Shop %' }).expect(200)).body.data).toEqual([]);
  });

  it('are shown without any secret', async () => {
    expect(await read()).toMatchObject({
      environment_uuid: client.environmentUuid,
      client_name: 'Müller & Söhne',
      strategy: 'PUSH',
      provisioning_url: 'https://client.example/documents',
      auth: 'BEARER',
      has_auth_secret: true,
      theme_name: null,
    });
    const list = await support.request('get', PATH).expect(200);
    for (const secret of ['hunter2', 'in-url', client.apiKey, client.signingSecret]) {
      expect(JSON.stringify([await read(), list.body])).not.toContain(secret);
    }
  });

  it('are closed to developers, who cannot even see whether an environment exists', async () => {
    const own = `${PATH}/${context.client.environmentUuid}`;
    for (const [method, address] of [
      ['get', PATH],
      ['post', PATH],
      ['get', own],
      ['patch', own],
      ['get', `${PATH}/${randomUUID()}`],
      ['put', `${own}/provisioning`],
      ['post', `${own}/signing-secret`],
      ['post', `${own}/theme-preview`],
    ] as const) {
      expectError(
        await developer.request(method, address).send(method === 'get' ? undefined : {}),
        403,
        'SUPPORT_ONLY',
      );
    }
    expectError(await developer.request('get', own).set('Lang', 'de'), 403, 'SUPPORT_ONLY', {}, 'de');
    expectError(await context.client.request('get', own), 401, 'MISSING_CREDENTIALS');
  });

  it('answers 422 to something that is no uuid, and 404 to an unknown environment', async () => {
    expectError(await support.request('get', `${PATH}/x`), 422, 'VALIDATION_FAILED', {
      environment_uuid: 'INVALID_UUID',
    });
    expectError(await support.request('get', `${PATH}/${randomUUID()}`), 404, 'ENVIRONMENT_NOT_FOUND');
  });

  describe('changing settings', () => {
    const patch = async (change: object, lang = 'en') =>
      support
        .request('patch', path)
        .set('Lang', lang)
        .send({ expected_updated_at: (await read()).updated_at, ...change });

    it('changes what is given, and audits it with the session', async () => {
      const before = await read();
      const change = {
        name: 'Live',
        fetch_interval_minutes: 15,
        return_origins: ['https://App.example.com'],
        embedding_origins: ['https://erp.example.com'],
        browser_origins: [],
        retention_days: 30,
        retention_class: 'LONG',
        push_limit_bytes: 1024 * 1024,
        text_extraction: false,
        hold_duplicates: true,
        expected_documents: true,
        console_content: false,
        mail_policy: 'REQUIRE',
        theme_name: 'Acme',
        theme_primary_color: '#AABBCC',
      };
      const { body } = await patch(change);
      const expected = {
        ...before,
        ...change,
        return_origins: ['https://app.example.com'],
        theme_primary_color: '#aabbcc',
        updated_at: expect.any(String),
      };
      expect(body.data).toEqual(expected);
      expect(await read()).toEqual(expected);
      expect(await audited('environment.update')).toEqual([
        {
          actor: `console:${support.sessionUuid}`,
          details: expect.objectContaining({ name: 'Live', holdDuplicates: true }),
        },
      ]);
      expect((await patch({ theme_name: null })).body.data).toMatchObject({
        theme_name: null,
        theme_primary_color: '#aabbcc',
      });
    });

    it('names every wrong member in both languages, and changes nothing', async () => {
      const before = await stored();
      const wrong = {
        name: '',
        kind: 'LIVE',
        fetch_interval_minutes: 4,
        return_origins: ['https://a.example/x'],
        embedding_origins: ['http://a.example'],
        browser_origins: 'https://a.example',
        retention_days: null,
        retention_class: 'FOREVER',
        push_limit_bytes: 1.5,
        text_extraction: 'yes',
        theme_name: 'fine',
        theme_logo_url: 'http://a.example/logo.svg',
        theme_primary_color: 'red',
      };
      for (const lang of ['en', 'de'] as const) {
        expectError(
          await patch(wrong, lang),
          422,
          'VALIDATION_FAILED',
          {
            name: 'REQUIRED',
            kind: 'UNKNOWN_PROPERTY',
            fetch_interval_minutes: 'TOO_SMALL',
            return_origins: 'INVALID_ORIGIN',
            embedding_origins: 'INVALID_SECURE_ORIGIN',
            browser_origins: 'INVALID_TYPE_ARRAY',
            retention_days: 'INVALID_TYPE_INTEGER',
            retention_class: 'INVALID_OPTION',
            push_limit_bytes: 'INVALID_TYPE_INTEGER',
            text_extraction: 'INVALID_TYPE_BOOLEAN',
            theme_logo_url: 'INVALID_URL',
            theme_primary_color: 'INVALID_FORMAT',
          },
          lang,
        );
      }
      expectError(await patch({}), 422, 'VALIDATION_FAILED', { body: 'NOTHING_TO_CHANGE' });
      const unversioned = await support.request('patch', path).send({ name: 'x' });
      expectError(unversioned, 422, 'MISSING_REQUIRED_FIELDS', { expected_updated_at: 'REQUIRED' });
      expect(await stored()).toEqual(before);
      expect(await audited('environment.update')).toEqual([]);
    });

    it('lets one of several concurrent changes pass, and tells the others', async () => {
      const { updated_at: expected_updated_at } = await read();
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) => support.request('patch', path).send({ expected_updated_at, name })),
      );
      const passed = answers.filter(({ status }) => status === 200);
      expect(passed).toHaveLength(1);
      expect((await read()).name).toBe(passed[0]!.body.data.name);
      for (const answer of answers.filter((one) => one !== passed[0])) {
        expectError(answer, 409, 'ENVIRONMENT_CHANGED', { expected_updated_at: 'ENVIRONMENT_CHANGED' });
      }
      const late = await support.request('patch', path).set('Lang', 'de').send({ expected_updated_at, name: 'x' });
      expectError(late, 409, 'ENVIRONMENT_CHANGED', { expected_updated_at: 'ENVIRONMENT_CHANGED' }, 'de');
    });

    it('previews a theme without changing it', async () => {
      const before = await stored();
      const { body } = await support
        .request('post', `${path}/theme-preview`)
        .send({ theme_primary_color: '#0055AA' })
        .expect(200);
      expect(body.data.url).toMatch(/\/ui\?preview=[\w-]+\.[\w-]+$/);
      const wrong = await support.request('post', `${path}/theme-preview`).send({ theme_primary_color: 'red' });
      expectError(wrong, 422, 'VALIDATION_FAILED', { theme_primary_color: 'INVALID_FORMAT' });
      expect(await stored()).toEqual(before);
    });
  });

  describe('the provisioning', () => {
    const url = 'https://client.example/documents';
    const put = async (settings: object) =>
      support
        .request('put', `${path}/provisioning`)
        .send({ expected_updated_at: (await read()).updated_at, ...settings });

    it('keeps the stored secret for the same origin and authentication, and never shows it', async () => {
      const before = await stored();
      const kept = await put({ strategy: 'PUSH', url, auth: 'BEARER' });
      expect(kept.status).toBe(200);
      const { updated_at: _, ...unchanged } = before;
      expect(await stored()).toMatchObject(unchanged); // the token in the URL included

      const moved = await put({ strategy: 'WEBHOOK', url: 'https://client.example/other', auth: 'BEARER' });
      expect(moved.body.data).toMatchObject({ strategy: 'WEBHOOK', has_auth_secret: true });
      expect(await stored()).toMatchObject({
        client_auth_secret: before.client_auth_secret,
        endpoint_version: Number(before.endpoint_version) + 1,
      });
      const replaced = await put({ strategy: 'PUSH', url, auth: 'HEADER', secret: 'Basic c2VjcmV0' });
      expect(replaced.body.data).toMatchObject({ auth: 'HEADER', has_auth_secret: true, provisioning_url: url });
      const removed = await put({ strategy: 'POLLING', auth: 'NONE' });
      expect(removed.body.data).toMatchObject({ auth: 'NONE', has_auth_secret: false, provisioning_url: null });
      const log = await audited('provisioning.set');
      expect(log.slice(1).map(({ actor }) => actor)).toEqual(Array(4).fill(`console:${support.sessionUuid}`));
      expect(JSON.stringify([log, kept.body, moved.body, replaced.body])).not.toMatch(/hunter2|c2VjcmV0/);
    });

    it.each<[string, object, string, string]>([
      ['push without a URL', { strategy: 'PUSH', auth: 'NONE' }, 'url', 'REQUIRED'],
      [
        'plain http on the internet',
        { strategy: 'PUSH', url: 'http://a.example/', auth: 'NONE' },
        'url',
        'INVALID_WEBHOOK_URL',
      ],
      [
        'a URL with a password',
        { strategy: 'PUSH', url: 'https://a:b@a.example/', auth: 'NONE' },
        'url',
        'INVALID_WEBHOOK_URL',
      ],
      [
        'a closed address',
        { strategy: 'PUSH', url: 'https://169.254.169.254/', auth: 'NONE' },
        'url',
        'ADDRESS_NOT_ALLOWED',
      ],
      [
        'the stored secret for another origin',
        { strategy: 'PUSH', url: 'https://other.example/', auth: 'BEARER' },
        'secret',
        'REQUIRED',
      ],
      ['the stored secret for another authentication', { strategy: 'PUSH', url, auth: 'QUERY' }, 'secret', 'REQUIRED'],
      [
        'a secret without authentication',
        { strategy: 'PUSH', url, auth: 'NONE', secret: 'x' },
        'secret',
        'UNKNOWN_PROPERTY',
      ],
      ['a secret of two lines', { strategy: 'PUSH', url, auth: 'QUERY', secret: 'a\nb' }, 'secret', 'NOT_ONE_LINE'],
      [
        'a secret that no header can carry',
        { strategy: 'PUSH', url, auth: 'BEARER', secret: 'tok€n' },
        'secret',
        'NOT_ALLOWED_IN_HEADER',
      ],
      ['an empty secret', { strategy: 'PUSH', url, auth: 'BEARER', secret: '' }, 'secret', 'REQUIRED'],
      ['an unknown strategy', { strategy: 'FAX', auth: 'NONE' }, 'strategy', 'INVALID_OPTION'],
    ])('rejects %s and names the member', async (_, settings, field, code) => {
      const before = await stored();
      const answer = await put(settings);
      expectError(answer, 422, code === 'REQUIRED' ? 'MISSING_REQUIRED_FIELDS' : 'VALIDATION_FAILED', {
        [field]: code,
      });
      expect(await stored()).toEqual(before);
    });

    it('rejects a change that is based on older settings', async () => {
      const body = { expected_updated_at: '2020-01-01T00:00:00Z', strategy: 'POLLING', auth: 'NONE' };
      expectError(await support.request('put', `${path}/provisioning`).send(body), 409, 'ENVIRONMENT_CHANGED', {
        expected_updated_at: 'ENVIRONMENT_CHANGED',
      });
    });
  });

  describe('the signing secret', () => {
    const rotate = async (more: object = {}) =>
      support
        .request('post', `${path}/signing-secret`)
        .send({ expected_updated_at: (await read()).updated_at, ...more });

    it('is shown once, and the former one signs until the end of the transition period', async () => {
      const { status, body } = await rotate({ grace_hours: 72 });
      expect(status).toBe(200);
      const { signing_secret: secret, former_retires_at: retiresAt, updated_at } = body.data;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Date.parse(retiresAt) - context.app.clock.now().getTime()).toBeGreaterThan(71.9 * 3_600_000);
      expect(await secretsOf()).toEqual([
        { secret, retiresAt: null },
        { secret: client.signingSecret, retiresAt },
      ]);
      expect(await read()).toMatchObject({ updated_at, previous_signing_secret_valid_until: retiresAt });
      const log = await audited('environment.rotate-signing-secret');
      expect(log).toEqual([{ actor: `console:${support.sessionUuid}`, details: { former_retires_at: retiresAt } }]);
      const everything = JSON.stringify([await read(), log, (await support.request('get', PATH)).body]);
      expect(everything).not.toContain(secret);
    });

    it('replaces the former ones at once after a leak', async () => {
      await rotate();
      const { body } = await rotate({ grace_hours: 0 });
      expect(await secretsOf()).toEqual([{ secret: body.data.signing_secret, retiresAt: null }]);
      expect(await read()).toMatchObject({ previous_signing_secret_valid_until: null });
    });

    it('is not replaced twice by a double click', async () => {
      const { updated_at: expected_updated_at } = await read();
      const answers = await Promise.all(
        [1, 2].map(() => support.request('post', `${path}/signing-secret`).send({ expected_updated_at })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await secretsOf()).toHaveLength(2);
    });

    it('has a transition period of 90 days at most', async () => {
      expectError(await rotate({ grace_hours: 2161 }), 422, 'VALIDATION_FAILED', { grace_hours: 'TOO_LARGE' });
      expect(await secretsOf()).toHaveLength(1);
    });
  });

  describe('creating one', () => {
    it('answers its key and signing secret, which work and are in no later answer', async () => {
      const created = await support
        .request('post', PATH)
        .send({ client_name: 'New', name: 'Trial', kind: 'TEST', browser_origins: ['https://www.example.com'] });
      expect(created.status).toBe(201);
      const { api_key: key, signing_secret: secret, ...rest } = created.body.data;
      expect(created.headers.location).toBe(`${PATH}/${rest.environment_uuid}`);
      expect(rest).toMatchObject({ client_name: 'New', strategy: 'POLLING', fetch_interval_minutes: 1440 });
      const shown = await support.request('get', created.headers.location!).expect(200);
      expect(shown.body.data).toEqual(rest);
      const own = await context.client.request('get', '/v1/environment').set('X-API-KEY', key).expect(200);
      expect(own.body.data.environment_uuid).toBe(rest.environment_uuid);
      const log = await context.query('select actor, action, details from audit_log where environment_uuid = $1', [
        rest.environment_uuid,
      ]);
      expect(log).toEqual(
        ['environment.create', 'key.issue'].map((action) =>
          expect.objectContaining({ action, actor: `console:${support.sessionUuid}` }),
        ),
      );
      for (const hidden of [key, secret]) expect(JSON.stringify([log, shown.body])).not.toContain(hidden);
    });

    it('is not done twice with the same key, of which no secret is stored', async () => {
      const key = randomUUID();
      const create = () =>
        support
          .request('post', PATH)
          .set('Idempotency-Key', key)
          .send({ client_name: 'Once', name: 'A', kind: 'TEST' });
      const { body } = await create().expect(201);
      expectError(await create(), 409, 'SECRET_ALREADY_SHOWN');
      expectError(await create().set('Lang', 'de'), 409, 'SECRET_ALREADY_SHOWN', {}, 'de');
      const rows = await context.query<{ resource_uuids: string[]; response: Buffer }>(
        'select resource_uuids, response from idempotency_key where key = $1',
        [key],
      );
      expect(rows).toEqual([{ resource_uuids: [], response: expect.any(Buffer) }]);
      const em = context.app.app.get(EntityManager, { strict: false }).fork();
      const keys = context.app.app.get(KeyManager, { strict: false });
      const { environmentUuid } = context.client;
      const purpose = `idempotency-key.answer:${environmentUuid}:${key}`;
      const encrypted = new Encrypted(rows[0]!.response);
      const stored = keys.decrypt(await keys.key(em, environmentUuid), purpose, encrypted);
      expect(stored).toEqual({ status: 201, body: null, withheld: true });
      expect(await context.query('select 1 from environment where client_name = $1', ['Once'])).toHaveLength(1);
      expect(body.data.api_key).toMatch(/^df_test_/);
    });

    it('names what is missing or wrong', async () => {
      const count = async () => (await context.query('select 1 from environment')).length;
      const before = await count();
      expectError(await support.request('post', PATH).send({}), 422, 'MISSING_REQUIRED_FIELDS', {
        client_name: 'REQUIRED',
        name: 'REQUIRED',
        kind: 'REQUIRED',
      });
      const body = { client_name: 'A', name: 'B', kind: 'PROD', browser_origins: ['http://a.example'] };
      expectError(await support.request('post', PATH).send(body), 422, 'VALIDATION_FAILED', {
        kind: 'INVALID_OPTION',
        browser_origins: 'INVALID_SECURE_ORIGIN',
      });
      expect(await count()).toBe(before);
    });
  });
});
