import { answer, type Receiver } from '../../../fakes/receiver';
import { expectError } from '../../../harness/http/expect-error';
import { useSharedContext } from '../../../harness/app/test-context';
import {
  itChecksWebhookAccess,
  type WebhookBody,
  createWebhook,
  useEventReceiver,
} from '../../connections/webhooks/webhook-helpers';
import { headersOf } from './webhook-receiver';

interface Entry {
  readonly uuid: string;
  readonly webhook_id: string;
  readonly response_excerpt: string | null;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /v1/webhooks/{uuid}/deliveries', () => {
  const context = useSharedContext();
  let receiver: Receiver;

  useEventReceiver(context, (started) => (receiver = started));

  const register = () => createWebhook(context.client, { url: receiver.url() });
  const send = ({ uuid }: WebhookBody) => context.client.request('post', `/v1/webhooks/${uuid}/test`).expect(200);
  const list = async ({ uuid }: WebhookBody, query = '', lang = 'en') => {
    const { body } = await context.client
      .request('get', `/v1/webhooks/${uuid}/deliveries${query}`)
      .set('Lang', lang)
      .expect(200);
    return body as { data: Entry[]; meta: { next_cursor: string | null; has_more: boolean } };
  };

  itChecksWebhookAccess(context, 'get', (uuid) => `/v1/webhooks/${uuid}/deliveries`);

  it('is initially empty', async () => {
    expect(await list(await register())).toEqual({ data: [], meta: { next_cursor: null, has_more: false } });
  });

  it('shows requests and responses, newest first', async () => {
    const webhook = await register();
    receiver.next(answer(200, {}, 'taken'), answer(503, {}, 'x'.repeat(5000)));
    await send(webhook);
    await send(webhook);
    await context.client.request('patch', `/v1/webhooks/${webhook.uuid}`).send({ url: 'https://nobody.invalid/' });
    await send(webhook);
    const [first, second] = receiver.whole.map((received) => headersOf(received)['webhook-id']);
    const common = {
      uuid: expect.any(String),
      type: 'webhook.test',
      created_at: expect.stringMatching(INSTANT),
      sent_at: expect.stringMatching(INSTANT),
      duration_ms: expect.any(Number),
    };
    const { data } = await list(webhook);
    expect(data).toEqual([
      {
        ...common,
        webhook_id: expect.any(String),
        state: 'FAILED',
        status: null,
        response_excerpt: null,
        error: { code: 'NAME_NOT_FOUND', message: 'The host name of the endpoint could not be resolved.' },
      },
      {
        ...common,
        webhook_id: second,
        state: 'FAILED',
        status: 503,
        response_excerpt: 'x'.repeat(1024),
        error: { code: 'UNEXPECTED_STATUS', message: 'The endpoint answered 503 instead of 2xx.' },
      },
      { ...common, webhook_id: first, state: 'DELIVERED', status: 200, response_excerpt: 'taken', error: null },
    ]);
    const german = (await list(webhook, '?limit=1', 'de')).data[0];
    expect(german).toMatchObject({ error: { message: 'Der Hostname des Endpunkts konnte nicht aufgelöst werden.' } });
  });

  it('shows no deliveries of another registration', async () => {
    const [one, other] = [await register(), await register()];
    await send(one);
    expect((await list(other)).data).toEqual([]);
  });

  it.each([1, 2, 3, 7])('returns every item exactly once in pages of %i', async (limit) => {
    const webhook = await register();
    for (let n = 0; n < 5; n++) await send(webhook);
    const all = (await list(webhook)).data;
    const seen: Entry[] = [];
    let cursor = '';
    for (;;) {
      const { data, meta } = await list(webhook, `?limit=${limit}${cursor}`);
      seen.push(...data);
      expect(meta.has_more).toBe(meta.next_cursor !== null);
      if (!meta.next_cursor) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    expect(seen).toEqual(all);
    expect(all).toHaveLength(5);
  });

  it.each([
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=x', { limit: 'INVALID_TYPE_INTEGER' }],
    ['cursor=nonsense', { cursor: 'INVALID_CURSOR' }],
    ['state=FAILED', { state: 'UNKNOWN_PROPERTY' }],
  ])('rejects %s', async (query, invalidFields) => {
    const { uuid } = await register();
    for (const lang of ['en', 'de'] as const) {
      const refused = await context.client.request('get', `/v1/webhooks/${uuid}/deliveries?${query}`).set('Lang', lang);
      expectError(refused, 422, 'VALIDATION_FAILED', invalidFields, lang);
    }
  });
});
