import { expectError } from '../../../harness/http/expect-error';
import { itPermits } from '../../../harness/http/refusal-tests';
import { useStage } from '../../../harness/app/test-context';
import { HOOK, type WebhookBody, webhookOf, WRONG } from './webhook-helpers';

describe('PUT, GET and DELETE /v1/connections/{uuid}/webhook (decisions 5)', () => {
  const stage = useStage();
  const path = (uuid: string) => `/v1/connections/${uuid}/webhook`;
  const put = (uuid: string, body: object) => stage.client.call('put', path(uuid)).send(body);
  const remove = (uuid: string) => stage.client.call('delete', path(uuid));
  const connectionOf = async (uuid: string) =>
    (await stage.client.call('get', `/v1/connections/${uuid}`).expect(200)).body.data;

  describe.each(['put', 'get', 'delete'] as const)('%s', (method) => {
    itPermits(stage, { method, path, accepts: ['key'] });
  });

  it('registers a webhook and shows its secret; then the connection has one', async () => {
    const uuid = await stage.connection();
    expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
    const { body } = await put(uuid, { url: HOOK }).expect(200);
    expect(body.data).toMatchObject({
      connection_uuid: uuid,
      url: HOOK,
      events: ['document.available'],
      enabled: true,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(await connectionOf(uuid)).toMatchObject({ webhook: true });
  });

  it('shows the webhook without its secret, and as it is changed', async () => {
    const uuid = await stage.connection();
    const get = () => stage.client.call('get', path(uuid));
    for (const lang of ['en', 'de'] as const) {
      expectError(await get().set('Lang', lang), 404, 'WEBHOOK_NOT_FOUND', {}, lang);
    }
    const { secret, ...registered } = (await put(uuid, { url: HOOK }).expect(200)).body.data;
    const { body } = await get().expect(200);
    expect(body.data).toEqual(registered);
    expect(JSON.stringify(body)).not.toContain(secret);
    await stage.client.call('patch', `/v1/webhooks/${registered.uuid}`).send({ enabled: false }).expect(200);
    expect((await get().expect(200)).body.data).toMatchObject({ uuid: registered.uuid, enabled: false });
    await remove(uuid).expect(204);
    expectError(await get(), 404, 'WEBHOOK_NOT_FOUND');
  });

  it('replaces address and events of the one there is, which keeps uuid and secret and is enabled again', async () => {
    const uuid = await stage.connection();
    const first = (await put(uuid, { url: HOOK }).expect(200)).body.data as WebhookBody;
    await stage.client.call('patch', `/v1/webhooks/${first.uuid}`).send({ enabled: false }).expect(200);
    const change = { url: `${HOOK}/2`, events: ['fetch.finished'] };
    const { body } = await put(uuid, change).expect(200);
    expect(body.data).toEqual({
      ...first,
      ...change,
      enabled: true,
      disabled_reason: null,
      updated_at: body.data.updated_at,
      secret: null,
    });
    const [row] = await stage.query('select count(*)::int as n from webhook where connection_uuid = $1', [uuid]);
    expect(row).toEqual({ n: 1 });
  });

  it('registers one, however many ask at once', async () => {
    const uuid = await stage.connection();
    const answers = await Promise.all(Array.from({ length: 5 }, () => put(uuid, { url: HOOK }).expect(200)));
    expect(new Set(answers.map(({ body }) => body.data.uuid)).size).toBe(1);
    expect(answers.filter(({ body }) => body.data.secret !== null)).toHaveLength(1);
  });

  it('is what the filter `webhook` of the list asks about (spec 4.1)', async () => {
    const identity = await stage.client.identity();
    const token = await stage.client.token(identity);
    const [one, other] = [await stage.connection({ identity }), await stage.connection({ identity })];
    await put(one, { url: HOOK }).expect(200);
    const listed = async (webhook: boolean) => {
      const { body } = await stage.client.callWithToken(token, 'get', `/v1/connections?webhook=${webhook}`).expect(200);
      return (body.data as { uuid: string }[]).map(({ uuid }) => uuid);
    };
    expect(await listed(true)).toEqual([one]);
    expect(await listed(false)).toEqual([other]);
    await remove(one).expect(204);
    expect(await listed(true)).toEqual([]);
    expect(await listed(false)).toEqual([one, other]);
  });

  it('deletes it; then there is none to delete', async () => {
    const uuid = await stage.connection();
    const { body } = await put(uuid, { url: HOOK }).expect(200);
    expect((await remove(uuid).expect(204)).text).toBe('');
    expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
    await stage.client.call('get', `/v1/webhooks/${body.data.uuid}`).expect(404);
    for (const lang of ['en', 'de'] as const) {
      expectError(await remove(uuid).set('Lang', lang), 404, 'WEBHOOK_NOT_FOUND', {}, lang);
    }
  });

  it('goes with its connection', async () => {
    const uuid = await stage.connection();
    const { body } = await put(uuid, { url: HOOK }).expect(200);
    await stage.client.call('delete', `/v1/connections/${uuid}`).expect(204);
    await stage.client.call('get', `/v1/webhooks/${body.data.uuid}`).expect(404);
  });

  it('needs an address', async () => {
    expectError(await put(await stage.connection(), {}), 422, 'MISSING_REQUIRED_FIELDS', { url: 'REQUIRED' });
  });

  it.each(WRONG)('refuses %s and registers nothing', async (_, wrong, code, faults) => {
    const uuid = await stage.connection();
    for (const lang of ['en', 'de'] as const) {
      expectError(await put(uuid, { url: HOOK, ...wrong }).set('Lang', lang), 422, code, faults, lang);
    }
    expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
  });

  it.each(['endpoint.failing', 'endpoint.recovered'])(
    'refuses %s, which is about the whole environment, also in a later change',
    async (event) => {
      const uuid = await stage.connection();
      const wrong = { url: HOOK, events: ['document.available', event] };
      for (const lang of ['en', 'de'] as const) {
        const answer = await put(uuid, wrong).set('Lang', lang);
        expectError(answer, 422, 'VALIDATION_FAILED', { events: 'INVALID_OPTION' }, lang);
      }
      expect(await connectionOf(uuid)).toMatchObject({ webhook: false });
      const registered = (await put(uuid, { url: HOOK }).expect(200)).body.data as WebhookBody;
      const patch = (body: object) => stage.client.call('patch', `/v1/webhooks/${registered.uuid}`).send(body);
      expectError(await patch({ events: [event] }), 422, 'VALIDATION_FAILED', { events: 'INVALID_OPTION' });
      await patch({ events: ['delivery.failed'] }).expect(200);
      expect((await stage.client.call('get', path(uuid)).expect(200)).body.data.events).toEqual(['delivery.failed']);
      const { uuid: environmentWide } = await webhookOf(stage.client);
      await stage.client
        .call('patch', `/v1/webhooks/${environmentWide}`)
        .send({ events: [event] })
        .expect(200);
    },
  );

  it('lets a UI token beside the key narrow it to its own connections', async () => {
    const uuid = await stage.connection();
    await put(uuid, { url: HOOK }).set('X-TOKEN', stage.token).expect(200);
    const answer = await put(uuid, { url: HOOK }).set('X-TOKEN', stage.siblingToken);
    expectError(answer, 403, 'NOT_YOUR_CONNECTION');
  });
});
