import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useSharedContext } from '../../../harness/app/test-context';
import { WEBHOOK_URL, type WebhookBody, createWebhook } from './webhook-helpers';

interface Answer {
  readonly data: WebhookBody[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

describe('GET /v1/webhooks (decisions 5)', () => {
  const context = useSharedContext();
  let client: TestClient;
  let made: WebhookBody[];
  let connection: string;

  const list = async (query = ''): Promise<Answer> =>
    (await client.request('get', `/v1/webhooks${query}`).expect(200)).body as Answer;
  const withoutSecret = ({ secret: _, ...rest }: WebhookBody) => rest;

  beforeAll(async () => {
    client = await createTestClient(context.app);
    made = [];
    for (let n = 0; n < 5; n++) made.push(await createWebhook(client, { url: `${WEBHOOK_URL}/${n}` }));
    connection = await context.createConnection({ by: client, identity: await client.createIdentity() });
    await client
      .request('put', `/v1/connections/${connection}/webhook`)
      .send({ url: `${WEBHOOK_URL}/own` })
      .expect(200);
    await createWebhook(context.otherClient);
  });

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/webhooks', accepts: ['key'] });

  it("returns the environment's webhooks, oldest first, without secrets", async () => {
    expect(await list()).toEqual({ data: made.map(withoutSecret), meta: { next_cursor: null, has_more: false } });
  });

  it('shows the webhook of a connection', async () => {
    const { data } = await list(`?connection_uuid=${connection}`);
    expect(data).toEqual([expect.objectContaining({ connection_uuid: connection, url: `${WEBHOOK_URL}/own` })]);
  });

  it('shows nothing of connections of another environment', async () => {
    const foreign = await context.createConnection();
    await context.client.request('put', `/v1/connections/${foreign}/webhook`).send({ url: WEBHOOK_URL }).expect(200);
    expect((await list(`?connection_uuid=${foreign}`)).data).toEqual([]);
  });

  it.each([1, 2, 5])('returns every item exactly once in pages of %i', async (limit) => {
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { data, meta } = await list(`?limit=${limit}${cursor}`);
      seen.push(...data.map(({ uuid }) => uuid));
      expect(meta.has_more).toBe(meta.next_cursor !== null);
      if (!meta.next_cursor) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    expect(seen).toEqual(made.map(({ uuid }) => uuid));
  });

  it.each([
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['cursor=nonsense', { cursor: 'INVALID_CURSOR' }],
    ['connection_uuid=x', { connection_uuid: 'INVALID_UUID' }],
    ['enabled=true', { enabled: 'UNKNOWN_PROPERTY' }],
  ])('rejects %s', async (query, invalidFields) => {
    for (const lang of ['en', 'de'] as const) {
      const answer = await client.request('get', `/v1/webhooks?${query}`).set('Lang', lang);
      expectError(answer, 422, 'VALIDATION_FAILED', invalidFields, lang);
    }
  });

  it('rejects a UI token sent with the key', async () => {
    const answer = await context.client.request('get', '/v1/webhooks').set('X-TOKEN', context.token);
    expectError(answer, 403, 'NOT_ALLOWED_BY_TOKEN');
  });
});
