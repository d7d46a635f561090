import { randomUUID } from 'node:crypto';
import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

const PATH = '/v1/connections/migrate';

describe('POST /v1/connections/migrate (spec 4.11)', () => {
  const context = useTestContext();
  const migrate = (change: object = {}) =>
    context.client.request('post', PATH).send({
      identity_uuid: context.identity,
      integration_id: 'sandbox',
      name: 'Old portal',
      fields: { user: 'u', password: 'p' },
      ...change,
    });
  const count = () => context.query('select (select count(*) from connection) c, (select count(*) from data_key) k');

  itRequiresAuthentication(context, { method: 'post', path: () => PATH, accepts: ['key'] });

  it('answers the connection with its uuid (rule 1); its first fetch follows immediately', async () => {
    const { body } = await migrate().expect(201);
    expect(body.data).toMatchObject({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      identity_uuid: context.identity,
      integration_id: 'sandbox',
      name: 'Old portal',
      status: 'ACTIVE',
      setup_complete: true,
      step2_fields: null,
      authorization_url: null,
    });
    const { uuid } = body.data as { uuid: string };
    await context.client.request('get', `/v1/connections/${uuid}`).expect(200);
    const [row] = await context.query(
      'select immediate_fetch_trigger, secrets is not null as encrypted from connection where uuid = $1',
      [uuid],
    );
    expect(row).toEqual({ immediate_fetch_trigger: 'INITIAL', encrypted: true });
  });

  it.each<[string, object]>([
    ['missing secrets', { user: 'u' }],
    ['nothing', {}],
    ['blanks', { user: ' ', password: '' }],
  ])('lists the missing fields (rule 2): %s', async (_, fields) => {
    const before = await count();
    const missing = Object.entries({ user: 'REQUIRED', password: 'REQUIRED' })
      .filter(([id]) => !(fields as Record<string, string>)[id]?.trim())
      .map(([id, code]) => [`fields.${id}`, code]);
    const invalidFields = Object.fromEntries(missing) as Record<string, string>;
    expectError(await migrate({ fields }), 422, 'MISSING_REQUIRED_FIELDS', invalidFields);
    expectError(await migrate({ fields }).set('Lang', 'de'), 422, 'MISSING_REQUIRED_FIELDS', invalidFields, 'de');
    expect(await count()).toEqual(before);
  });

  it('lists missing properties of the body and missing fields together', async () => {
    expectError(
      await migrate({ identity_uuid: undefined, name: undefined, fields: {} }),
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

  it.each(['1999-01-01', '2999-01-01', 'garbage', 7, null])(
    'ignores the startdate %p: today counts (rule 4)',
    async (startdate) => {
      const { body } = await migrate({ fields: { user: 'u', password: 'p', startdate } }).expect(201);
      const today = context.app.clock.now().toISOString().slice(0, 10);
      expect(body.data).toMatchObject({ startdate: today, fields: { startdate: today } });
    },
  );

  it('does not report an ignored startdate besides real errors (rule 4)', async () => {
    const answer = await migrate({ name: undefined, fields: { user: 'u', password: 'p', startdate: 'garbage' } });
    expectError(answer, 422, 'MISSING_REQUIRED_FIELDS', { name: 'REQUIRED' });
  });

  it('uses the current day as the day of the migration', async () => {
    context.app.clock.advance(3 * 86_400);
    const { body } = await migrate().expect(201);
    const today = context.app.clock.now().toISOString().slice(0, 10);
    context.app.clock.advance(-3 * 86_400);
    expect(body.data.startdate).toBe(today);
    expect(today > context.app.clock.now().toISOString().slice(0, 10)).toBe(true);
  });

  it('does not depend on the provider: wrong credentials and a dead host are accepted', async () => {
    await migrate({ fields: { user: 'u', password: 'wrong' } }).expect(201);
    const fields = { host: 'mail.invalid', user: 'u', password: 'p' };
    const { body } = await migrate({ integration_id: 'imap', fields }).expect(201);
    expect(body.data).toMatchObject({ status: 'ACTIVE', account: null });
  });

  it('answers 404 to an unknown identity and 403 to one of another environment', async () => {
    expectError(await migrate({ identity_uuid: randomUUID() }), 404, 'IDENTITY_NOT_FOUND');
    const identity_uuid = await context.otherClient.createIdentity();
    expectError(await migrate({ identity_uuid }), 403, 'NOT_YOUR_IDENTITY');
    expectError(await migrate({ identity_uuid }).set('Lang', 'de'), 403, 'NOT_YOUR_IDENTITY', {}, 'de');
  });

  it('answers 404 and 403 before it validates the rest of the body', async () => {
    const broken = { name: 7, fields: undefined, extra: 1 };
    for (const lang of ['en', 'de'] as const) {
      const unknown = migrate({ ...broken, identity_uuid: randomUUID() }).set('Lang', lang);
      expectError(await unknown, 404, 'IDENTITY_NOT_FOUND', {}, lang);
      const foreign = migrate({ ...broken, identity_uuid: await context.otherClient.createIdentity() }).set(
        'Lang',
        lang,
      );
      expectError(await foreign, 403, 'NOT_YOUR_IDENTITY', {}, lang);
    }
    const other = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expectError(await migrate(broken).set('X-TOKEN', other), 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  it('reports an unknown integration together with all other errors', async () => {
    expectError(await migrate({ integration_id: 'x', name: undefined }), 422, 'VALIDATION_FAILED', {
      integration_id: 'INTEGRATION_UNKNOWN',
      name: 'REQUIRED',
    });
  });

  it('requires the identity also from a key sent with a token', async () => {
    const answer = await migrate({ identity_uuid: undefined }).set('X-TOKEN', context.token);
    expectError(answer, 422, 'MISSING_REQUIRED_FIELDS', { identity_uuid: 'REQUIRED' });
  });

  it('respects the narrower scope of a token sent with the key', async () => {
    expectError(
      await migrate({ identity_uuid: context.otherIdentity }).set('X-TOKEN', context.token),
      403,
      'NOT_YOUR_IDENTITY',
    );
    const other = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expectError(await migrate().set('X-TOKEN', other), 403, 'NOT_ALLOWED_BY_TOKEN');
    const edit = await context.client.createToken(context.identity, {
      connection_uuid: await context.createConnection(),
    });
    expectError(await migrate().set('X-TOKEN', edit), 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  const ALL = { identity_uuid: 'REQUIRED', integration_id: 'REQUIRED', name: 'REQUIRED', fields: 'REQUIRED' };
  it.each<[string, object, string, Record<string, string>]>([
    [
      'nothing',
      { identity_uuid: undefined, integration_id: undefined, name: undefined, fields: undefined },
      'MISSING_REQUIRED_FIELDS',
      ALL,
    ],
    ['an unknown integration', { integration_id: 'x' }, 'VALIDATION_FAILED', { integration_id: 'INTEGRATION_UNKNOWN' }],
    [
      'everything wrong at once',
      { identity_uuid: 'x', integration_id: 1, name: [], fields: 'x', startdate: '2026-01-01' },
      'VALIDATION_FAILED',
      {
        identity_uuid: 'INVALID_UUID',
        integration_id: 'INVALID_TYPE_STRING',
        name: 'INVALID_TYPE_STRING',
        fields: 'INVALID_TYPE_OBJECT',
        startdate: 'UNKNOWN_PROPERTY',
      },
    ],
  ])('rejects %s', async (_, change, code, invalidFields) => {
    expectError(await migrate(change), 422, code, invalidFields);
    expectError(await migrate(change).set('Lang', 'de'), 422, code, invalidFields, 'de');
  });
});
