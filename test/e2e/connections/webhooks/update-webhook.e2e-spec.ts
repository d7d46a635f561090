import { expectError } from '../../../harness/http/expect-error';
import { useTestContext } from '../../../harness/app/test-context';
import { WEBHOOK_URL, itChecksWebhookAccess, createWebhook, INVALID_WEBHOOKS } from './webhook-helpers';

describe('PATCH /v1/webhooks/{uuid} (decisions 5 and 6)', () => {
  const context = useTestContext();
  const patch = (uuid: string, body: object) => context.client.request('patch', `/v1/webhooks/${uuid}`).send(body);
  const get = async (uuid: string) =>
    (await context.client.request('get', `/v1/webhooks/${uuid}`).expect(200)).body.data;
  afterEach(() => context.query('delete from webhook'));

  itChecksWebhookAccess(context, 'patch', (uuid) => `/v1/webhooks/${uuid}`);

  it.each([
    ['the address', { url: `${WEBHOOK_URL}/new` }],
    ['the events', { events: ['fetch.finished', 'delivery.failed'] }],
    ['both', { url: `${WEBHOOK_URL}/new`, events: ['connection.status_changed'] }],
    ['nothing', {}],
  ])('changes %s and nothing else', async (_, change) => {
    const { secret: __, ...before } = await createWebhook(context.client, { events: ['document.available'] });
    const { body } = await patch(before.uuid, change).expect(200);
    expect(body.data).toEqual({ ...before, ...change, updated_at: body.data.updated_at, secret: null });
    expect(await get(before.uuid)).toEqual({ ...before, ...change, updated_at: body.data.updated_at });
  });

  it('shows the URL without its token, and keeps the token when this URL is sent back', async () => {
    const given = { url: `${WEBHOOK_URL}?token=s3cret&kind=invoice` };
    const shown = `${WEBHOOK_URL}?kind=invoice`;
    const stored = async () => (await context.query<{ url: string }>('select url from webhook'))[0]!.url;
    const { uuid, url } = await createWebhook(context.client, given);
    expect(url).toBe(shown);
    const { body } = await patch(uuid, { url: shown, events: ['fetch.finished'] }).expect(200);
    expect(body.data).toMatchObject({ url: shown, events: ['fetch.finished'] });
    expect(await stored()).toBe(given.url);
    expect((await get(uuid)).url).toBe(shown);
    await patch(uuid, { url: WEBHOOK_URL }).expect(200);
    expect(await stored()).toBe(WEBHOOK_URL);
  });

  it('disables and enables repeatedly', async () => {
    const { uuid } = await createWebhook(context.client);
    for (let n = 0; n < 2; n++) {
      const { body } = await patch(uuid, { enabled: false }).expect(200);
      expect(body.data).toMatchObject({ enabled: false, disabled_reason: 'BY_CLIENT' });
    }
    for (let n = 0; n < 2; n++) {
      const { body } = await patch(uuid, { enabled: true }).expect(200);
      expect(body.data).toMatchObject({ enabled: true, disabled_reason: null });
    }
  });

  it('creates a new secret on request, and shows it once', async () => {
    const { uuid, secret } = await createWebhook(context.client);
    const { body } = await patch(uuid, { rotate_secret: true }).expect(200);
    expect(body.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.data.secret).not.toBe(secret);
    expect(await get(uuid)).not.toHaveProperty('secret');
    expect((await patch(uuid, { rotate_secret: false }).expect(200)).body.data.secret).toBeNull();
  });

  it.each([
    ...INVALID_WEBHOOKS,
    ['an empty address', { url: '' }, 'MISSING_REQUIRED_FIELDS', { url: 'REQUIRED' }],
    ['null as address', { url: null }, 'MISSING_REQUIRED_FIELDS', { url: 'REQUIRED' }],
    ['text for enabled', { enabled: 'true' }, 'VALIDATION_FAILED', { enabled: 'INVALID_TYPE_BOOLEAN' }],
    ['null for enabled', { enabled: null }, 'VALIDATION_FAILED', { enabled: 'INVALID_TYPE_BOOLEAN' }],
    ['text for rotate_secret', { rotate_secret: 1 }, 'VALIDATION_FAILED', { rotate_secret: 'INVALID_TYPE_BOOLEAN' }],
  ] as const)('rejects %s and changes nothing', async (_, wrong, code, invalidFields) => {
    const { secret: __, ...before } = await createWebhook(context.client);
    for (const lang of ['en', 'de'] as const) {
      expectError(await patch(before.uuid, wrong).set('Lang', lang), 422, code, invalidFields, lang);
    }
    expect(await get(before.uuid)).toEqual(before);
  });

  it('records the change in the audit log, without a secret', async () => {
    const { uuid } = await createWebhook(context.client);
    const { body } = await patch(uuid, { enabled: false, rotate_secret: true }).expect(200);
    const [row, ...more] = await context.query<{ details: object }>(
      "select actor, details from audit_log where subject_uuid = $1 and action = 'webhook.update'",
      [uuid],
    );
    expect(more).toEqual([]);
    expect(row).toEqual({
      actor: expect.stringMatching(/^key:/),
      details: {
        connection_uuid: null,
        origin: 'https://client.example',
        events: ['document.available'],
        enabled: false,
        secret_rotated: true,
      },
    });
    expect(JSON.stringify(row)).not.toContain(body.data.secret);
  });
});
