import { randomUUID } from 'node:crypto';
import { expectError } from '../../harness/http/expect-error';
import { itChecksIdentityAccess } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';

interface IdentityBody {
  readonly identity_uuid: string;
  readonly updated_at: string;
  readonly [name: string]: unknown;
}

describe('PATCH /v1/identities/{identity_uuid} (decisions 4 and 5)', () => {
  const context = useTestContext();
  const path = (uuid: string) => `/v1/identities/${uuid}`;
  const patch = (uuid: string, body: object) => context.client.request('patch', path(uuid)).send(body);
  const read = async (uuid: string) =>
    (await context.client.request('get', path(uuid)).expect(200)).body.data as IdentityBody;
  const audits = async (uuid: string) =>
    (
      await context.query<{ action: string; details: object; actor: string }>(
        "select action, details, actor from audit_log where subject_uuid = $1 and action <> 'identity.create' order by uuid",
        [uuid],
      )
    ).map(({ action, details, actor }) => ({ action, details, by: actor.split(':')[0] }));

  /** An identity with all properties set. */
  async function anIdentity(more: object = {}): Promise<IdentityBody> {
    const { body } = await context.client
      .request('post', '/v1/identities')
      .send({
        client_identifier: randomUUID(),
        display_name: 'Muster GmbH',
        type: 'COMPANY',
        metadata: { tenant: 'eu-1', branch: 'Bonn' },
        ...more,
      })
      .expect(201);
    return body.data as IdentityBody;
  }

  itChecksIdentityAccess(context, { method: 'patch', path, accepts: ['key'] });

  it.each<[string, object, object]>([
    ['display_name', { display_name: 'Beispiel AG' }, { display_name: 'Beispiel AG' }],
    ['no display_name', { display_name: null }, { display_name: null }],
    ['type', { type: 'USER' }, { type: 'USER' }],
    ['no type', { type: null }, { type: null }],
    ['one entry of metadata', { metadata: { tenant: 'eu-2' } }, { metadata: { tenant: 'eu-2', branch: 'Bonn' } }],
    ['a further entry', { metadata: { plan: 'pro' } }, { metadata: { tenant: 'eu-1', branch: 'Bonn', plan: 'pro' } }],
    ['without an entry', { metadata: { tenant: null, never: null } }, { metadata: { branch: 'Bonn' } }],
    ['no metadata', { metadata: null }, { metadata: {} }],
    [
      'everything at once',
      { client_identifier: 'all-at-once', display_name: 'A', type: 'ACCOUNT', metadata: { tenant: null, x: '' } },
      { client_identifier: 'all-at-once', display_name: 'A', type: 'ACCOUNT', metadata: { branch: 'Bonn', x: '' } },
    ],
  ])('changes the given properties and nothing else: %s', async (_, body, expected) => {
    const before = await anIdentity();
    context.app.clock.advance(60);
    const answer = await patch(before.identity_uuid, body).expect(200);
    expect(answer.body).toEqual({ data: { ...before, ...expected, updated_at: expect.any(String) } });
    expect(Date.parse(answer.body.data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await read(before.identity_uuid)).toEqual(answer.body.data);
  });

  it.each([{}, { display_name: 'Muster GmbH' }, { metadata: {} }, { metadata: { branch: 'Bonn', gone: null } }])(
    'changes nothing without a difference: %j',
    async (body) => {
      const before = await anIdentity();
      context.app.clock.advance(60);
      expect((await patch(before.identity_uuid, body).expect(200)).body.data).toEqual(before);
      expect(await audits(before.identity_uuid)).toEqual([]);
    },
  );

  it('returns the counts of the identity’s connections', async () => {
    await context.createConnection();
    const { body } = await patch(context.identity, { display_name: 'Counted' }).expect(200);
    expect(body.data).toEqual(await read(context.identity));
    expect(body.data.connections.total).toBeGreaterThan(0);
  });

  it('changes the client_identifier, which later requests and deliveries use', async () => {
    const { identity_uuid: uuid, client_identifier: old } = await anIdentity();
    const name = `renamed ${uuid}`;
    await patch(uuid, { client_identifier: name }).expect(200);
    const find = async (wanted: string) => {
      const query = `/v1/identities?client_identifier=${encodeURIComponent(wanted)}`;
      return (await context.client.request('get', query).expect(200)).body.data as IdentityBody[];
    };
    expect((await find(name)).map(({ identity_uuid }) => identity_uuid)).toEqual([uuid]);
    expect(await find(old as string)).toEqual([]);
    await context.client.request('post', '/v1/identities').send({ client_identifier: old }).expect(201);
  });

  it('rejects the client_identifier of another identity, and changes nothing', async () => {
    const [one, other] = [await anIdentity(), await anIdentity()];
    const body = { client_identifier: other.client_identifier, display_name: 'Lost' };
    const invalidFields = { client_identifier: 'CLIENT_IDENTIFIER_TAKEN' };
    for (const lang of ['en', 'de'] as const) {
      const answer = await patch(one.identity_uuid, body).set('Lang', lang);
      expectError(answer, 422, 'CLIENT_IDENTIFIER_TAKEN', invalidFields, lang);
    }
    expect(await read(one.identity_uuid)).toEqual(one);
    await patch(one.identity_uuid, { client_identifier: one.client_identifier }).expect(200); // its own identifier is not a conflict
  });

  it('accepts a client_identifier that is used only in another environment', async () => {
    const { identity_uuid } = await anIdentity();
    const name = randomUUID();
    await context.otherClient.createIdentity(name);
    await patch(identity_uuid, { client_identifier: name }).expect(200);
  });

  it('applies concurrent patches of different entries', async () => {
    const { identity_uuid } = await anIdentity({ metadata: {} });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map((name) => patch(identity_uuid, { metadata: { [name]: name } }).expect(200)));
    const expected = Object.fromEntries(names.map((name) => [name, name]));
    expect((await read(identity_uuid)).metadata).toEqual(expected);
  });

  it('records who changed what in the audit log, without the values', async () => {
    const { identity_uuid } = await anIdentity();
    await patch(identity_uuid, { display_name: 'B', metadata: { tenant: 'eu-9' }, type: 'COMPANY' }).expect(200);
    expect(await audits(identity_uuid)).toEqual([
      { action: 'identity.update', details: { changed: ['displayName', 'metadata'] }, by: 'key' },
    ]);
  });

  it('respects the narrower scope of a token sent with the key', async () => {
    await patch(context.identity, { type: 'USER' }).set('X-TOKEN', context.token).expect(200);
    const narrow = [
      await context.client.createToken(context.identity, { integration_id: 'imap' }),
      await context.client.createToken(context.identity, { connection_uuid: await context.createConnection() }),
    ];
    for (const token of narrow) {
      expectError(await patch(context.identity, { type: 7 }).set('X-TOKEN', token), 403, 'NOT_ALLOWED_BY_TOKEN');
    }
  });

  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, 'v']));
  const nineMore = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, 'v']));
  it.each<[string, object, string, Record<string, string>]>([
    ['no client_identifier', { client_identifier: null }, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' }],
    [
      'a blank client_identifier',
      { client_identifier: '' },
      'MISSING_REQUIRED_FIELDS',
      { client_identifier: 'REQUIRED' },
    ],
    ['a long display_name', { display_name: 'x'.repeat(256) }, 'VALIDATION_FAILED', { display_name: 'TOO_LONG' }],
    ['a null character', { display_name: 'a\0' }, 'VALIDATION_FAILED', { display_name: 'INVALID_FORMAT' }],
    ['more entries than may be kept', { metadata: eleven }, 'VALIDATION_FAILED', { metadata: 'INVALID_METADATA' }],
    [
      'too many together with those there are',
      { metadata: nineMore },
      'VALIDATION_FAILED',
      { metadata: 'INVALID_METADATA' },
    ],
    ['an entry that is no text', { metadata: { a: 1 } }, 'VALIDATION_FAILED', { metadata: 'INVALID_METADATA' }],
    [
      'an entry with a long name',
      { metadata: { ['x'.repeat(41)]: null } },
      'VALIDATION_FAILED',
      { metadata: 'INVALID_METADATA' },
    ],
    ['a list', [], 'VALIDATION_FAILED', { body: 'INVALID_TYPE_OBJECT' }],
    [
      'everything wrong at once',
      { client_identifier: 7, display_name: 7, type: 'PERSON', metadata: [], identity_uuid: 'x', connections: {} },
      'VALIDATION_FAILED',
      {
        client_identifier: 'INVALID_TYPE_STRING',
        display_name: 'INVALID_TYPE_STRING',
        type: 'INVALID_OPTION',
        metadata: 'INVALID_METADATA',
        identity_uuid: 'UNKNOWN_PROPERTY',
        connections: 'UNKNOWN_PROPERTY',
      },
    ],
  ])('rejects %s, and changes nothing', async (_, body, code, invalidFields) => {
    const before = await anIdentity();
    for (const lang of ['en', 'de'] as const) {
      expectError(await patch(before.identity_uuid, body).set('Lang', lang), 422, code, invalidFields, lang);
    }
    expect(await read(before.identity_uuid)).toEqual(before);
    expect(await audits(before.identity_uuid)).toEqual([]);
  });

  it('rejects invalid JSON', async () => {
    const answer = await context.client.request('patch', path(context.identity)).type('json').send('{"type"');
    expectError(answer, 422, 'MALFORMED_JSON');
  });
});
