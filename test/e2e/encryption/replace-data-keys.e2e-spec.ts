import { EntityManager } from '@mikro-orm/postgresql';
import { hash } from 'node:crypto';
import { ENCRYPTED_COLUMNS } from '../../../src/encryption/encrypted-columns';
import { ReplaceKeys } from '../../../src/encryption/replace-keys';
import { KeyManager } from '../../../src/platform/crypto/key-manager';
import { KeyRing } from '../../../src/platform/crypto/key-ring';
import { decryptStep1Secrets, encryptStep1Secrets } from '../../../src/connections/setup/step1-secrets';
import { Encrypted } from '../../../src/platform/crypto/encrypted';
import { answer, type Receiver } from '../../fakes/receiver';
import type { TestClient } from '../../harness/app/test-client';
import { connectSandbox, type TestEngine } from '../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../harness/engine/use-engine-and-receiver';
import { eventually } from '../../harness/eventually';
import { commandLineOf } from '../cli/command-line';
import { createPushClient } from '../provisioning/push/push-setup';

const HOUR = 3600;
/** The `bytea` columns that no data key encrypts. */
const OTHERS = /digest|fingerprint|wrapped_key/;

describe('docfetch encryption rotate-data-keys (ADR 31)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));
  const line = commandLineOf(() => engine.app);
  const replaceDue = () => engine.app.app.get(ReplaceKeys, { strict: false }).replaceDue();
  const keyOf = (owner: string) =>
    engine.app.app
      .get(KeyManager, { strict: false })
      .key(engine.app.app.get(EntityManager, { strict: false }).fork(), owner);
  const statusOf = async (environment: string) =>
    (await line.json<{ environment_uuid: string }[]>(['encryption', 'status'])).find(
      ({ environment_uuid }) => environment_uuid === environment,
    );

  async function connected(documents: number): Promise<{ client: TestClient; connection: string }> {
    receiver.always(answer(200));
    const client = await createPushClient(engine, receiver.url());
    const connection = await connectSandbox(client, { documents, new_per_fetch: 1, document_size_kb: 600 });
    await engine.waitForFetches(connection, 1);
    await areDelivered(connection, documents);
    return { client, connection };
  }

  const areDelivered = (connection: string, count: number) =>
    eventually(async () => {
      const transactions = await engine.transactions(connection);
      return transactions.length === count && transactions.every(({ status }) => status === 'DELIVERED');
    }, `${count} documents are delivered`);

  /** The versions that the ciphertexts of an environment name. */
  async function versions(environment: string): Promise<number[]> {
    const found = new Set<number>();
    const queries = ENCRYPTED_COLUMNS.map(
      ({ table, column }) =>
        `select ciphertext_key_version(${column}) as version from ${table}
         where ${table === 'environment' ? 'uuid' : 'environment_uuid'} = $1 and ${column} is not null`,
    ).concat(
      'select ciphertext_key_version(bytes) as version from content_chunk where environment_uuid = $1',
      'select key_version as version from content where environment_uuid = $1',
    );
    for (const query of queries) {
      for (const { version } of await engine.rows<{ version: number }>(query, environment)) found.add(version);
    }
    return [...found].sort((a, b) => a - b);
  }

  async function expectDocuments(client: TestClient, connection: string): Promise<void> {
    for (const { uuid, sha256 } of await engine.transactions(connection)) {
      const pulled = await fetch(`${engine.app.url}/v1/transactions/${uuid}/document`, {
        headers: { 'X-API-KEY': client.apiKey, Accept: 'application/octet-stream' },
      });
      expect(hash('sha256', Buffer.from(await pulled.arrayBuffer()), 'hex')).toBe(sha256);
    }
  }

  it('encrypts everything again while clients poll and documents are pushed, and destroys the former keys a day later', async () => {
    const { client, connection } = await connected(3);
    const environment = client.environmentUuid;
    await client
      .request('post', '/v1/webhooks')
      .send({ url: receiver.url('/events'), events: ['document.available'] })
      .expect(201);
    const post = () =>
      client.request('post', '/v1/identities').set('Idempotency-Key', 'the-same').send({ client_identifier: 'twice' });
    const first = await post().expect(201);
    const rotate = ['encryption', 'rotate-data-keys', '--environment', environment];
    expect(await line.json(rotate)).toEqual({ environments: 1, data_keys: 2 });
    expect(await line.json(rotate)).toEqual({ environments: 1, data_keys: 0 });
    expect(await statusOf(environment)).toMatchObject({ data_keys: 2, waiting: 2, former: 0 });
    await replaceDue();
    expect(await versions(environment)).toEqual([1]);

    const [formerChunk] = await engine.rows<{ content_uuid: string; index: number; bytes: Buffer }>(
      'select * from content_chunk where environment_uuid = $1 order by 1, 2 limit 1',
      environment,
    );
    await engine.advanceClock(601);
    let isReplacing = true;
    const polling = (async () => {
      while (isReplacing) await expectDocuments(client, connection);
    })();
    const fetching = client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await Promise.all([fetching, replaceDue()]);
    await eventually(async () => {
      await replaceDue();
      return (await statusOf(environment)) !== undefined && (await versions(environment)).join() === '2';
    }, 'everything is encrypted with the new keys');
    isReplacing = false;
    await polling;
    await engine.waitForFetches(connection, 2);
    await areDelivered(connection, 4);
    expect(await statusOf(environment)).toMatchObject({ waiting: 0, former: 2, contents_left: 0 });
    expect((await post().expect(201)).body).toEqual(first.body);

    await engine.advanceClock(24 * HOUR);
    await replaceDue();
    expect(await statusOf(environment)).toMatchObject({ former: 2 });
    await engine.advanceClock(2 * HOUR);
    await eventually(async () => {
      await engine.advanceClock(61);
      await replaceDue();
      return ((await statusOf(environment)) as unknown as { former: number }).former === 0;
    }, 'the former keys are destroyed');
    await expectDocuments(client, connection);
    expect((await keyOf(connection)).others).toEqual([]);
    await engine.rows(
      'update content_chunk set bytes = $3 where content_uuid = $1 and index = $2',
      formerChunk!.content_uuid,
      formerChunk!.index,
      formerChunk!.bytes,
    );
    await expect(expectDocuments(client, connection)).rejects.toThrow();

    const entries = await engine.rows<{ action: string; subject_uuid: string; details: object }>(
      `select action, subject_uuid, details from audit_log where environment_uuid = $1 and action like 'encryption.%' order by uuid`,
      environment,
    );
    expect(entries[0]).toEqual({
      action: 'encryption.replace-data-keys',
      subject_uuid: environment,
      details: { data_keys: 2 },
    });
    const destroyed = { action: 'encryption.destroy-data-key', details: { version: 1 } };
    expect(entries.slice(1)).toHaveLength(2);
    for (const owner of [environment, connection])
      expect(entries).toContainEqual({ ...destroyed, subject_uuid: owner });
  });

  it('overwrites nothing that is changed at the same moment, and keeps a key that something needs', async () => {
    const { client, connection } = await connected(1);
    const original = new KeyRing((await keyOf(connection)).current);
    const keyManager = engine.app.app.get(KeyManager, { strict: false });
    const changed = encryptStep1Secrets(keyManager, original, { password: 'changed' });
    await line.runSuccessfully(['encryption', 'rotate-data-keys', '--environment', client.environmentUuid]);
    await engine.advanceClock(601);
    const writer = await engine.pool.connect();
    await writer.query('begin');
    await writer.query('update connection set secrets = $2 where uuid = $1', [connection, changed.bytes]);
    const replacing = replaceDue();
    await eventually(
      async () =>
        (await engine.count(
          `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%update connection t%'`,
        )) > 0,
      'the replacement waits for the row',
    );
    await writer.query('commit');
    writer.release();
    await replacing;
    const secrets = async () =>
      (await engine.rows<{ secrets: Buffer }>('select secrets from connection where uuid = $1', connection))[0]!
        .secrets;
    const read = async () =>
      decryptStep1Secrets(keyManager, await keyOf(connection), new Encrypted(Buffer.from(await secrets())));
    expect(await read()).toEqual({ password: 'changed' });
    const versionOf = async () =>
      engine.count('select ciphertext_key_version(secrets) as count from connection where uuid = $1', connection);
    expect(await versionOf()).toBe(1);
    await eventually(async () => {
      await engine.advanceClock(61);
      await replaceDue();
      return (await versionOf()) === 2;
    }, 'it is encrypted with the new key');
    expect(await read()).toEqual({ password: 'changed' });

    // A writer that still had the former key.
    await engine.rows('update connection set secrets = $2 where uuid = $1', connection, changed.bytes.subarray(0, 30));
    await engine.advanceClock(26 * HOUR);
    await replaceDue();
    expect((await keyOf(connection)).others.map(({ version }) => version)).toEqual([1]);
    await engine.rows('update connection set secrets = $2 where uuid = $1', connection, changed.bytes);
    await eventually(async () => {
      await engine.advanceClock(61); // the worker itself may have begun a step
      await replaceDue();
      return (await keyOf(connection)).others.length === 0;
    }, 'the former key is destroyed');
    expect(await read()).toEqual({ password: 'changed' });
  });

  it('rejects an unknown environment', () =>
    line.expectRefusal(
      ['encryption', 'rotate-data-keys', '--environment', '01890000-0000-7000-8000-000000000000'],
      /no environment 01890000/,
    ));

  it('knows all columns that data keys encrypt', async () => {
    const columns = await engine.rows<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea' and table_name <> 'content_chunk'`,
    );
    const encrypted = columns.map(({ name }) => name).filter((name) => !OTHERS.test(name));
    expect(encrypted.sort()).toEqual(ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort());
  });
});
