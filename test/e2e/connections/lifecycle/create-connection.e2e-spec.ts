import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createTestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

const PATH = '/v1/connections';
const MAILBOX = { host: '127.0.0.1', security: 'NONE', user: 'u', password: 'p' };

/** A local port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('POST /v1/connections (spec 4.2, decisions 4)', () => {
  const context = useTestContext();
  const valid = () => ({
    integration_id: 'sandbox',
    name: 'Portal',
    identity_uuid: context.identity,
    fields: { user: 'u', password: 'p' } as Record<string, unknown>,
  });
  const create = (change: object = {}) => context.client.request('post', PATH).send({ ...valid(), ...change });
  const createBy = (token: string, change: object = {}) =>
    context.client.requestWithToken(token, 'post', PATH).send({ ...valid(), identity_uuid: undefined, ...change });
  const kept = async () =>
    context.query<Record<string, string>>(
      `select (select count(*) from connection) as connections, (select count(*) from data_key) as keys,
         (select count(*) from audit_log where action like 'connection%') as audits, (select count(*) from outbox) as facts`,
    );

  itRequiresAuthentication(context, { method: 'post', path: () => PATH, accepts: ['key', 'token'] });

  it('creates a connection by key and answers it with the fields of the second step', async () => {
    const { body } = await create({ fields: { user: ' info@example.com ', password: 'p', documents: 2 } }).expect(201);
    const { step2_fields, ...connection } = body.data;
    expect(connection).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      integration_id: 'sandbox',
      name: 'Portal',
      identity_uuid: context.identity,
      status: 'PENDING',
      health: 'ACTION_REQUIRED',
      reason: {
        code: 'SETUP_INCOMPLETE',
        message: 'The setup has not been completed yet.',
        since: connection.created_at,
        action: 'COMPLETE_SETUP',
      },
      setup_complete: false,
      account: { display: 'info@example.com' },
      fields: {
        user: 'info@example.com',
        scenario: 'normal',
        fails_from: 'first_fetch',
        documents: 2,
        new_per_fetch: 1,
        document_size_kb: 50,
      },
      startdate: null,
      webhook: false,
      last_fetch: null,
      last_success_at: null,
      next_fetch_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: connection.created_at,
      manual_fetches: { limit: 5, remaining: 5, resets_at: null },
      inbox_address: null,
      failed_documents: 0,
      authorization_url: null,
    });
    expect(step2_fields.map(({ id }: { id: string }) => id)).toEqual(['folders', 'kinds']);
    const read = await context.client.request('get', `${PATH}/${connection.uuid}`).expect(200);
    expect(connection).toMatchObject(read.body.data);
  });

  it('creates a connection of its identity by token, named or not', async () => {
    for (const identity_uuid of [undefined, null, context.identity, context.identity.toUpperCase()]) {
      const { body } = await createBy(context.token, { identity_uuid }).expect(201);
      expect(body.data.identity_uuid).toBe(context.identity);
    }
  });

  it('uses the language of the request', async () => {
    const { body } = await create().set('Lang', 'de').expect(201);
    expect(body.data.reason.message).toBe('Die Einrichtung ist noch nicht abgeschlossen.');
    expect(body.data.step2_fields[0].label).toBe('Ordner');
  });

  it('stores the start date', async () => {
    const { body } = await create({ fields: { user: 'u', password: 'p', startdate: '2025-12-30' } }).expect(201);
    expect(body.data).toMatchObject({ startdate: '2025-12-30', fields: { startdate: '2025-12-30' } });
  });

  it('requires an identity from a key', async () => {
    const invalidFields = { identity_uuid: 'REQUIRED' };
    for (const identity_uuid of [undefined, null]) {
      expectError(await create({ identity_uuid }), 422, 'MISSING_REQUIRED_FIELDS', invalidFields);
    }
  });

  it('answers 403 for an identity of another caller', async () => {
    expectError(await create({ identity_uuid: await context.otherClient.createIdentity() }), 403, 'NOT_YOUR_IDENTITY');
    expectError(await createBy(context.token, { identity_uuid: context.otherIdentity }), 403, 'NOT_YOUR_IDENTITY');
    expectError(await createBy(context.token, { identity_uuid: randomUUID() }), 403, 'NOT_YOUR_IDENTITY');
    const both = create({ identity_uuid: context.otherIdentity }).set('X-TOKEN', context.token).set('Lang', 'de');
    expectError(await both, 403, 'NOT_YOUR_IDENTITY', {}, 'de');
  });

  it('answers 403 to a token that was issued for another resource', async () => {
    const other = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expectError(await createBy(other), 403, 'NOT_ALLOWED_BY_TOKEN');
    const edit = await context.client.createToken(context.identity, {
      connection_uuid: await context.createConnection(),
    });
    expectError(await createBy(edit), 403, 'NOT_ALLOWED_BY_TOKEN');
    const same = await context.client.createToken(context.identity, { integration_id: 'sandbox' });
    await createBy(same).expect(201);
  });

  const ALL_REQUIRED = { integration_id: 'REQUIRED', name: 'REQUIRED', fields: 'REQUIRED' };
  it.each<[string, object, string, Record<string, string>]>([
    [
      'an unknown identity',
      { identity_uuid: randomUUID() },
      'VALIDATION_FAILED',
      { identity_uuid: 'IDENTITY_NOT_FOUND' },
    ],
    ['a malformed identity', { identity_uuid: 'me' }, 'VALIDATION_FAILED', { identity_uuid: 'INVALID_UUID' }],
    ['an unknown integration', { integration_id: 'x' }, 'VALIDATION_FAILED', { integration_id: 'INTEGRATION_UNKNOWN' }],
    [
      'nothing',
      { integration_id: undefined, name: undefined, fields: undefined },
      'MISSING_REQUIRED_FIELDS',
      ALL_REQUIRED,
    ],
    ['nulls', { integration_id: null, name: null, fields: null }, 'MISSING_REQUIRED_FIELDS', ALL_REQUIRED],
    [
      'wrong types',
      { integration_id: 1, name: {}, fields: [] },
      'VALIDATION_FAILED',
      { integration_id: 'INVALID_TYPE_STRING', name: 'INVALID_TYPE_STRING', fields: 'INVALID_TYPE_OBJECT' },
    ],
    [
      'an unknown property',
      { foo: 1, bar: 2 },
      'VALIDATION_FAILED',
      { foo: 'UNKNOWN_PROPERTY', bar: 'UNKNOWN_PROPERTY' },
    ],
    ['a long name', { name: 'x'.repeat(256) }, 'VALIDATION_FAILED', { name: 'TOO_LONG' }],
    ['a null character', { name: 'a\0' }, 'VALIDATION_FAILED', { name: 'INVALID_FORMAT' }],
    [
      'missing fields',
      { fields: {} },
      'MISSING_REQUIRED_FIELDS',
      { 'fields.user': 'REQUIRED', 'fields.password': 'REQUIRED' },
    ],
    [
      'a blank field',
      { fields: { user: '  ', password: 'p' } },
      'MISSING_REQUIRED_FIELDS',
      { 'fields.user': 'REQUIRED' },
    ],
    [
      'every wrong field, with what is wrong beside them',
      {
        name: '',
        extra: true,
        fields: {
          user: 1,
          scenario: 'x',
          documents: '3',
          new_per_fetch: -1,
          startdate: '2026-02-31',
          hosst: 'h',
          constructor: 1,
        },
      },
      'VALIDATION_FAILED',
      {
        name: 'REQUIRED',
        extra: 'UNKNOWN_PROPERTY',
        'fields.user': 'INVALID_TYPE_STRING',
        'fields.password': 'REQUIRED',
        'fields.scenario': 'INVALID_OPTION',
        'fields.documents': 'INVALID_TYPE_NUMBER',
        'fields.new_per_fetch': 'TOO_SMALL',
        'fields.startdate': 'INVALID_DATE',
        'fields.hosst': 'UNKNOWN_PROPERTY',
        'fields.constructor': 'UNKNOWN_PROPERTY',
      },
    ],
    [
      'text that no database keeps',
      { fields: { user: 'a\0', password: '\ud800' } },
      'VALIDATION_FAILED',
      { 'fields.user': 'INVALID_FORMAT', 'fields.password': 'INVALID_FORMAT' },
    ],
  ])('rejects %s and stores nothing', async (_, change, code, invalidFields) => {
    const before = await kept();
    expectError(await create(change), 422, code, invalidFields);
    expectError(await create(change).set('Lang', 'de'), 422, code, invalidFields, 'de');
    expect(await kept()).toEqual(before);
  });

  it('names fields by their labels, in the language of the request', async () => {
    const message = async (lang: string) =>
      (await create({ fields: { user: 'u' } }).set('Lang', lang)).body.errors[0].message;
    expect(await message('en')).toBe('Password is required.');
    expect(await message('de')).toBe('„Passwort“ ist erforderlich.');
  });

  it('reports a missing identity together with all other errors', async () => {
    expectError(
      await create({ identity_uuid: undefined, name: undefined, fields: {} }),
      422,
      'MISSING_REQUIRED_FIELDS',
      {
        identity_uuid: 'REQUIRED',
        name: 'REQUIRED',
        'fields.user': 'REQUIRED',
        'fields.password': 'REQUIRED',
      },
    );
  });

  it('reports an unknown identity and an unknown integration together with all other errors', async () => {
    const unknown = { identity_uuid: randomUUID() };
    const invalidFields = { identity_uuid: 'IDENTITY_NOT_FOUND', 'fields.password': 'REQUIRED', name: 'REQUIRED' };
    const change = { ...unknown, name: undefined, fields: { user: 'u' } };
    expectError(await create(change), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await create(change).set('Lang', 'de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
    expectError(await create({ ...unknown, integration_id: 'x', name: 7 }), 422, 'VALIDATION_FAILED', {
      identity_uuid: 'IDENTITY_NOT_FOUND',
      integration_id: 'INTEGRATION_UNKNOWN',
      name: 'INVALID_TYPE_STRING',
    });
  });

  it('answers 403 before it validates the rest of the body', async () => {
    const broken = { name: undefined, fields: 7, extra: 1 };
    for (const lang of ['en', 'de'] as const) {
      const foreign = { ...broken, identity_uuid: await context.otherClient.createIdentity() };
      expectError(await create(foreign).set('Lang', lang), 403, 'NOT_YOUR_IDENTITY', {}, lang);
      const otherIdentity = { ...broken, identity_uuid: context.otherIdentity.toUpperCase() };
      expectError(await createBy(context.token, otherIdentity).set('Lang', lang), 403, 'NOT_YOUR_IDENTITY', {}, lang);
    }
    const other = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expectError(await createBy(other, broken), 403, 'NOT_ALLOWED_BY_TOKEN');
    expectError(await createBy(other, { ...broken, integration_id: 'nothing' }), 403, 'NOT_ALLOWED_BY_TOKEN');
    const edit = await context.client.createToken(context.identity, {
      connection_uuid: await context.createConnection(),
    });
    expectError(await createBy(edit, { integration_id: undefined }), 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  it.each(['identity', 'list', 'malformed'])('answers 422 to a body without a valid identity: %s', async (what) => {
    const bodies = {
      identity: { ...valid(), identity_uuid: { a: 1 } },
      list: [valid()],
      malformed: '{"identity_uuid"',
    };
    const answer = await context.client
      .request('post', PATH)
      .type('json')
      .send(bodies[what as keyof typeof bodies]);
    const [code, invalidFields] = {
      identity: ['VALIDATION_FAILED', { identity_uuid: 'INVALID_UUID' }] as const,
      list: ['VALIDATION_FAILED', { body: 'INVALID_TYPE_OBJECT' }] as const,
      malformed: ['MALFORMED_JSON', {}] as const,
    }[what]!;
    expectError(answer, 422, code, invalidFields);
  });

  it.each(['key', 'token'])(
    'stores nothing for an identity that is deleted during the request to the provider, by %s',
    async (by) => {
      const identity = await context.client.createIdentity();
      const token = await context.client.createToken(identity);
      const before = await kept();
      await context.query('begin');
      await context.query('delete from identity where uuid = $1', [identity]);
      const answer = (by === 'key' ? create({ identity_uuid: identity }) : createBy(token)).then((sent) => sent);
      await eventually(async () => {
        const waiting = await context.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      }, 'the creation waits');
      await context.query('commit');
      if (by === 'key') expectError(await answer, 422, 'VALIDATION_FAILED', { identity_uuid: 'IDENTITY_NOT_FOUND' });
      else expectError(await answer, 401, 'INVALID_TOKEN');
      expect(await kept()).toEqual(before);
    },
  );

  it('has no sandbox in a LIVE environment', async () => {
    const live = await createTestClient(context.app, { environment: { kind: 'LIVE' } });
    const answer = await live.request('post', PATH).send({ ...valid(), identity_uuid: await live.createIdentity() });
    expectError(answer, 422, 'VALIDATION_FAILED', { integration_id: 'INTEGRATION_UNKNOWN' });
  });

  it.each(['en', 'de'] as const)('stores nothing when the provider rejects the credentials (%s)', async (lang) => {
    const before = await kept();
    const answer = await create({ fields: { user: 'u', password: 'wrong' } }).set('Lang', lang);
    expectError(answer, 422, 'CREDENTIALS_REJECTED', { 'fields.password': 'REJECTED' }, lang);
    expect(await kept()).toEqual(before);
  });

  it('stores nothing when the provider cannot be reached', async () => {
    const before = await kept();
    const fields = { ...MAILBOX, port: await closedPort() };
    const answer = await create({ integration_id: 'imap', fields });
    expectError(answer, 422, 'PROVIDER_UNREACHABLE', { 'fields.port': 'CONNECTION_REFUSED' });
    const down = await create({ fields: { user: 'u', password: 'p', scenario: 'provider_down', fails_from: 'setup' } });
    expectError(down, 422, 'PROVIDER_UNREACHABLE');
    expect(await kept()).toEqual(before);
  });

  it.each([
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '[fd00::1]',
    '::ffff:10.0.0.1',
    '0x0a000001',
    '100.100.100.200',
  ])('rejects the private address %s without connecting to it', async (host) => {
    const before = await kept();
    for (const lang of ['en', 'de'] as const) {
      const answer = await create({ integration_id: 'imap', fields: { ...MAILBOX, host } }).set('Lang', lang);
      expectError(answer, 422, 'VALIDATION_FAILED', { 'fields.host': 'ADDRESS_NOT_ALLOWED' }, lang);
    }
    expect(await kept()).toEqual(before);
  });

  it('encrypts the secrets with their own key and never shows them', async () => {
    const { body } = await create({ fields: { user: 'u', password: 'Tr0ub4dor&3' } }).expect(201);
    expect(JSON.stringify(body)).not.toContain('Tr0ub4dor');
    const [row] = await context.query<{ settings: object; secrets: Buffer }>(
      'select settings, secrets from connection join data_key on owner_uuid = connection.uuid where connection.uuid = $1',
      [body.data.uuid],
    );
    expect(JSON.stringify(row!.settings)).not.toContain('Tr0ub4dor');
    expect(row!.secrets.includes('Tr0ub4dor')).toBe(false);
  });
});
