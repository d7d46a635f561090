import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('POST /v1/identities (decisions 4 and 5)', () => {
  const context = useSharedContext();
  const create = (body: object | undefined) => context.client.request('post', '/v1/identities').send(body);

  itRequiresAuthentication(context, { method: 'post', path: () => '/v1/identities', accepts: ['key'] });

  it('creates an identity', async () => {
    const given = {
      client_identifier: 'c-1',
      display_name: 'Muster GmbH',
      type: 'COMPANY',
      metadata: { tenant: 'eu' },
    };
    const { body } = await create(given).expect(201);
    expect(body).toEqual({
      data: {
        ...given,
        identity_uuid: expect.stringMatching(UUID),
        connections: { total: 0, active: 0, needs_attention: 0 },
        created_at: expect.stringMatching(INSTANT),
        updated_at: expect.stringMatching(INSTANT),
      },
    });
  });

  it('sets defaults for omitted values', async () => {
    const { body } = await create({ client_identifier: 'c-2' }).expect(201);
    expect(body.data).toMatchObject({ display_name: null, type: null, metadata: {} });
  });

  it('answers 200 with the existing identity to the same request again', async () => {
    const given = { client_identifier: 'c-3', display_name: 'A', metadata: { a: '1', b: '2' } };
    const first = await create(given).expect(201);
    const again = await create({ ...given, metadata: { b: '2', a: '1' }, type: null }).expect(200);
    expect(again.body).toEqual(first.body);
  });

  it.each([
    ['another name', { display_name: 'B' }],
    ['another type', { type: 'USER' }],
    ['other metadata', { metadata: { a: '2' } }],
    ['less', { display_name: undefined }],
  ])('rejects the same client_identifier with %s', async (_, change) => {
    const given = { client_identifier: `taken ${_}`, display_name: 'A', type: 'COMPANY', metadata: { a: '1' } };
    const { body } = await create(given).expect(201);
    const fault = { client_identifier: 'CLIENT_IDENTIFIER_TAKEN' };
    expectError(await create({ ...given, ...change }), 422, 'CLIENT_IDENTIFIER_TAKEN', fault);
    expectError(await create({ ...given, ...change }).set('Lang', 'de'), 422, 'CLIENT_IDENTIFIER_TAKEN', fault, 'de');
    const kept = await context.client.request('get', `/v1/identities/${body.data.identity_uuid}`).expect(200);
    expect(kept.body).toEqual(body);
  });

  it('creates one identity under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ client_identifier: 'parallel' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.data.identity_uuid)).size).toBe(1);
  });

  it('separates the identifiers of two environments', async () => {
    const own = await create({ client_identifier: 'shared', type: 'USER' }).expect(201);
    const other = await context.otherClient
      .request('post', '/v1/identities')
      .send({ client_identifier: 'shared' })
      .expect(201);
    expect(other.body.data.identity_uuid).not.toBe(own.body.data.identity_uuid);
  });

  it('rejects a UI token sent with the key: a token is for its identity only', async () => {
    const answer = await create({ client_identifier: 'c-4' }).set('X-TOKEN', context.token);
    expectError(answer, 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  const long = 'x'.repeat(256);
  it.each<[string, object | undefined, string, Record<string, string>]>([
    ['nothing', undefined, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' }],
    ['an empty identifier', { client_identifier: '' }, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' }],
    ['null as identifier', { client_identifier: null }, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' }],
    [
      'a number as identifier',
      { client_identifier: 1 },
      'VALIDATION_FAILED',
      { client_identifier: 'INVALID_TYPE_STRING' },
    ],
    ['a long identifier', { client_identifier: long }, 'VALIDATION_FAILED', { client_identifier: 'TOO_LONG' }],
    ['a null character', { client_identifier: 'a\0b' }, 'VALIDATION_FAILED', { client_identifier: 'INVALID_FORMAT' }],
    [
      'half a surrogate pair',
      { client_identifier: '\ud800' },
      'VALIDATION_FAILED',
      { client_identifier: 'INVALID_FORMAT' },
    ],
    ['a list', [], 'VALIDATION_FAILED', { body: 'INVALID_TYPE_OBJECT' }],
    [
      'everything wrong at once',
      { display_name: long, type: 'PET', metadata: { a: 1 }, nickname: 'x', other: 'y' },
      'VALIDATION_FAILED',
      {
        client_identifier: 'REQUIRED',
        display_name: 'TOO_LONG',
        type: 'INVALID_OPTION',
        metadata: 'INVALID_METADATA',
        nickname: 'UNKNOWN_PROPERTY',
        other: 'UNKNOWN_PROPERTY',
      },
    ],
  ])('rejects %s', async (_, body, code, invalidFields) => {
    expectError(await create(body), 422, code, invalidFields);
    expectError(await create(body).set('Lang', 'de'), 422, code, invalidFields, 'de');
  });

  it.each([
    ['eleven texts', Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'v']))],
    ['a long text', { a: 'x'.repeat(501) }],
    ['a long name', { ['k'.repeat(41)]: 'v' }],
    ['a list', ['a']],
    ['a null character', { a: '\0' }],
    ['half a surrogate pair', { a: '\ud800' }],
    ['half a surrogate pair in a name', { '\udc00': 'a' }],
  ])('rejects metadata with %s', async (what, metadata) => {
    expectError(await create({ client_identifier: what, metadata }), 422, 'VALIDATION_FAILED', {
      metadata: 'INVALID_METADATA',
    });
  });

  it('accepts values up to their limits, in any script', async () => {
    const given = {
      client_identifier: 'ü'.repeat(255),
      display_name: '会社 🏢',
      metadata: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${i}`.padEnd(40, 'k'), 'é'.repeat(500)])),
    };
    const { body } = await create(given).expect(201);
    expect(body.data).toMatchObject(given);
  });

  it('records the actor in the audit log', async () => {
    const { body } = await create({ client_identifier: 'audited' }).expect(201);
    const rows = await context.query('select actor, action, environment_uuid from audit_log where subject_uuid = $1', [
      body.data.identity_uuid,
    ]);
    expect(rows).toEqual([
      {
        actor: expect.stringMatching(/^key:/),
        action: 'identity.create',
        environment_uuid: context.client.environmentUuid,
      },
    ]);
  });
});
