import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { sign } from './sign';

const secret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const active = (fill: number) => ({ secret: secret(fill), retiresAt: null });
const BODY = '{"document":"Größe"}';

describe('sign', () => {
  it('creates headers that the Standard Webhooks library accepts', async () => {
    const headers = await sign([active(1)], 'msg-1', new Date(), [Buffer.from(BODY)]);
    expect(new Webhook(secret(1)).verify(BODY, { ...headers })).toEqual(JSON.parse(BODY));
  });

  it('signs a stream like the complete body', async () => {
    const at = new Date('2026-11-20T12:00:00.900Z');
    const whole = await sign([active(1)], 'msg-1', at, [Buffer.from(BODY)]);
    const streamed = await sign(
      [active(1)],
      'msg-1',
      at,
      Readable.from([BODY.slice(0, 7), BODY.slice(7)], { objectMode: false }),
    );
    expect(streamed).toEqual(whole);
    expect(whole).toMatchObject({ 'webhook-id': 'msg-1', 'webhook-timestamp': '1795176000' });
  });

  it('signs with the old and the new secret during a rotation, and not with a retired one', async () => {
    const now = new Date();
    const retiring = { secret: secret(1), retiresAt: new Date(now.getTime() + 1000).toISOString() };
    const retired = { secret: secret(2), retiresAt: now.toISOString() };
    const headers = await sign([retiring, retired, active(3)], 'msg-1', now, [Buffer.from(BODY)]);
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    expect(() => new Webhook(secret(1)).verify(BODY, { ...headers })).not.toThrow();
    expect(() => new Webhook(secret(3)).verify(BODY, { ...headers })).not.toThrow();
    expect(() => new Webhook(secret(2)).verify(BODY, { ...headers })).toThrow();
  });

  it('covers id, time and body', async () => {
    const headers = { ...(await sign([active(1)], 'msg-1', new Date(), [Buffer.from(BODY)])) };
    const { verify } = Webhook.prototype;
    const webhook = new Webhook(secret(1));
    expect(() => verify.call(webhook, `${BODY} `, headers)).toThrow();
    expect(() => webhook.verify(BODY, { ...headers, 'webhook-id': 'msg-2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => webhook.verify(BODY, { ...headers, 'webhook-timestamp': later })).toThrow();
  });
});
