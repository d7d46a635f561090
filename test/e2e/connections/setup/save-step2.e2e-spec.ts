import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { startApp } from '../../../harness/app/start-app';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { useTestContext } from '../../../harness/app/test-context';

describe('PUT /v1/connections/{uuid}/step2 (spec 4.9)', () => {
  const context = useTestContext();
  const path = (uuid: string) => `/v1/connections/${uuid}/step2`;
  const put = (uuid: string, body: object) =>
    context.client.requestWithToken(context.token, 'put', path(uuid)).send(body);
  const get = async (uuid: string) =>
    (await context.client.request('get', `/v1/connections/${uuid}`).expect(200)).body.data;
  const wanted = async (uuid: string) =>
    (
      await context.query<{ t: string }>('select immediate_fetch_trigger as t from connection where uuid = $1', [uuid])
    )[0]!.t;

  itChecksConnectionAccess(context, { method: 'put', path, accepts: ['token'] });

  it.each([{}, { isUpdateFlow: false }, { isUpdateFlow: null }])(
    'completes the setup with %p, and the first fetch follows',
    async (more) => {
      const uuid = await context.createConnection();
      const answer = await put(uuid, { fields: { folders: ['inbox/2025'], kinds: ['invoice'] }, ...more });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await get(uuid)).toMatchObject({
        status: 'ACTIVE',
        setup_complete: true,
        fields: { folders: ['inbox/2025'], kinds: ['invoice'] },
      });
      expect(await wanted(uuid)).toBe('INITIAL');
    },
  );

  it('completes more setups at the same time than there are database connections', async () => {
    const app = await startApp({ databaseUrl: context.app.databaseUrl, settings: { databasePool: 2 } });
    try {
      const uuids = await Promise.all(Array.from({ length: 8 }, () => context.createConnection()));
      const answers = await Promise.all(
        uuids.map((uuid) =>
          requestWithoutCredentials(app, 'put', path(uuid)).set('X-TOKEN', context.token).send({ fields: {} }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(uuids.map(() => 204));
    } finally {
      await app.stop();
    }
  });

  it('applies defaults to omitted fields', async () => {
    const uuid = await context.createConnection();
    await put(uuid, { fields: {} }).expect(204);
    expect((await get(uuid)).fields).toMatchObject({
      folders: ['inbox'],
      kinds: ['invoice', 'credit_note', 'e_invoice'],
    });
  });

  it('changes the selection of an existing connection without another first fetch', async () => {
    const uuid = await context.createActiveConnection();
    await context.query(
      'update connection set immediate_fetch_at = null, immediate_fetch_trigger = null where uuid = $1',
      [uuid],
    );
    await put(uuid, { fields: { folders: ['archive'] }, isUpdateFlow: true }).expect(204);
    expect((await get(uuid)).fields.folders).toEqual(['archive']);
    expect(await wanted(uuid)).toBeNull();
  });

  it.each<[string, object, string, Record<string, string>]>([
    ['nothing', {}, 'MISSING_REQUIRED_FIELDS', { fields: 'REQUIRED' }],
    ['fields that are none', { fields: [] }, 'VALIDATION_FAILED', { fields: 'INVALID_TYPE_OBJECT' }],
    [
      'wrong types and unknown properties',
      { fields: 'x', isUpdateFlow: 'yes', folders: [] },
      'VALIDATION_FAILED',
      { fields: 'INVALID_TYPE_OBJECT', isUpdateFlow: 'INVALID_OPTION', folders: 'UNKNOWN_PROPERTY' },
    ],
    [
      'every wrong field',
      { fields: { folders: 'inbox', kinds: ['poem'], startdate: '2026-01-01' } },
      'VALIDATION_FAILED',
      {
        'fields.folders': 'INVALID_TYPE_ARRAY',
        'fields.kinds': 'INVALID_OPTION',
        'fields.startdate': 'UNKNOWN_PROPERTY',
      },
    ],
    [
      'what is no option of the provider',
      { fields: { folders: ['inbox', 'spam'] } },
      'VALIDATION_FAILED',
      { 'fields.folders': 'INVALID_CHOICE' },
    ],
    [
      'a folder below a leaf',
      { fields: { folders: ['archive/0001/x'] } },
      'VALIDATION_FAILED',
      { 'fields.folders': 'INVALID_CHOICE' },
    ],
    [
      'an option that only leads to others',
      { fields: { folders: ['shared'] } },
      'VALIDATION_FAILED',
      { 'fields.folders': 'INVALID_CHOICE' },
    ],
  ])('rejects %s and keeps the former selection', async (_, body, code, invalidFields) => {
    const uuid = await context.createActiveConnection();
    const before = await get(uuid);
    expectError(await put(uuid, body), 422, code, invalidFields);
    expectError(await put(uuid, body).set('Lang', 'de'), 422, code, invalidFields, 'de');
    expect(await get(uuid)).toEqual(before);
  });

  it('names what was selected and is no longer available, in the language of the request', async () => {
    const uuid = await context.createActiveConnection();
    await context.query('update connection set display_values = $2 where uuid = $1', [
      uuid,
      JSON.stringify({ folders: { spam: { en: 'Old invoices', de: 'Alte Rechnungen' } } }),
    ]);
    const messageIn = async (lang: string) => {
      const { body } = await put(uuid, { fields: { folders: ['inbox', 'spam', 'never'] } }).set('Lang', lang);
      const [error] = (body as { errors: { code: string; message: string }[] }).errors;
      expect(error!.code).toBe('INVALID_CHOICE');
      return error!.message;
    };
    expect(await messageIn('en')).toMatch(/No longer available at the provider: Old invoices\./);
    expect(await messageIn('de')).toMatch(/Beim Anbieter gibt es nicht mehr: Alte Rechnungen\./);
  });

  it('fixes a connection whose folder was deleted', async () => {
    const uuid = await context.createActiveConnection();
    await context.query(
      `update connection set failing_since = now(), failure_reason = 'FOLDER_NOT_FOUND', immediate_fetch_trigger = null where uuid = $1`,
      [uuid],
    );
    expect(await get(uuid)).toMatchObject({ health: 'ACTION_REQUIRED', reason: { code: 'FOLDER_NOT_FOUND' } });
    await put(uuid, { fields: { folders: ['inbox'] }, isUpdateFlow: true }).expect(204);
    expect((await get(uuid)).reason).toBeNull();
    expect(await wanted(uuid)).toBe('RECOVERY');
    // The hosted UI takes the first fetch since `updated_at` for the one that follows.
    const dates = 'select immediate_fetch_at = updated_at as "dueAtChange" from connection where uuid = $1';
    expect(await context.query(dates, [uuid])).toEqual([{ dueAtChange: true }]);
  });
});
