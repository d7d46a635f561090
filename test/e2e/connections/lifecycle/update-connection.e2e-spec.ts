import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

describe('PUT /v1/connections/{uuid} (spec 4.3, decisions 4)', () => {
  const context = useTestContext();
  const path = (uuid: string) => `/v1/connections/${uuid}`;
  const put = (uuid: string, body: object) =>
    context.client.requestWithToken(context.token, 'put', path(uuid)).send(body);
  const get = async (uuid: string) => (await context.client.request('get', path(uuid)).expect(200)).body.data;
  const encryptedSecrets = async (uuid: string) =>
    (await context.query<{ secrets: Buffer }>('select secrets from connection where uuid = $1', [uuid]))[0]!.secrets;

  itChecksConnectionAccess(context, { method: 'put', path, accepts: ['token'] });

  it('changes the given fields, keeps the others and answers the second step', async () => {
    const uuid = await context.createActiveConnection({ documents: 7 });
    const { body } = await put(uuid, { fields: { new_per_fetch: 4 } }).expect(200);
    expect(body.data).toMatchObject({ uuid, fields: { user: 'u', documents: 7, new_per_fetch: 4 } });
    expect(body.data.step2_fields.map(({ id }: { id: string }) => id)).toEqual(['folders', 'kinds']);
    expect(body.data.step2_fields[0].value).toEqual(['inbox']);
    expect(body.data.authorization_url).toBeNull();
    expect(await get(uuid)).toMatchObject({ status: 'ACTIVE', fields: { documents: 7, new_per_fetch: 4 } });
  });

  it('keeps omitted secrets, and verifies the credentials with them', async () => {
    const imap = await FakeImapServer.start({ users: [{ user: 'u', password: 'pass-1' }] });
    const fields = {
      host: '127.0.0.1',
      port: imap.port,
      security: 'NONE',
      user: 'u',
      password: 'pass-1',
    };
    const given = { integration_id: 'imap', name: 'Mail', identity_uuid: context.identity, fields };
    const created = await context.client.request('post', '/v1/connections').send(given).expect(201);
    const uuid = created.body.data.uuid as string;
    await put(uuid, { fields: { startdate: '2026-01-01' } }).expect(200);
    expect(await get(uuid)).toMatchObject({ startdate: '2026-01-01', fields: { host: '127.0.0.1', port: imap.port } });
    expectError(await put(uuid, { fields: { password: 'pass-2' } }), 422, 'CREDENTIALS_REJECTED', {
      'fields.password': 'REJECTED',
    });
    await put(uuid, { fields: {} }).expect(200); // the old password is still stored
    await imap.stop();
    expectError(await put(uuid, { fields: {} }), 422, 'PROVIDER_UNREACHABLE', { 'fields.port': 'CONNECTION_REFUSED' });
  });

  it('changes only the name, without a request to the provider', async () => {
    const uuid = await context.createConnection({ fields: { scenario: 'normal' } });
    await context.query(
      `update connection set settings = settings || '{"scenario":"provider_down","fails_from":"setup"}' where uuid = $1`,
      [uuid],
    );
    const before = await encryptedSecrets(uuid);
    const answer = await put(uuid, { name: 'Büro & Co. 📎' }).expect(204);
    expect(answer.text).toBe('');
    expect((await get(uuid)).name).toBe('Büro & Co. 📎');
    expect(await encryptedSecrets(uuid)).toEqual(before);
  });

  it('changes name and fields together', async () => {
    const uuid = await context.createConnection();
    const { body } = await put(uuid, { name: 'New', fields: { documents: 1 } }).expect(200);
    expect(body.data).toMatchObject({ name: 'New', fields: { documents: 1 } });
  });

  it('keeps the old credentials when the new ones are rejected', async () => {
    const uuid = await context.createActiveConnection();
    const [before, secrets] = [await get(uuid), await encryptedSecrets(uuid)];
    const answer = await put(uuid, { name: 'New', fields: { password: 'wrong', documents: 9 } });
    expectError(answer, 422, 'CREDENTIALS_REJECTED', { 'fields.password': 'REJECTED' });
    expect(await get(uuid)).toEqual(before);
    expect(await encryptedSecrets(uuid)).toEqual(secrets);
  });

  it('rejects another account of the provider', async () => {
    const uuid = await context.createActiveConnection();
    const before = await get(uuid);
    const change = { fields: { user: 'somebody else', password: 'p' } };
    expectError(await put(uuid, change), 422, 'ACCOUNT_MISMATCH');
    expectError(await put(uuid, change).set('Lang', 'de'), 422, 'ACCOUNT_MISMATCH', {}, 'de');
    expect(await get(uuid)).toEqual(before);
    await put(uuid, { fields: { user: ' U ' } }).expect(200); // the same account in another spelling
  });

  it('recovers a connection with rejected credentials: active again, with an immediate fetch', async () => {
    const uuid = await context.createActiveConnection();
    await context.query(
      `update connection set credentials_rejected_at = now(), failing_since = now(), failure_reason = 'LOGIN_REJECTED',
         next_fetch_at = null, cursor = '{"kept":true}' where uuid = $1`,
      [uuid],
    );
    expect(await get(uuid)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      health: 'ACTION_REQUIRED',
      reason: { code: 'LOGIN_REJECTED', action: 'UPDATE_CREDENTIALS' },
    });
    expectError(await put(uuid, { fields: { password: 'wrong' } }), 422, 'CREDENTIALS_REJECTED', {
      'fields.password': 'REJECTED',
    });
    expect((await get(uuid)).status).toBe('INVALID_CREDENTIALS');
    const { body } = await put(uuid, { fields: { password: 'right' } }).expect(200);
    expect(body.data).toMatchObject({ uuid, status: 'ACTIVE', reason: null });
    const [row] = await context.query(
      `select immediate_fetch_trigger, cursor, immediate_fetch_at = updated_at as "dueAtChange" from connection where uuid = $1`,
      [uuid],
    );
    expect(row).toEqual({ immediate_fetch_trigger: 'RECOVERY', cursor: { kept: true }, dueAtChange: true });
  });

  describe('of a migrated connection (decisions 4)', () => {
    const day = (days: number) =>
      context.app.clock
        .in(days * 86_400)
        .toISOString()
        .slice(0, 10);
    const migrated = async () => {
      const answer = await context.client
        .request('post', '/v1/connections/migrate')
        .send({
          identity_uuid: context.identity,
          integration_id: 'sandbox',
          name: 'Old portal',
          fields: { user: 'u', password: 'p', startdate: '2020-01-01' },
        })
        .expect(201);
      return answer.body.data.uuid as string;
    };

    it.each<[string, () => string | null]>([
      ['the day before', () => day(-1)],
      ['a day long ago', () => '1999-01-01'],
      ['none', () => null],
      ['a blank one', () => ' '],
    ])('rejects a start date before the migration: %s', async (_, startdate) => {
      const uuid = await migrated();
      const before = await get(uuid);
      const body = { fields: { documents: 7, startdate: startdate() } };
      for (const lang of ['en', 'de'] as const) {
        const invalidFields = { 'fields.startdate': 'STARTDATE_BEFORE_MIGRATION' };
        expectError(await put(uuid, body).set('Lang', lang), 422, 'STARTDATE_BEFORE_MIGRATION', invalidFields, lang);
      }
      expect(await get(uuid)).toEqual(before);
    });

    it('reports an earlier start date together with the other invalid fields, and an invalid date as such', async () => {
      const uuid = await migrated();
      expectError(await put(uuid, { fields: { documents: 'x', startdate: '1999-01-01' } }), 422, 'VALIDATION_FAILED', {
        'fields.documents': 'INVALID_TYPE_NUMBER',
        'fields.startdate': 'STARTDATE_BEFORE_MIGRATION',
      });
      expectError(await put(uuid, { fields: { startdate: 'soon' } }), 422, 'VALIDATION_FAILED', {
        'fields.startdate': 'INVALID_DATE',
      });
    });

    it('accepts the day of the migration, a later one, and then the day of the migration again', async () => {
      const uuid = await migrated();
      for (const startdate of [day(0), day(5), day(0)]) {
        await put(uuid, { fields: { startdate } }).expect(200);
        expect(await get(uuid)).toMatchObject({ startdate });
      }
    });

    it('allows an earlier start date for a connection that was not migrated', async () => {
      const uuid = await context.createActiveConnection({ startdate: day(0) });
      await put(uuid, { fields: { startdate: '1999-01-01' } }).expect(200);
      await put(uuid, { fields: { startdate: null } }).expect(200);
      expect((await get(uuid)).startdate).toBeNull();
    });
  });

  it.each<[string, object, string, Record<string, string>]>([
    ['nothing', {}, 'MISSING_REQUIRED_FIELDS', { fields: 'REQUIRED' }],
    ['null as name', { name: null }, 'MISSING_REQUIRED_FIELDS', { name: 'REQUIRED' }],
    ['an empty name', { name: '' }, 'MISSING_REQUIRED_FIELDS', { name: 'REQUIRED' }],
    ['null as fields', { fields: null }, 'VALIDATION_FAILED', { fields: 'INVALID_TYPE_OBJECT' }],
    ['a list as fields', { fields: [] }, 'VALIDATION_FAILED', { fields: 'INVALID_TYPE_OBJECT' }],
    [
      'everything wrong at once',
      { name: 1, integration_id: 'imap', identity_uuid: 'x' },
      'VALIDATION_FAILED',
      { name: 'INVALID_TYPE_STRING', integration_id: 'UNKNOWN_PROPERTY', identity_uuid: 'UNKNOWN_PROPERTY' },
    ],
    [
      'wrong fields, all of them',
      { fields: { documents: 'x', scenario: 'x', folder: 'x', user: '' } },
      'VALIDATION_FAILED',
      {
        'fields.user': 'REQUIRED',
        'fields.documents': 'INVALID_TYPE_NUMBER',
        'fields.scenario': 'INVALID_OPTION',
        'fields.folder': 'UNKNOWN_PROPERTY',
      },
    ],
  ])('rejects %s', async (_, body, code, invalidFields) => {
    const uuid = await context.createConnection();
    const before = await get(uuid);
    expectError(await put(uuid, body), 422, code, invalidFields);
    expectError(await put(uuid, body).set('Lang', 'de'), 422, code, invalidFields, 'de');
    expect(await get(uuid)).toEqual(before);
  });
});
