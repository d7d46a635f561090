import { startApp, type TestApp } from '../../harness/app/start-app';
import { SEED_SETTINGS, seedTestApp } from '../../harness/app/seed-test-app';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { Receiver } from '../../seed/receiver';
import { SeedApi } from '../../seed/seed-api';

jest.setTimeout(120_000); // a dozen fetches and deliveries

interface SeededConnection {
  readonly uuid: string;
  readonly name: string;
  readonly status: string;
  readonly health: string;
  readonly integration_id: string;
}

/** `npm run seed` does the same on a service process of its own. */
describe('The data of npm run seed', () => {
  let app: TestApp;
  let client: TestClient;
  let receiver: Receiver;

  beforeAll(async () => {
    app = await startApp({ role: 'all', settings: SEED_SETTINGS });
    client = await createTestClient(app, { environment: { returnOrigins: [app.url] } });
    receiver = await Receiver.listen();
    const identity = await seedTestApp(app, client, receiver);
    const api = new SeedApi(app.url, client.apiKey);
    expect((await api.uiToken(identity)).ui_url).toContain('/ui?token=');
  });
  afterAll(async () => {
    await app?.stop();
    await receiver?.stop();
  });

  const list = async <T>(path: string): Promise<T[]> =>
    ((await client.request('get', path).expect(200)).body as { data: T[] }).data;
  const allConnections = async (): Promise<SeededConnection[]> => {
    const identities = await list<{ identity_uuid: string }>('/v1/identities');
    const lists = identities.map(({ identity_uuid: uuid }) =>
      list<SeededConnection>(`/v1/identities/${uuid}/connections?limit=100`),
    );
    return (await Promise.all(lists)).flat();
  };
  const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)].sort();

  it('has three identities of different types', async () => {
    const identities = await list<{ type: string }>('/v1/identities');
    expect(identities.map(({ type }) => type).sort()).toEqual(['ACCOUNT', 'COMPANY', 'USER']);
  });

  it('has connections of three integrations in every status and health, and fetches with every result', async () => {
    const connections = await allConnections();
    expect(distinct(connections.map(({ integration_id: id }) => id))).toEqual(['imap', 'sandbox', 'sandbox_oauth']);
    expect(distinct(connections.map(({ status }) => status))).toEqual([
      'ACTIVE',
      'DISABLED',
      'INVALID_CREDENTIALS',
      'PENDING',
    ]);
    expect(distinct(connections.map(({ health }) => health))).toEqual(
      expect.arrayContaining(['ACTION_REQUIRED', 'DEGRADED', 'OK']),
    );
    const fetches = await Promise.all(
      connections.map(({ uuid }) => list<{ status: string }>(`/v1/connections/${uuid}/fetches`)),
    );
    expect(distinct(fetches.flat().map(({ status }) => status))).toEqual(['FAILED', 'PARTIAL', 'SUCCEEDED']);
  });

  it('has documents in every state of their delivery, and notifications that arrived and failed', async () => {
    const transactions = await list<{ provisioning: { status: string } }>('/v1/transactions?limit=100');
    expect(distinct(transactions.map(({ provisioning }) => provisioning.status))).toEqual([
      'ACKNOWLEDGED',
      'AVAILABLE',
      'DELIVERED',
      'FAILED',
      'PENDING',
      'REJECTED',
    ]);
    const webhooks = await list<{ uuid: string }>('/v1/webhooks');
    const sent = await Promise.all(
      webhooks.map(({ uuid }) => list<{ state: string }>(`/v1/webhooks/${uuid}/deliveries`)),
    );
    expect(distinct(sent.flat().map(({ state }) => state))).toEqual(expect.arrayContaining(['DELIVERED', 'FAILED']));
  });

  it('has a timeline with fetches, documents and changes of the status', async () => {
    const { uuid } = (await allConnections()).find(({ name }) => name === 'Supplier portal')!;
    const types = (await list<{ type: string }>(`/v1/connections/${uuid}/timeline?limit=100`)).map(({ type }) => type);
    expect(new Set(types).size).toBeGreaterThan(4);
  });
});
