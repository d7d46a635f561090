import { createTestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useSharedContext } from '../../../harness/app/test-context';
import { WEBHOOK_URL, createWebhook, INVALID_WEBHOOKS } from './webhook-helpers';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('POST /v1/webhooks (decisions 5 and 6)', () => {
  const context = useSharedContext();
  const create = (body: object | undefined) => context.client.request('post', '/v1/webhooks').send(body);

  itRequiresAuthentication(context, { method: 'post', path: () => '/v1/webhooks', accepts: ['key'] });

  it('registers a webhook for available documents by default, and shows its secret', async () => {
    const { body } = await create({ url: WEBHOOK_URL }).expect(201);
    expect(body).toEqual({
      data: {
        uuid: expect.stringMatching(UUID),
        connection_uuid: null,
        url: WEBHOOK_URL,
        events: ['document.available'],
        enabled: true,
        disabled_reason: null,
        created_at: expect.stringMatching(INSTANT),
        updated_at: body.data.created_at,
        secret: expect.stringMatching(SECRET),
      },
    });
  });

  it('registers one for the requested events, with its own secret', async () => {
    const events = ['fetch.finished', 'connection.status_changed', 'delivery.failed', 'document.available'];
    const one = await createWebhook(context.client, { events });
    const other = await createWebhook(context.client, { events });
    expect(one.events).toEqual(events);
    expect(one.secret).not.toBe(other.secret);
  });

  it('never shows the secret again, and stores it encrypted', async () => {
    const { uuid, secret } = await createWebhook(context.client);
    const { body } = await context.client.request('get', `/v1/webhooks/${uuid}`).expect(200);
    expect(body.data).not.toHaveProperty('secret');
    const [row] = await context.query<{ all: string }>('select webhook::text as all from webhook where uuid = $1', [
      uuid,
    ]);
    const raw = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
    expect(row!.all).not.toContain(secret);
    expect(row!.all).not.toContain(raw);
    expect(row!.all).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('accepts plain http for addresses that only the deployment can reach', async () => {
    expect(await createWebhook(context.client, { url: 'http://127.0.0.1:4000/hooks' })).toMatchObject({
      enabled: true,
    });
    expect(await createWebhook(context.client, { url: 'http://localhost:4000/' })).toMatchObject({ enabled: true });
  });

  it.each([
    ['nothing', undefined],
    ['null', { url: null }],
  ] as const)('rejects a body without a URL: %s', async (_, body) => {
    expectError(await create(body), 422, 'MISSING_REQUIRED_FIELDS', { url: 'REQUIRED' });
    expectError(await create(body).set('Lang', 'de'), 422, 'MISSING_REQUIRED_FIELDS', { url: 'REQUIRED' }, 'de');
  });

  it.each(INVALID_WEBHOOKS)('rejects %s', async (_, wrong, code, invalidFields) => {
    const body = { url: WEBHOOK_URL, ...wrong };
    expectError(await create(body), 422, code, invalidFields);
    expectError(await create(body).set('Lang', 'de'), 422, code, invalidFields, 'de');
  });

  it('rejects a UI token sent with the key, before the body is validated', async () => {
    expectError(await create({}).set('X-TOKEN', context.token), 403, 'NOT_ALLOWED_BY_TOKEN');
    expectError(
      await create({ url: WEBHOOK_URL }).set('X-TOKEN', context.token).set('Lang', 'de'),
      403,
      'NOT_ALLOWED_BY_TOKEN',
      {},
      'de',
    );
  });

  it('registers at most twenty for an environment, also concurrently', async () => {
    const client = await createTestClient(context.app);
    const post = () => client.request('post', '/v1/webhooks').send({ url: WEBHOOK_URL });
    const answers = await Promise.all(Array.from({ length: 24 }, post));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const lang of ['en', 'de'] as const) {
      const refused = await post().set('Lang', lang);
      expectError(refused, 422, 'TOO_MANY_WEBHOOKS', {}, lang);
      expect(refused.body.detail).toContain('20');
    }
    await client.request('delete', `/v1/webhooks/${answers.find(({ status }) => status === 201)!.body.data.uuid}`);
    await post().expect(201);
  });

  it('records the actor and only the origin of the address in the audit log', async () => {
    const { uuid } = await createWebhook(context.client, { url: `${WEBHOOK_URL}?token=hidden` });
    const rows = await context.query('select actor, action, details from audit_log where subject_uuid = $1', [uuid]);
    expect(rows).toEqual([
      {
        actor: expect.stringMatching(/^key:/),
        action: 'webhook.create',
        details: { connection_uuid: null, origin: 'https://client.example', events: ['document.available'] },
      },
    ]);
  });
});
