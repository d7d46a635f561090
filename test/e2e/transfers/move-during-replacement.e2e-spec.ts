import { hash } from 'node:crypto';
import { CHUNK_STORE, type ChunkReplacer, type ChunkStore } from '../../../src/documents/store/chunk-store';
import { ReplaceKeys } from '../../../src/encryption/replace-keys';
import { ImportContents } from '../../../src/transfers/import/import-contents';
import { answer, Receiver } from '../../fakes/receiver';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { EncryptedValues } from '../../harness/encryption/encrypted-values';
import { connectSandbox, type TestEngine } from '../../harness/engine/test-engine';
import { eventually } from '../../harness/eventually';
import { createWebhook } from '../connections/webhooks/webhook-helpers';
import { waitForAllDelivered } from '../provisioning/push/push-setup';
import { clientAt, useInstallations } from './transfer-setup';

const HOUR = 3600;
/** Fields of the result of `encryption status`. */
interface Status {
  readonly environment_uuid: string;
  readonly data_keys: number;
  readonly waiting: number;
  readonly former: number;
  readonly contents_left: number;
}

describe('An environment that moves while its data keys are replaced', () => {
  const installations = useInstallations();
  let receiver: Receiver;

  beforeAll(async () => (receiver = await Receiver.start()));
  beforeEach(() => receiver.always(answer(200)));
  afterEach(() => {
    jest.restoreAllMocks();
    receiver.clear();
  });
  afterAll(() => receiver.stop());

  const replaceDue = ({ app }: TestEngine) => app.app.get(ReplaceKeys, { strict: false }).replaceDue();
  const chunksOf = ({ app }: TestEngine) => app.app.get<ChunkStore>(CHUNK_STORE, { strict: false });
  const valuesAt = ({ app }: TestEngine) => new EncryptedValues(app.app);
  /** Both installations have the same time. */
  const pass = (seconds: number) => {
    for (const { app } of [installations.source, installations.target]) app.clock.advance(seconds);
  };
  const statusAt = async (engine: TestEngine, environment: string): Promise<Status | undefined> => {
    const line = engine === installations.source ? installations.atSource : installations.atTarget;
    const all = await line.json<Status[]>(['encryption', 'status']);
    return all.find(({ environment_uuid }) => environment_uuid === environment);
  };

  /** An environment with values in every encrypted column, and documents of several chunks, whose keys have successors. */
  async function replacing(): Promise<{ client: TestClient; environment: string; connection: string }> {
    const { source, atSource } = installations;
    const client = await createTestClient(source.app, {
      provisioning: { strategy: 'PUSH', url: receiver.url(), auth: 'BEARER', secret: 's3cret' },
    });
    const environment = client.environmentUuid;
    await createWebhook(client, { url: receiver.url('/events') });
    const connection = await connectSandbox(client, { documents: 3, new_per_fetch: 1, document_size_kb: 600 });
    await source.waitForFetches(connection, 1);
    await waitForAllDelivered(source, client);
    await valuesAt(source).fill(environment, connection);
    const rotated = await atSource.json(['encryption', 'rotate-data-keys', '--environment', environment]);
    expect(rotated).toEqual({ environments: 1, data_keys: 2 });
    return { client, environment, connection };
  }

  async function expectDocuments(engine: TestEngine, client: TestClient, connection: string): Promise<void> {
    for (const { uuid, sha256 } of await engine.transactions(connection)) {
      const pulled = await fetch(`${engine.app.url}/v1/transactions/${uuid}/document`, {
        headers: { 'X-API-KEY': client.apiKey, Accept: 'application/octet-stream' },
      });
      expect([uuid, hash('sha256', Buffer.from(await pulled.arrayBuffer()), 'hex')]).toEqual([uuid, sha256]);
    }
  }

  /** Replaces one chunk of each document, and fails then, until it is restored. */
  function failAfterOneChunk(): void {
    const store = chunksOf(installations.source);
    const begin = store.replacer.bind(store);
    jest.spyOn(store, 'replacer').mockImplementation(async (content) => {
      const replacer = (await begin(content))!;
      return {
        wholeFrom: replacer.wholeFrom,
        read: replacer.read,
        end: (version) => replacer.end(version),
        abandon: () => replacer.abandon(),
        replace: async (index, ...given) => {
          if (index > 0) throw new Error('The worker ends here.');
          await replacer.replace(index, ...given);
        },
      } satisfies ChunkReplacer;
    });
  }

  /** Brings the successors into use, and does what a worker does then. */
  async function activate(environment: string): Promise<void> {
    pass(601);
    await eventually(async () => {
      await replaceDue(installations.source);
      const status = await statusAt(installations.source, environment);
      return status!.waiting === 0 && (await rowsLeft(environment)) === 0;
    }, 'the rows are encrypted with the new keys');
  }

  const rowsLeft = async (environment: string) =>
    installations.source.count(
      `select (select count(*) from connection where environment_uuid = $1 and ciphertext_key_version(secrets) = 1)
         + (select count(*) from inbox_mail where environment_uuid = $1 and ciphertext_key_version(envelope) = 1)
         + (select count(*) from idempotency_key where environment_uuid = $1 and ciphertext_key_version(response) = 1) as count`,
      environment,
    );

  const STATES: readonly [string, Partial<Status>, (environment: string) => Promise<void>][] = [
    ['the successors are not in use', { waiting: 2, former: 0, contents_left: 0 }, () => Promise.resolve()],
    [
      'the rows are encrypted again, and the documents in part',
      { waiting: 0, former: 2, contents_left: 2 },
      (environment) => {
        failAfterOneChunk();
        return activate(environment);
      },
    ],
    [
      'the former keys wait to be destroyed',
      { waiting: 0, former: 2, contents_left: 0 },
      async (environment) => {
        await activate(environment);
        await eventually(async () => {
          await replaceDue(installations.source);
          return (await statusAt(installations.source, environment))!.contents_left === 0;
        }, 'the documents are encrypted with the new keys');
      },
    ],
  ];

  it.each(STATES)('is readable at the target, which continues, when %s', async (_, state, bring) => {
    const { source, target } = installations;
    const { client, environment, connection } = await replacing();
    await bring(environment);
    expect(await statusAt(source, environment)).toMatchObject({ data_keys: 2, ...state });
    const path = await installations.export(environment);
    const moved = await valuesAt(source).read(environment);
    jest.restoreAllMocks();
    await installations.takeOver(environment, path);
    expect(await valuesAt(target).read(environment)).toEqual(moved);
    await expectDocuments(target, client, connection);

    pass(601);
    await eventually(async () => {
      pass(61);
      await replaceDue(target);
      const status = await statusAt(target, environment);
      return status!.waiting === 0 && status!.contents_left === 0;
    }, 'the target has encrypted everything with the new keys');
    expect(await statusAt(target, environment)).toMatchObject({ data_keys: 2, waiting: 0, former: 2 });
    pass(26 * HOUR);
    await eventually(async () => {
      pass(61);
      await replaceDue(target);
      return (await statusAt(target, environment))!.former === 0;
    }, 'the target has destroyed the former keys');
    const values = valuesAt(target);
    const after = await values.read(environment, (owner) => values.currentKeyOf(owner));
    for (const key of [`connection.secrets ${connection}`, `environment.signing_secrets ${environment}`]) {
      expect(after.get(key)).toBe(moved.get(key));
    }
    for (const key of [environment, connection]) expect((await values.keyOf(key)).current.version).toBe(2);
    await expectDocuments(target, client, connection);
    await clientAt(target, client).post(`/v1/connections/${connection}/fetch-now`, {});
    await eventually(
      async () => (await target.transactions(connection)).length > 3,
      'the target fetches with the credentials',
    );
    await waitForAllDelivered(target, client);
    await expectDocuments(target, client, connection);
  });

  it.each(STATES.slice(0, 2))('keeps its keys while it is imported, when %s', async (_, state, bring) => {
    const { source, target } = installations;
    const { client, environment, connection } = await replacing();
    await bring(environment);
    const path = await installations.export(environment);
    const moved = await valuesAt(source).read(environment);
    jest.restoreAllMocks();
    const contents = target.app.app.get(ImportContents, { strict: false });
    const begin = contents.begin.bind(contents);
    // The keys are at the target, and the first document is not. Former keys may be destroyed when nothing needs them.
    const began = jest.spyOn(contents, 'begin').mockImplementationOnce(async (...given) => {
      pass(26 * HOUR);
      await replaceDue(target);
      return begin(...given);
    });
    // Once the environment is served, the target's worker may bring the successors into use at any moment.
    await installations.takeOver(environment, path, async () => {
      expect(began).toHaveBeenCalled();
      expect(await valuesAt(target).read(environment)).toEqual(moved);
      expect(await statusAt(target, environment)).toMatchObject({ data_keys: 2, ...state });
    });
    await expectDocuments(target, client, connection);
  });

  it('is exported while a worker encrypts its documents, whose former keys remain at the source', async () => {
    const { source, target, atSource } = installations;
    const { client, environment, connection } = await replacing();
    const store = chunksOf(source);
    const begin = store.replacer.bind(store);
    const [halfway, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    jest.spyOn(store, 'replacer').mockImplementation(async (content) => {
      const replacer = (await begin(content))!;
      const replace = replacer.replace.bind(replacer);
      return Object.assign(replacer, {
        replace: async (index: number, ...given: [Buffer, Buffer, boolean]) => {
          if (index === 1) {
            halfway.resolve();
            await gate.promise;
          }
          await replace(index, ...given);
        },
      });
    });
    pass(601);
    const replaced = replaceDue(source);
    await halfway.promise;
    const path = await installations.export(environment);
    gate.resolve();
    await replaced;
    await atSource.expectRefusal(
      ['encryption', 'rotate-data-keys', '--environment', environment],
      /or it is being moved/,
    );
    pass(26 * HOUR);
    await replaceDue(source);
    expect(await statusAt(source, environment)).toMatchObject({ former: 2 });
    await installations.takeOver(environment, path);
    await expectDocuments(target, client, connection);
    expect(await valuesAt(target).read(environment)).toEqual(await valuesAt(source).read(environment));
    await eventually(async () => {
      pass(61);
      await replaceDue(target);
      return (await statusAt(target, environment))!.former === 0;
    }, 'the target completes the replacement');
    await expectDocuments(target, client, connection);
  });
});
