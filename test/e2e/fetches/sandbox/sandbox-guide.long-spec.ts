import { SCENARIO_VALUES } from '../../../../src/integrations/shared/sandbox/scenarios';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { TestBrowser } from '../../../harness/http/test-browser';
import { giveSandboxConsent } from '../../../harness/http/sandbox-consent';
import { getConnection, TestEngine } from '../../../harness/engine/test-engine';
import { type GuideRow, guideRows } from './sandbox-guide';

type Integration = 'sandbox' | 'sandbox_oauth';
type Data = Record<string, unknown> & { uuid: string; authorization_url: string };

describe('The scenario table of the guide', () => {
  let engine: TestEngine;
  let client: TestClient;
  let identity: string;
  let token: string;
  let accounts = 0;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
    identity = await client.createIdentity();
  });
  beforeEach(async () => (token = await client.createToken(identity)));
  afterAll(() => engine.stop());

  const data = (answer: { body: unknown }) => (answer.body as { data: Data }).data;
  const byUser = (method: 'post' | 'put', path: string, body: object) =>
    client.requestWithToken(token, method, path).send(body);

  const consent = (url: string, account: string) =>
    giveSandboxConsent(engine.app, new TestBrowser(engine.app), url, { account });

  /** A connection that has fetched its first three documents. */
  async function connected(integration: Integration, account: string): Promise<string> {
    const own = integration === 'sandbox' ? { user: account, password: 'secret' } : {};
    const body = { integration_id: integration, name: 'Portal', fields: { ...own, documents: 3, new_per_fetch: 0 } };
    const { uuid, authorization_url } = data(await byUser('post', '/v1/connections', body).expect(201));
    if (integration === 'sandbox_oauth') await consent(authorization_url, account);
    await byUser('put', `/v1/connections/${uuid}/step2`, { fields: {} }).expect(204);
    await engine.runPolls();
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: 3 });
    return uuid;
  }

  const command = (uuid: string, name: string, body: object) =>
    client.request('post', `/v1/sandbox/connections/${uuid}/${name}`).send(body);

  async function fetchNow(uuid: string): Promise<void> {
    const { length } = await engine.fetches(uuid);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    await engine.waitForFetches(uuid, length + 1, 60_000);
  }

  /** Executes `reason.action`. */
  async function repair(uuid: string, action: string | null, account: string): Promise<void> {
    const { length } = await engine.fetches(uuid);
    token = await client.createToken(identity); // the clock has moved
    switch (action) {
      case 'UPDATE_CREDENTIALS':
        await byUser('put', `/v1/connections/${uuid}`, { fields: { password: 'changed' } }).expect(200);
        break;
      case 'AUTHORIZE': {
        const { authorization_url } = data(await byUser('put', `/v1/connections/${uuid}`, { fields: {} }).expect(200));
        await consent(authorization_url, account);
        break;
      }
      case 'COMPLETE_SETUP': {
        const offered = await client.requestWithToken(token, 'get', `/v1/connections/${uuid}/step2`).expect(200);
        const [tree] = (offered.body as { data: { fields: { default: string[] }[] } }).data.fields;
        await byUser('put', `/v1/connections/${uuid}/step2`, { fields: { folders: tree!.default } }).expect(204);
        break;
      }
      default: // WAIT, or no action: the portal recovers, and the schedule continues
        await command(uuid, 'scenario', { scenario: 'normal' }).expect(204);
        await engine.advanceClock(86_400);
    }
    await engine.runPolls();
    await engine.waitForFetches(uuid, length + 1, 60_000);
  }

  async function drive(row: GuideRow, integration: Integration): Promise<void> {
    const account = `${row.scenario}-${++accounts}@sandbox.example`;
    const uuid = await connected(integration, account);
    await command(uuid, 'documents', { count: 2, format: 'PDF', external_id: true }).expect(202);
    await command(uuid, 'scenario', { scenario: row.scenario }).expect(204);
    await fetchNow(uuid);
    if (row.status === 'INVALID_CREDENTIALS') {
      const { length } = await engine.fetches(uuid);
      await engine.advanceClock(61); // the rejection is confirmed
      await engine.waitForFetches(uuid, length + 1);
    }
    const shown = await getConnection(client, uuid);
    const {
      code = null,
      action = null,
      message = null,
    } = { ...(shown.reason as Partial<Record<string, string>> | null) };
    expect({ status: shown.status, health: shown.health, reason: code, action, message }).toEqual({
      status: row.status,
      health: row.health,
      reason: row.reason,
      action: row.action[integration],
      message: row.message[integration],
    });
    await repair(uuid, action, account);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
    const ids = (await engine.transactions(uuid)).map(({ external_id }) => external_id);
    expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
  }

  const rows = guideRows();

  it('has exactly one row for each scenario', () => {
    expect(rows.map(({ scenario }) => scenario)).toEqual(SCENARIO_VALUES);
  });

  describe.each<Integration>(['sandbox', 'sandbox_oauth'])('%s', (integration) => {
    it.each(rows)('$scenario: fails, reports it, is fixed and continues', (row) => drive(row, integration), 90_000);
  });
});
