import { useSharedContext } from '../../../harness/app/test-context';
import { WEBHOOK_URL, itChecksWebhookAccess, createWebhook } from './webhook-helpers';

describe('DELETE /v1/webhooks/{uuid} (decisions 5)', () => {
  const context = useSharedContext();
  const remove = (uuid: string) => context.client.request('delete', `/v1/webhooks/${uuid}`);

  itChecksWebhookAccess(context, 'delete', (uuid) => `/v1/webhooks/${uuid}`);

  it('deletes a webhook, and only that one', async () => {
    const [one, other] = [await createWebhook(context.client), await createWebhook(context.client)];
    const answer = await remove(one.uuid).expect(204);
    expect(answer.text).toBe('');
    await context.client.request('get', `/v1/webhooks/${one.uuid}`).expect(404);
    await context.client.request('get', `/v1/webhooks/${other.uuid}`).expect(200);
    const rows = await context.query('select action, actor from audit_log where subject_uuid = $1 order by uuid', [
      one.uuid,
    ]);
    expect(rows.at(-1)).toEqual({ action: 'webhook.delete', actor: expect.stringMatching(/^key:/) });
  });

  it('deletes it once under concurrent requests', async () => {
    const { uuid } = await createWebhook(context.client);
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(uuid)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
  });

  it('deletes the webhook of a connection, which then has none', async () => {
    const connection = await context.createConnection();
    const path = `/v1/connections/${connection}`;
    const { body } = await context.client.request('put', `${path}/webhook`).send({ url: WEBHOOK_URL }).expect(200);
    expect((await context.client.request('get', path)).body.data.webhook).toBe(true);
    await remove(body.data.uuid).expect(204);
    expect((await context.client.request('get', path)).body.data.webhook).toBe(false);
    await context.client.request('put', `${path}/webhook`).send({ url: WEBHOOK_URL }).expect(200);
  });
});
