import { useSharedContext } from '../../../harness/app/test-context';
import { WEBHOOK_URL, itChecksWebhookAccess, createWebhook } from './webhook-helpers';

describe('GET /v1/webhooks/{uuid} (decisions 5)', () => {
  const context = useSharedContext();
  const get = (uuid: string) => context.client.request('get', `/v1/webhooks/${uuid}`);

  itChecksWebhookAccess(context, 'get', (uuid) => `/v1/webhooks/${uuid}`);

  it('shows a webhook without its secret', async () => {
    const { secret: _, ...webhook } = await createWebhook(context.client, { events: ['fetch.finished'] });
    expect((await get(webhook.uuid).expect(200)).body).toEqual({ data: webhook });
  });

  it('shows the webhook of a connection', async () => {
    const connection = await context.createConnection();
    const { body } = await context.client
      .request('put', `/v1/connections/${connection}/webhook`)
      .send({ url: WEBHOOK_URL });
    const { secret: _, ...webhook } = body.data;
    expect((await get(webhook.uuid).expect(200)).body).toEqual({ data: webhook });
  });
});
