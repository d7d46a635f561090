import { EntityManager } from '@mikro-orm/postgresql';
import { decryptWebhookSecrets } from '../../../../src/connections/webhooks/webhook-secrets';
import { Webhook } from '../../../../src/connections/webhooks/webhook.entity';
import type { SigningSecret } from '../../../../src/identities/environments/environment.entity';
import { KeyManager } from '../../../../src/platform/crypto/key-manager';
import type { Receiver } from '../../../fakes/receiver';
import { useTestContext } from '../../../harness/app/test-context';
import { verifyEvent } from '../../provisioning/webhooks/webhook-receiver';
import { createWebhook, useEventReceiver } from './webhook-helpers';

describe("A webhook's secrets", () => {
  const context = useTestContext();
  let receiver: Receiver;

  useEventReceiver(context, (started) => (receiver = started));

  const register = () => createWebhook(context.client, { url: receiver.url('/events') });
  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const keyManager = () => context.app.app.get(KeyManager, { strict: false });
  const decrypt = async (uuid: string): Promise<SigningSecret[]> => {
    const webhook = await em().findOneOrFail(Webhook, uuid);
    return decryptWebhookSecrets(keyManager(), await keyManager().key(em(), webhook.environmentUuid), webhook);
  };
  const test = (uuid: string) => context.client.request('post', `/v1/webhooks/${uuid}/test`);

  it('can be decrypted only in their own row: a copy in another row of the same environment signs nothing', async () => {
    const [target, other] = [await register(), await register()];
    await context.query('update webhook w set secrets = o.secrets from webhook o where w.uuid = $1 and o.uuid = $2', [
      target.uuid,
      other.uuid,
    ]);
    await expect(decrypt(target.uuid)).rejects.toThrow();
    await test(target.uuid).expect(500);
    expect(receiver.requests).toEqual([]);
  });

  it('are encrypted for the row again when one of them is replaced', async () => {
    const { uuid, secret } = await register();
    const { body } = await context.client
      .request('patch', `/v1/webhooks/${uuid}`)
      .send({ rotate_secret: true })
      .expect(200);
    const secrets = await decrypt(uuid);
    expect(secrets.map((one) => one.secret)).toEqual([(body as { data: { secret: string } }).data.secret, secret]);
  });

  it('sign the events of their webhook', async () => {
    const { uuid, secret } = await register();
    await test(uuid).expect(200);
    expect(verifyEvent(receiver.whole[0]!, secret)).toMatchObject({ type: 'webhook.test' });
  });
});
