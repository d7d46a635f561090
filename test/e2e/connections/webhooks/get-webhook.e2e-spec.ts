import { useStage } from '../../../harness/app/test-context';
import { HOOK, itPermitsWebhook, webhookOf } from './webhook-helpers';

describe('GET /v1/webhooks/{uuid} (decisions 5)', () => {
  const stage = useStage();
  const get = (uuid: string) => stage.client.call('get', `/v1/webhooks/${uuid}`);

  itPermitsWebhook(stage, 'get', (uuid) => `/v1/webhooks/${uuid}`);

  it('shows a webhook without its secret', async () => {
    const { secret: _, ...webhook } = await webhookOf(stage.client, { events: ['fetch.finished'] });
    expect((await get(webhook.uuid).expect(200)).body).toEqual({ data: webhook });
  });

  it("shows a connection's own one", async () => {
    const connection = await stage.connection();
    const { body } = await stage.client.call('put', `/v1/connections/${connection}/webhook`).send({ url: HOOK });
    const { secret: _, ...webhook } = body.data;
    expect((await get(webhook.uuid).expect(200)).body).toEqual({ data: webhook });
  });
});
