import { EntityManager } from '@mikro-orm/postgresql';
import type { MasterKey } from '../../../src/platform/config/master-key';
import { Clock } from '../../../src/platform/clock/clock';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import { MasterKeys } from '../../../src/platform/crypto/master-keys';
import { verifyKeys } from '../../../src/platform/crypto/verify-keys';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { useTestContext } from '../../harness/app/test-context';
import { expectError } from '../../harness/http/expect-error';
import { LocalKms } from './local-kms';

const [KEY, OTHER] = LocalKms.arns.map((resource, i): MasterKey => ({ id: `aws${i}`, kms: 'awskms', resource })) as [
  MasterKey,
  MasterKey,
];
const LOCAL: MasterKey = { id: 'local', bytes: Buffer.alloc(32, 7) };

describe('ENCRYPTION_KEYS in AWS KMS, with a real server', () => {
  let kms: LocalKms;
  const before = { ...process.env };
  beforeAll(async () => {
    kms = await LocalKms.start();
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_KMS: `http://127.0.0.1:${kms.port}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
  });
  afterAll(async () => {
    for (const name of Object.keys(process.env).filter((one) => one.startsWith('AWS_'))) delete process.env[name];
    Object.assign(process.env, before);
    await kms.remove();
  });

  // Without the cache, every use of a data key is a request to the server.
  const context = useTestContext({ role: 'all', settings: { encryptionKeys: [KEY, LOCAL], kmsCacheSeconds: 0 } });
  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const managerWith = (...encryptionKeys: MasterKey[]) =>
    new KeyManager(new MasterKeys(context.app.settings.with({ encryptionKeys, kmsCacheSeconds: 60 })), new Clock());
  const check = (...encryptionKeys: MasterKey[]) =>
    verifyKeys(context.app.databaseUrl, context.app.settings.with({ encryptionKeys }));
  const document = async (connection: string) => {
    const [row] = await context.query<{ uuid: string }>(
      'select uuid from transaction where connection_uuid = $1 order by uuid limit 1',
      [connection],
    );
    return context.client.request('get', `/v1/transactions/${row!.uuid}/document`);
  };

  it('wraps the data keys of environments and connections, fetches and delivers with them, and waits while it is away', async () => {
    const connection = await connectionWithDocuments(context, { user: 'kms' });
    const wrappedBy = await context.query('select distinct master_key_id as id from data_key');
    expect(wrappedBy).toEqual([{ id: 'aws0' }]);
    await document(connection).then(({ status }) => expect(status).toBe(200));
    expect(await check(KEY)).toBeNull();

    await kms.stop();
    const away = await document(connection);
    expectError(away, 500, 'TEMPORARILY_UNAVAILABLE');
    expect(away.headers['retry-after']).toEqual(expect.any(String));
    expect(await check(KEY)).toMatch(/^the key "aws0" of ENCRYPTION_KEYS cannot be used: AWS KMS: /);

    await kms.start();
    await document(connection).then(({ status }) => expect(status).toBe(200));
  });

  it('is not taken for another key, neither at the start nor later', async () => {
    const stored = { ...OTHER, id: 'aws0' };
    await expect(check(stored)).rejects.toThrow('the key "aws0" of ENCRYPTION_KEYS is not the one');
    const gone = { ...KEY, resource: `${LocalKms.arns[0]!.slice(0, -1)}0` } as MasterKey;
    await expect(check(gone)).rejects.toThrow(/AWS KMS: NotFoundException/);
    const { environmentUuid } = context.client;
    await expect(managerWith(stored).key(em(), environmentUuid)).rejects.toThrow('has not wrapped this data key');
  });

  it('takes over the data keys of a local key, of another key of the server, and gives them back', async () => {
    const { environmentUuid } = context.client;
    const key = await managerWith(KEY).key(em(), environmentUuid);
    for (const [to, from] of [
      [LOCAL, KEY],
      [OTHER, LOCAL],
      [KEY, OTHER],
    ] as const) {
      const rotating = managerWith(to, from);
      expect(await rotating.rewrap(em(), 1000)).toBeGreaterThan(0);
      expect(await rotating.countStale(em())).toBe(0);
      expect(await managerWith(to).key(em(), environmentUuid)).toEqual(key);
    }
  });

  it('is asked once for a data key while that is cached', async () => {
    const { environmentUuid } = context.client;
    const caching = managerWith(KEY);
    const key = await caching.key(em(), environmentUuid);
    await kms.stop();
    try {
      expect(await caching.key(em(), environmentUuid)).toEqual(key);
      await expect(managerWith(KEY).keys(em(), [environmentUuid])).rejects.toThrow('cannot be used');
    } finally {
      await kms.start();
    }
  });
});
