import { PushLimits } from '../../../../src/provisioning/shared/push-limits';
import { answer, endless, Receiver, reset, silence, stall } from '../../../fakes/receiver';
import { useTestContext } from '../../../harness/app/test-context';
import {
  itChecksWebhookAccess,
  type WebhookBody,
  createWebhook,
  useEventReceiver,
} from '../../connections/webhooks/webhook-helpers';
import { headersOf, verifyEvent } from './webhook-receiver';

describe('POST /v1/webhooks/{uuid}/test (decisions 5)', () => {
  const context = useTestContext();
  let receiver: Receiver;

  useEventReceiver(context, (started) => (receiver = started));

  const register = (given: object = {}) => createWebhook(context.client, { url: receiver.url('/events'), ...given });
  const test = ({ uuid }: WebhookBody, lang = 'en') =>
    context.client.request('post', `/v1/webhooks/${uuid}/test`).set('Lang', lang);
  const outcome = async (webhook: WebhookBody, lang = 'en') => (await test(webhook, lang).expect(200)).body;

  itChecksWebhookAccess(context, 'post', (uuid) => `/v1/webhooks/${uuid}/test`);

  it('sends a signed event and reports success', async () => {
    const webhook = await register({ events: ['fetch.finished'] });
    expect(await outcome(webhook)).toEqual({
      data: { delivered: true, status: 200, duration_ms: expect.any(Number), error: null },
    });
    const [received, ...more] = receiver.whole;
    expect(more).toEqual([]);
    expect(received).toMatchObject({ method: 'POST', path: '/events' });
    expect(headersOf(received!)['content-type']).toBe('application/json');
    expect(verifyEvent(received!, webhook.secret)).toEqual({
      type: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/),
      data: { webhook_uuid: webhook.uuid },
    });
    const recorded = 'select actor from audit_log where subject_uuid = $1 and action = $2';
    expect(await context.query(recorded, [webhook.uuid, 'webhook.test'])).toHaveLength(1);
  });

  it.each([201, 202, 204, 299])('treats %i as success', async (status) => {
    receiver.always(answer(status, {}, ''));
    expect((await outcome(await register())).data).toMatchObject({ delivered: true, status, error: null });
  });

  it.each([
    [301, 'REDIRECT_REFUSED'],
    [308, 'REDIRECT_REFUSED'],
    [400, 'UNEXPECTED_STATUS'],
    [410, 'UNEXPECTED_STATUS'],
    [429, 'UNEXPECTED_STATUS'],
    [500, 'UNEXPECTED_STATUS'],
    [503, 'UNEXPECTED_STATUS'],
  ])('reports %i as a failure, without a retry and without following redirects', async (status, code) => {
    receiver.always(answer(status, { location: receiver.url('/elsewhere'), 'retry-after': '1' }));
    const webhook = await register();
    for (const lang of ['en', 'de']) {
      const { data } = await outcome(webhook, lang);
      expect(data).toEqual({
        delivered: false,
        status,
        duration_ms: expect.any(Number),
        error: { code, message: expect.stringMatching(/^(The endpoint|Der Endpunkt) .*\.$/) },
      });
      expect(data.error.message.startsWith('Der')).toBe(lang === 'de');
      if (code === 'UNEXPECTED_STATUS') expect(data.error.message).toContain(String(status));
    }
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/events', '/events']);
  });

  it.each([
    ['is silent', silence, 'TIMEOUT', null],
    ['cuts the connection', reset, 'CONNECTION_FAILED', null],
    ['never ends its answer', endless(200), null, 200],
    ['stops in the middle of its answer', stall(200), null, 200],
    ['stops in the middle of a refusal', stall(500), 'UNEXPECTED_STATUS', 500],
  ])('returns from a receiver that %s', async (_, behavior, code, status) => {
    receiver.always(behavior);
    const limits = context.app.app.get(PushLimits, { strict: false });
    Object.assign(limits, { webhookTimeoutMs: 700 } satisfies Partial<PushLimits>);
    try {
      const { data } = await outcome(await register());
      expect(data).toMatchObject({ delivered: code === null, status, error: code === null ? null : { code } });
    } finally {
      Object.assign(limits, { webhookTimeoutMs: 10_000 } satisfies Partial<PushLimits>);
    }
  });

  it('reports a refused connection and an unknown name', async () => {
    const closed = await Receiver.start();
    const url = closed.url();
    await closed.stop();
    expect((await outcome(await register({ url }))).data.error.code).toBe('CONNECTION_FAILED');
    const { data } = await outcome(await register({ url: 'https://nobody.invalid/' }));
    expect(data).toMatchObject({ delivered: false, status: null, error: { code: 'NAME_NOT_FOUND' } });
  });

  it('reports an untrusted certificate', async () => {
    const { data } = await outcome(await register({ url: receiver.url().replace('http:', 'https:') }));
    expect(data.error.code).toMatch(/^(TLS_FAILED|CONNECTION_FAILED)$/);
    expect(receiver.requests).toEqual([]);
  });

  it('never connects to a forbidden address, whatever a host name or an old registration contains', async () => {
    const webhook = await register();
    await context.query("update webhook set url = 'http://10.255.255.1:80/' where uuid = $1", [webhook.uuid]);
    expect((await outcome(webhook)).data).toMatchObject({
      delivered: false,
      status: null,
      error: { code: 'ADDRESS_NOT_ALLOWED' },
    });
  });

  it('works for a disabled registration, which stays disabled', async () => {
    const webhook = await register();
    await context.client.request('patch', `/v1/webhooks/${webhook.uuid}`).send({ enabled: false }).expect(200);
    expect((await outcome(webhook)).data.delivered).toBe(true);
    const { body } = await context.client.request('get', `/v1/webhooks/${webhook.uuid}`);
    expect(body.data).toMatchObject({ enabled: false, disabled_reason: 'BY_CLIENT' });
  });

  it("works for a connection's own registration", async () => {
    const connection = await context.createConnection();
    const { body } = await context.client
      .request('put', `/v1/connections/${connection}/webhook`)
      .send({ url: receiver.url('/own') })
      .expect(200);
    expect((await outcome(body.data)).data.delivered).toBe(true);
    expect(receiver.whole[0]!.path).toBe('/own');
  });

  it('signs with a replaced secret for a day, and no longer', async () => {
    const webhook = await register();
    const { body } = await context.client
      .request('patch', `/v1/webhooks/${webhook.uuid}`)
      .send({ rotate_secret: true })
      .expect(200);
    await outcome(webhook);
    const signatures = () => headersOf(receiver.whole.at(-1)!)['webhook-signature']!.split(' ');
    expect(signatures()).toHaveLength(2);
    expect(verifyEvent(receiver.whole[0]!, webhook.secret)).toEqual(verifyEvent(receiver.whole[0]!, body.data.secret));
    context.app.clock.advance(86_400 + 1);
    try {
      await outcome(webhook);
      expect(signatures()).toHaveLength(1);
    } finally {
      context.app.clock.advance(-86_400 - 1);
    }
  });
});
