import { ServiceProcess, type EntryPoint } from '../../e2e/start/service-process';
import { Receiver } from '../../fakes/receiver';
import { PostgresServer } from '../../harness/app/postgres-server';
import { freePort } from '../../harness/free-port';
import { SeedApi, type Transaction } from '../../seed/seed-api';
import { buildRevision, previousRevision, type PreviousVersion } from './previous-version';

const revision = previousRevision();
const key = (fill: number) => `k1:${Buffer.alloc(32, fill).toString('base64')}`;
/** Documents of a connection at its first fetch; each further fetch finds one more. */
const DOCUMENTS = 4;

interface Instance {
  readonly process: ServiceProcess;
  readonly api: SeedApi;
}

const from = revision ?? 'the previous version (skipped: needs the git history, which this copy of the sources lacks)';

(revision ? describe : describe.skip)(`An upgrade without interruption from ${from}`, () => {
  let server: PostgresServer;
  let receiver: Receiver;
  let previous: PreviousVersion;
  let apiKey: string;
  let identity: string;
  const connections: string[] = [];
  const running = new Set<Instance>();

  beforeAll(async () => {
    previous = await buildRevision(revision!);
    server = await PostgresServer.start();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    for (const instance of running) await stop(instance);
    await receiver?.stop();
    await server?.stop();
  });

  const settings = () => ({
    DATABASE_URL: server.url,
    ENCRYPTION_KEYS: key(1),
    TOKEN_KEYS: key(2),
    DATA_DIR: '/dev/null/docfetch',
  });

  async function run(entryPoint: EntryPoint, args: string[], version?: PreviousVersion): Promise<string> {
    const { status, stdout, stderr } = await ServiceProcess.run(entryPoint, settings(), args, '', version?.build);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  }

  async function start(port: number, version?: PreviousVersion): Promise<Instance> {
    const base = `http://127.0.0.1:${port}`;
    const env = { ...settings(), PORT: String(port), PUBLIC_URL: base };
    const process = await (await ServiceProcess.start('main', env, [], [], version?.build)).ready();
    const instance = { process, api: new SeedApi(base, apiKey) };
    running.add(instance);
    return instance;
  }

  async function stop(instance: Instance): Promise<void> {
    running.delete(instance);
    const { status, signal } = await instance.process.kill('SIGTERM');
    expect({ status, signal }).toEqual({ status: 0, signal: null });
  }

  /** Connects a portal through the instance; its documents are pushed. */
  async function connect({ api }: Instance): Promise<void> {
    const fields = { user: `user-${connections.length}`, password: 'secret', documents: DOCUMENTS, new_per_fetch: 1 };
    const uuid = await api.connect(identity, { integration_id: 'sandbox', name: 'Portal', fields });
    connections.push(uuid);
    expect(await api.fetched(uuid)).toBe('SUCCEEDED');
  }

  /** Fetches all connections through the instance, and waits until all documents of all have been pushed. */
  async function use(instance: Instance): Promise<void> {
    for (const uuid of connections) expect(await instance.api.fetchNow(uuid)).toBe('SUCCEEDED');
    await waitForPushes(instance);
  }

  async function waitForPushes({ api }: Instance): Promise<void> {
    for (const uuid of connections) {
      await api.until('all documents are delivered', async () => {
        const transactions = await api.transactions(uuid);
        return transactions.length >= DOCUMENTS && transactions.every(isPushed);
      });
    }
  }

  const isPushed = ({ transaction_uuid: uuid, provisioning }: Transaction) =>
    provisioning.status === 'DELIVERED' && receiver.keys.includes(uuid);

  it('lets the previous version run on the new schema, both side by side, and the previous one again', async () => {
    await run('migrate', [], previous);
    const ports = [await freePort(), await freePort()] as const;
    const origins = ports.flatMap((port) => ['--return-origin', `http://127.0.0.1:${port}`]);
    const names = ['--client', 'Acme', '--name', 'Production', '--kind', 'test', ...origins];
    const created = JSON.parse(await run('cli', ['environment', 'create', ...names, '--json'], previous)) as {
      environment_uuid: string;
      api_key: string;
    };
    apiKey = created.api_key;
    const endpoint = ['--strategy', 'push', '--url', receiver.url(), '--auth', 'none'];
    await run('cli', ['provisioning', 'set', '--environment', created.environment_uuid, ...endpoint], previous);

    const old = await start(ports[0], previous);
    identity = await old.api.identity({ client_identifier: 'customer-1', display_name: 'Customer', type: 'COMPANY' });
    await connect(old);
    await waitForPushes(old);

    expect(await run('migrate', [])).toContain('Migrated');
    await connect(old);
    await use(old);

    const current = await start(ports[1]);
    await connect(current);
    await use(current);
    await use(old);

    await stop(old);
    await use(current);

    await stop(current);
    const again = await start(ports[0], previous);
    await use(again);
    await stop(again);
    // Three connections; the first two are fetched five times more, the last one four times.
    expect(receiver.keys.length).toBe(new Set(receiver.keys).size);
    expect(receiver.keys).toHaveLength(3 * DOCUMENTS + 5 + 5 + 4);
  });
});
