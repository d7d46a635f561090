import { EntityManager } from '@mikro-orm/postgresql';
import { ReencryptWebhookSecrets } from '../../../../src/connections/webhooks/secrets/reencrypt-webhook-secrets';
import { decryptWebhookSecrets } from '../../../../src/connections/webhooks/secrets/webhook-secrets';
import { Webhook } from '../../../../src/connections/webhooks/webhook.entity';
import type { SigningSecret } from '../../../../src/identities/environments/environment.entity';
import { KeyManager } from '../../../../src/platform/crypto/key-manager';
import { Receiver } from '../../../fakes/receiver';
import { useTestContext } from '../../../harness/app/test-context';
import { verifyEvent } from '../../provisioning/webhooks/webhook-receiver';
import { createWebhook } from './webhook-helpers';

describe("A webhook's secrets", () => {
  const context = useTestContext();
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    receiver.clear();
    await context.query('delete from webhook');
  });
  afterAll(() => receiver.stop());

  const register = () => createWebhook(context.client, { url: receiver.url('/events') });
  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const vault = () => context.app.app.get(KeyManager, { strict: false });
  const reencrypt = () => context.app.app.get(ReencryptWebhookSecrets, { strict: false }).reencrypt();
  const decrypt = async (uuid: string): Promise<SigningSecret[]> =>
    decryptWebhookSecrets(em(), vault(), await em().findOneOrFail(Webhook, uuid));
  const test = (uuid: string) => context.client.request('post', `/v1/webhooks/${uuid}/test`);

  /** Encrypts them as the previous version did: not bound to the row. */
  const encryptUnbound = async (uuid: string) => {
    const key = await vault().key(em(), context.client.environmentUuid);
    const { bytes } = vault().encrypt(key, 'webhook.signing-secrets', await decrypt(uuid));
    await context.query('update webhook set secrets = $2, secrets_bound = false where uuid = $1', [uuid, bytes]);
  };

  it('can be decrypted only in their own row: a copy in another row of the same environment signs nothing', async () => {
    const [target, other] = [await register(), await register()];
    await context.query(
      'update webhook w set secrets = o.secrets, secrets_bound = o.secrets_bound from webhook o where w.uuid = $1 and o.uuid = $2',
      [target.uuid, other.uuid],
    );
    await expect(decrypt(target.uuid)).rejects.toThrow();
    await test(target.uuid).expect(500);
    expect(receiver.requests).toEqual([]);

    await context.query('update webhook set secrets_bound = false where uuid = $1', [target.uuid]);
    await expect(decrypt(target.uuid)).rejects.toThrow();
  });

  it('of an earlier version still sign, are re-encrypted for their row, and then cannot be decrypted elsewhere', async () => {
    const [old, other, recent] = [await register(), await register(), await register()];
    for (const { uuid } of [old, other]) await encryptUnbound(uuid);
    await test(old.uuid).expect(200);
    expect(verifyEvent(receiver.whole[0]!, old.secret)).toMatchObject({ type: 'webhook.test' });

    expect(await reencrypt()).toBe(2);
    expect(await reencrypt()).toBe(0);
    for (const { uuid, secret } of [old, other, recent]) {
      expect(await decrypt(uuid)).toEqual([{ secret, retiresAt: null }]);
    }
    await context.query('update webhook w set secrets = o.secrets from webhook o where w.uuid = $1 and o.uuid = $2', [
      old.uuid,
      other.uuid,
    ]);
    await expect(decrypt(old.uuid)).rejects.toThrow();
  });

  it('that cannot be decrypted do not prevent re-encrypting others', async () => {
    const [broken, other] = [await register(), await register()];
    for (const { uuid } of [broken, other]) await encryptUnbound(uuid);
    await context.query(`update webhook set secrets = '\\x00' where uuid = $1`, [broken.uuid]);
    await expect(reencrypt()).rejects.toThrow('The secrets of 1 webhooks cannot be decrypted.');
    expect(await decrypt(other.uuid)).toEqual([{ secret: other.secret, retiresAt: null }]);
  });

  it('of an earlier version are bound when one of them is replaced', async () => {
    const { uuid, secret } = await register();
    await encryptUnbound(uuid);
    const { body } = await context.client
      .request('patch', `/v1/webhooks/${uuid}`)
      .send({ rotate_secret: true })
      .expect(200);
    const [row] = await context.query('select secrets_bound from webhook where uuid = $1', [uuid]);
    expect(row).toEqual({ secrets_bound: true });
    const secrets = await decrypt(uuid);
    expect(secrets.map((one) => one.secret)).toEqual([(body as { data: { secret: string } }).data.secret, secret]);
  });
});
