import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useSharedContext } from '../../../harness/app/test-context';
import { WEBHOOK_URL, type WebhookBody, createWebhook, INVALID_WEBHOOKS } from './webhook-helpers';

describe('PUT, GET and DELETE /v1/connections/{uuid}/webhook (decisions 5)', () => {
  const context = useSharedContext();
  const path = (uuid: string) => `/v1/connections/${uuid}/webhook`;
  const put = (uuid: string, body: object) => context.client.request('put', path(uuid)).send(body);
  const remove = (uuid: string) => context.client.request('delete', path(uuid));
  const connectionOf = async (uuid: string) =>
    (await context.client.request('get', `/v1/connections/${uuid}`).expect(200)).body.data;

  describe.each(['put', 'get', 'delete'] as const)('%s', (method) => {
    itChecksConnectionAccess(context, { method, path, accepts: ['key'] });
  });

  it('registers a webhook and shows its secret; the connection then has one', async () => {
    const uuid = await context.createConnection();
    expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
    const { body } = await put(uuid, { url: WEBHOOK_URL }).expect(200);
    expect(body.data).toMatchObject({
      connection_uuid: uuid,
      url: WEBHOOK_URL,
      events: ['document.available'],
      enabled: true,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(await connectionOf(uuid)).toMatchObject({ webhook: true });
  });

  it('shows the webhook without its secret, and its changes', async () => {
    const uuid = await context.createConnection();
    const get = () => context.client.request('get', path(uuid));
    for (const lang of ['en', 'de'] as const) {
      expectError(await get().set('Lang', lang), 404, 'WEBHOOK_NOT_FOUND', {}, lang);
    }
    const { secret, ...registered } = (await put(uuid, { url: WEBHOOK_URL }).expect(200)).body.data;
    const { body } = await get().expect(200);
    expect(body.data).toEqual(registered);
    expect(JSON.stringify(body)).not.toContain(secret);
    await context.client.request('patch', `/v1/webhooks/${registered.uuid}`).send({ enabled: false }).expect(200);
    expect((await get().expect(200)).body.data).toMatchObject({ uuid: registered.uuid, enabled: false });
    await remove(uuid).expect(204);
    expectError(await get(), 404, 'WEBHOOK_NOT_FOUND');
  });

  it('replaces URL and events of an existing webhook, which keeps its uuid and secret and is enabled again', async () => {
    const uuid = await context.createConnection();
    const first = (await put(uuid, { url: WEBHOOK_URL }).expect(200)).body.data as WebhookBody;
    await context.client.request('patch', `/v1/webhooks/${first.uuid}`).send({ enabled: false }).expect(200);
    const change = { url: `${WEBHOOK_URL}/2`, events: ['fetch.finished'] };
    const { body } = await put(uuid, change).expect(200);
    expect(body.data).toEqual({
      ...first,
      ...change,
      enabled: true,
      disabled_reason: null,
      updated_at: body.data.updated_at,
      secret: null,
    });
    const [row] = await context.query('select count(*)::int as n from webhook where connection_uuid = $1', [uuid]);
    expect(row).toEqual({ n: 1 });
  });

  it('shows the URL without its token, and keeps the token when this URL is registered again', async () => {
    const uuid = await context.createConnection();
    const given = `${WEBHOOK_URL}?token=s3cret`;
    expect((await put(uuid, { url: given }).expect(200)).body.data.url).toBe(WEBHOOK_URL);
    expect((await put(uuid, { url: WEBHOOK_URL }).expect(200)).body.data.url).toBe(WEBHOOK_URL);
    const [row] = await context.query('select url from webhook where connection_uuid = $1', [uuid]);
    expect(row).toEqual({ url: given });
  });

  it('registers one webhook under concurrent requests', async () => {
    const uuid = await context.createConnection();
    const answers = await Promise.all(Array.from({ length: 5 }, () => put(uuid, { url: WEBHOOK_URL }).expect(200)));
    expect(new Set(answers.map(({ body }) => body.data.uuid)).size).toBe(1);
    expect(answers.filter(({ body }) => body.data.secret !== null)).toHaveLength(1);
  });

  it('is matched by the filter `webhook` of the list (spec 4.1)', async () => {
    const identity = await context.client.createIdentity();
    const token = await context.client.createToken(identity);
    const [one, other] = [await context.createConnection({ identity }), await context.createConnection({ identity })];
    await put(one, { url: WEBHOOK_URL }).expect(200);
    const listed = async (webhook: boolean) => {
      const { body } = await context.client
        .requestWithToken(token, 'get', `/v1/connections?webhook=${webhook}`)
        .expect(200);
      return (body.data as { uuid: string }[]).map(({ uuid }) => uuid);
    };
    expect(await listed(true)).toEqual([one]);
    expect(await listed(false)).toEqual([other]);
    await remove(one).expect(204);
    expect(await listed(true)).toEqual([]);
    expect(await listed(false)).toEqual([one, other]);
  });

  it('deletes it; then there is none to delete', async () => {
    const uuid = await context.createConnection();
    const { body } = await put(uuid, { url: WEBHOOK_URL }).expect(200);
    expect((await remove(uuid).expect(204)).text).toBe('');
    expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
    await context.client.request('get', `/v1/webhooks/${body.data.uuid}`).expect(404);
    for (const lang of ['en', 'de'] as const) {
      expectError(await remove(uuid).set('Lang', lang), 404, 'WEBHOOK_NOT_FOUND', {}, lang);
    }
  });

  it('is deleted with its connection', async () => {
    const uuid = await context.createConnection();
    const { body } = await put(uuid, { url: WEBHOOK_URL }).expect(200);
    await context.client.request('delete', `/v1/connections/${uuid}`).expect(204);
    await context.client.request('get', `/v1/webhooks/${body.data.uuid}`).expect(404);
  });

  it('requires a URL', async () => {
    expectError(await put(await context.createConnection(), {}), 422, 'MISSING_REQUIRED_FIELDS', { url: 'REQUIRED' });
  });

  it.each(INVALID_WEBHOOKS)('rejects %s and registers nothing', async (_, wrong, code, invalidFields) => {
    const uuid = await context.createConnection();
    for (const lang of ['en', 'de'] as const) {
      expectError(await put(uuid, { url: WEBHOOK_URL, ...wrong }).set('Lang', lang), 422, code, invalidFields, lang);
    }
    expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
  });

  it.each(['endpoint.failing', 'endpoint.recovered', 'source.requested'])(
    'rejects %s, which is not about a connection, also in a later change',
    async (event) => {
      const uuid = await context.createConnection();
      const wrong = { url: WEBHOOK_URL, events: ['document.available', event] };
      for (const lang of ['en', 'de'] as const) {
        const answer = await put(uuid, wrong).set('Lang', lang);
        expectError(answer, 422, 'VALIDATION_FAILED', { events: 'INVALID_OPTION' }, lang);
      }
      expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
      const registered = (await put(uuid, { url: WEBHOOK_URL }).expect(200)).body.data as WebhookBody;
      const patch = (body: object) => context.client.request('patch', `/v1/webhooks/${registered.uuid}`).send(body);
      expectError(await patch({ events: [event] }), 422, 'VALIDATION_FAILED', { events: 'INVALID_OPTION' });
      await patch({ events: ['delivery.failed'] }).expect(200);
      expect((await context.client.request('get', path(uuid)).expect(200)).body.data.events).toEqual([
        'delivery.failed',
      ]);
      const { uuid: environmentWide } = await createWebhook(context.client);
      await context.client
        .request('patch', `/v1/webhooks/${environmentWide}`)
        .send({ events: [event] })
        .expect(200);
    },
  );

  it('is limited to the connections of a UI token sent with the key', async () => {
    const uuid = await context.createConnection();
    await put(uuid, { url: WEBHOOK_URL }).set('X-TOKEN', context.token).expect(200);
    const answer = await put(uuid, { url: WEBHOOK_URL }).set('X-TOKEN', context.otherIdentityToken);
    expectError(answer, 403, 'NOT_YOUR_CONNECTION');
  });
});
