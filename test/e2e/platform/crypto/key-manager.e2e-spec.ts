import { EntityManager } from '@mikro-orm/postgresql';
import { randomBytes, randomUUID } from 'node:crypto';
import { Clock } from '../../../../src/platform/clock/clock';
import { DataKey } from '../../../../src/platform/crypto/data-key.entity';
import { Encrypted } from '../../../../src/platform/crypto/encrypted';
import { KeyManager } from '../../../../src/platform/crypto/key-manager';
import { KeyRing } from '../../../../src/platform/crypto/key-ring';
import type { NamedKey } from '../../../../src/platform/config/master-key';
import { MasterKeys } from '../../../../src/platform/crypto/master-keys';
import { useTestContext } from '../../../harness/app/test-context';

const key = (id: string): NamedKey => ({ id, bytes: randomBytes(32) });
const [OLD, NEW, OTHER] = [key('old'), key('new'), key('other')];

describe('the key manager', () => {
  const context = useTestContext();
  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const keyManager = (...encryptionKeys: NamedKey[]) =>
    new KeyManager(new MasterKeys(context.app.settings.with({ encryptionKeys })), new Clock());

  async function makeKey(by: KeyManager, owner: string = randomUUID()): Promise<{ owner: string; key: KeyRing }> {
    const context = em();
    const made = await by.generate(owner);
    by.store(context, randomUUID(), made);
    await context.flush();
    return { owner, key: made.key };
  }

  it('creates a data key for every owner and stores it wrapped', async () => {
    const [one, other] = [await makeKey(keyManager(OLD)), await makeKey(keyManager(OLD))];
    expect(one.key.current).toMatchObject({ version: 1, key: { length: 32 } });
    expect(one.key.current.key.equals(other.key.current.key)).toBe(false);
    expect(await keyManager(OLD).key(em(), one.owner)).toEqual(one.key);
    const row = await em().findOneOrFail(DataKey, one.owner);
    expect(row.masterKeyId).toBe('old');
    expect(Buffer.from(row.wrappedKey).includes(one.key.current.key)).toBe(false);
  });

  it('returns keys in memory of their own, because a part of the shared pool would keep all of it', async () => {
    const { owner } = await makeKey(keyManager(OLD));
    for (const found of [
      await keyManager(OLD).key(em(), owner),
      (await keyManager(OLD).keys(em(), [owner])).get(owner)!,
    ])
      expect(found.current.key.buffer.byteLength).toBe(32);
  });

  it('decrypts a value only with the same purpose and key', async () => {
    const [one, other] = [await makeKey(keyManager(OLD)), await makeKey(keyManager(OLD))];
    const value = { password: 'pä$$', list: [1, null] };
    const encrypted = keyManager(OLD).encrypt(one.key, 'purpose', value);
    expect(encrypted).toBeInstanceOf(Encrypted);
    expect(keyManager(OLD).decrypt(one.key, 'purpose', encrypted)).toEqual(value);
    expect(() => keyManager(OLD).decrypt(one.key, 'another purpose', encrypted)).toThrow();
    expect(() => keyManager(OLD).decrypt(other.key, 'purpose', encrypted)).toThrow();
  });

  it('rejects a wrapped key of another owner', async () => {
    const [one, other] = [await makeKey(keyManager(OLD)), await makeKey(keyManager(OLD))];
    await context.query(
      'update data_key set wrapped_key = (select wrapped_key from data_key where owner_uuid = $1) where owner_uuid = $2',
      [one.owner, other.owner],
    );
    await expect(keyManager(OLD).key(em(), other.owner)).rejects.toThrow();
  });

  it('has no key for an unknown owner', async () => {
    await expect(keyManager(OLD).key(em(), randomUUID())).rejects.toThrow();
  });

  it('names a missing master key', async () => {
    const { owner } = await makeKey(keyManager(OLD));
    await expect(keyManager(NEW).key(em(), owner)).rejects.toThrow('ENCRYPTION_KEYS has no key "old"');
    const impostor = { ...OTHER, id: 'old' };
    await expect(keyManager(impostor).key(em(), owner)).rejects.toThrow();
  });

  it('wraps with the first key, unwraps with all of them, and rewraps without touching the encrypted data', async () => {
    await context.query('delete from data_key where master_key_id = $1', ['old']);
    const owners = await Promise.all([1, 2, 3].map(() => makeKey(keyManager(OLD))));
    const encrypted = keyManager(OLD).encrypt(owners[0]!.key, 'purpose', 'secret');

    const rotating = keyManager(NEW, OLD, { id: 'test', bytes: Buffer.alloc(32, 7) });
    for (const { owner, key: plain } of owners) expect(await rotating.key(em(), owner)).toEqual(plain);
    const fresh = await makeKey(rotating);
    expect((await em().findOneOrFail(DataKey, fresh.owner)).masterKeyId).toBe('new');

    const stale = Number((await context.query("select count(*) from data_key where master_key_id <> 'new'"))[0]!.count);
    expect(stale).toBeGreaterThanOrEqual(3);
    expect(await rotating.rewrap(em(), 2)).toBe(2);
    expect(await rotating.rewrap(em(), 1000)).toBe(stale - 2);
    expect(await rotating.rewrap(em(), 1000)).toBe(0);

    // The old key has been removed.
    for (const { owner, key: plain } of owners) expect(await keyManager(NEW).key(em(), owner)).toEqual(plain);
    expect(keyManager(NEW).decrypt(await keyManager(NEW).key(em(), owners[0]!.owner), 'purpose', encrypted)).toBe(
      'secret',
    );
    await expect(keyManager(OLD).key(em(), owners[0]!.owner)).rejects.toThrow('ENCRYPTION_KEYS has no key "new"');
  });

  it('reads and rewraps all versions, each of which can be unwrapped only as itself', async () => {
    await context.query('delete from data_key where master_key_id = $1', ['old']);
    const { owner, key: original } = await makeKey(keyManager(OLD));
    const successor = { version: 2, key: randomBytes(32) };
    const { masterKeyId, wrappedKey } = await keyManager(OLD).wrap(successor, owner);
    await context.query(
      `insert into data_key_version (owner_uuid, environment_uuid, version, master_key_id, wrapped_key, created_at)
       select owner_uuid, environment_uuid, 2, $2, $3, now() from data_key where owner_uuid = $1`,
      [owner, masterKeyId, wrappedKey],
    );
    const both = new KeyRing(original.current, [successor]);
    expect(await keyManager(OLD).key(em(), owner)).toEqual(both);

    const rotating = keyManager(NEW, OLD);
    while ((await rotating.countStale(em())) > 0) await rotating.rewrap(em(), 100);
    expect(await keyManager(NEW).key(em(), owner)).toEqual(both);
    expect((await keyManager(NEW).keys(em(), [owner])).get(owner)).toEqual(both);

    const swap = `
      with former as (update data_key_version v set wrapped_key = k.wrapped_key from data_key k
        where v.owner_uuid = $1 and k.owner_uuid = $1 returning v.owner_uuid)
      update data_key k set wrapped_key = v.wrapped_key from data_key_version v where k.owner_uuid = $1 and v.owner_uuid = $1`;
    await context.query(swap, [owner]);
    await expect(keyManager(NEW).key(em(), owner)).rejects.toThrow();
    await context.query('delete from data_key where owner_uuid = $1', [owner]);
    expect(await context.query('select from data_key_version where owner_uuid = $1', [owner])).toEqual([]);
  });

  it('creates no key when its transaction is rolled back', async () => {
    const owner = randomUUID();
    const made = await keyManager(OLD).generate(owner);
    await expect(
      em().transactional((context) => {
        keyManager(OLD).store(context, randomUUID(), made);
        return Promise.reject(new Error('no'));
      }),
    ).rejects.toThrow('no');
    expect(await em().findOne(DataKey, owner)).toBeNull();
  });
});
