import { useStage } from '../../../harness/app/test-context';
import { HOOK, itPermitsWebhook, webhookOf } from './webhook-helpers';

describe('DELETE /v1/webhooks/{uuid} (decisions 5)', () => {
  const stage = useStage();
  const remove = (uuid: string) => stage.client.call('delete', `/v1/webhooks/${uuid}`);

  itPermitsWebhook(stage, 'delete', (uuid) => `/v1/webhooks/${uuid}`);

  it('deletes a webhook, and only that one', async () => {
    const [one, other] = [await webhookOf(stage.client), await webhookOf(stage.client)];
    const answer = await remove(one.uuid).expect(204);
    expect(answer.text).toBe('');
    await stage.client.call('get', `/v1/webhooks/${one.uuid}`).expect(404);
    await stage.client.call('get', `/v1/webhooks/${other.uuid}`).expect(200);
    const rows = await stage.query('select action, actor from audit_log where subject_uuid = $1 order by uuid', [
      one.uuid,
    ]);
    expect(rows.at(-1)).toEqual({ action: 'webhook.delete', actor: expect.stringMatching(/^key:/) });
  });

  it('deletes it once, however many ask at once', async () => {
    const { uuid } = await webhookOf(stage.client);
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(uuid)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
  });

  it("deletes a connection's own one, which then has none", async () => {
    const connection = await stage.connection();
    const path = `/v1/connections/${connection}`;
    const { body } = await stage.client.call('put', `${path}/webhook`).send({ url: HOOK }).expect(200);
    expect((await stage.client.call('get', path)).body.data.webhook).toBe(true);
    await remove(body.data.uuid).expect(204);
    expect((await stage.client.call('get', path)).body.data.webhook).toBe(false);
    await stage.client.call('put', `${path}/webhook`).send({ url: HOOK }).expect(200);
  });
});
