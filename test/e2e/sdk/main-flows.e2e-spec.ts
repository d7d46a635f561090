import { createHash } from 'node:crypto';
import {
  createConnection,
  createDocfetch,
  createIdentity,
  createToken,
  deleteConnection,
  disableConnection,
  type Docfetch,
  type DocfetchOptions,
  downloadDocument,
  enableConnection,
  fetchNow,
  endConsoleSession,
  getConnection,
  getConnectionInformation,
  getConsoleSession,
  getIdentity,
  getIntegration,
  getStep2,
  getTransaction,
  listConnections,
  listIdentities,
  listIntegrations,
  listTransactions,
  loadMoreOptions,
  migrateConnection,
  paginate,
  pollTransactions,
  pullDocument,
  saveStep2,
  type Transaction,
  updateConnection,
} from '../../../sdk/typescript/dist/index.js';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { openConsole } from '../../harness/http/console-session';
import { eventually } from '../../harness/eventually';
import { startApp, type TestApp } from '../../harness/app/start-app';

const DOCUMENTS = 5;

describe('Through the TypeScript SDK: the main flows', () => {
  let app: TestApp;
  let client: TestClient;
  let backend: Docfetch;
  let endUser: Docfetch;
  let identity: string;
  let uuid: string;

  beforeAll(async () => {
    app = await startApp({ role: 'all' });
    client = await createTestClient(app, {
      provisioning: { strategy: 'POLLING', url: null, auth: 'NONE', secret: null },
    });
    backend = createDocfetch({ baseUrl: app.url, apiKey: client.apiKey });
  });
  afterAll(() => app?.stop());

  const connection = async (at: string) => (await getConnection({ client: backend, path: { uuid: at } })).data;
  const fetched = (at: string) =>
    eventually(async () => {
      const { last_fetch } = await connection(at);
      return last_fetch?.status === 'SUCCEEDED' && last_fetch;
    }, 'the fetch succeeds');
  const collect = async (cursor?: string) => {
    const transactions: Transaction[] = [];
    for await (const page of pollTransactions({ client: backend, query: { limit: 2 }, cursor, untilCaughtUp: true })) {
      transactions.push(...page.transactions);
      cursor = page.cursor;
    }
    return { transactions, cursor };
  };

  it('registers an identity, which can be repeated, and lists identities over several pages', async () => {
    const body = { client_identifier: 'customer-1', display_name: 'Müller & Söhne', type: 'COMPANY' } as const;
    const { data } = await createIdentity({ client: backend, body });
    identity = data.identity_uuid;
    expect((await createIdentity({ client: backend, body })).data).toEqual(data);
    expect((await getIdentity({ client: backend, path: { identity_uuid: identity } })).data).toEqual(data);

    for (let i = 2; i <= 5; i++)
      await createIdentity({ client: backend, body: { client_identifier: `customer-${i}` } });
    const found: string[] = [];
    for await (const row of paginate(listIdentities, { client: backend, query: { limit: 2 } })) {
      found.push(row.client_identifier);
    }
    expect(found).toEqual(['customer-1', 'customer-2', 'customer-3', 'customer-4', 'customer-5']);
  });

  it('opens the hosted UI for an identity; the token has the permissions of an end user', async () => {
    const { data } = await createToken({
      client: backend,
      body: { identity_uuid: identity, return_url: 'https://app.example.com/back', state: 'x', lang: 'de' },
    });
    expect(data.ui_url).toContain(`token=${data.token}`);
    expect(Date.parse(data.expires_at)).toBeGreaterThan(app.clock.now().getTime());
    endUser = createDocfetch({ baseUrl: app.url, token: () => Promise.resolve(data.token), lang: 'de' });
    expect((await listConnections({ client: endUser })).data).toEqual([]);
  });

  it('lists the integrations in the language of the request', async () => {
    const [english, german] = await Promise.all([backend, endUser].map((by) => listIntegrations({ client: by })));
    expect(german!.data.map((row) => row.integration_id)).toEqual(english!.data.map((row) => row.integration_id));
    const { data } = await getIntegration({ client: endUser, path: { integration_id: 'sandbox' } });
    expect(data).toMatchObject({ name: 'Sandbox-Portal', has_step2: true });
    expect(data.step1_fields.find(({ id }) => id === 'password')).toMatchObject({ label: 'Passwort', secret: true });
  });

  it('creates a connection in two steps, with options that are loaded on demand', async () => {
    const { data: created } = await createConnection({
      client: endUser,
      body: {
        integration_id: 'sandbox',
        name: 'Portal',
        fields: { user: 'sdk', password: 'p', documents: DOCUMENTS, new_per_fetch: 0 },
      },
    });
    uuid = created.uuid;
    expect(created).toMatchObject({ status: 'PENDING', setup_complete: false, identity_uuid: identity });
    expect(created.fields).not.toHaveProperty('password');

    const { data: step2 } = await getStep2({ client: endUser, path: { uuid } });
    expect(step2.fields.map(({ id }) => id)).toEqual(created.step2_fields!.map(({ id }) => id));
    const folders = step2.fields.find(({ id }) => id === 'folders')!;
    const shared = folders.options!.find(({ value }) => value === 'shared')!;
    expect(shared).toMatchObject({ has_children: true, selectable: false });
    const { data: more } = await loadMoreOptions({
      client: endUser,
      path: { uuid, field_id: 'folders' },
      body: { parent_id: shared.value },
    });
    expect(more.options.map(({ label }) => label)).toEqual(['Büro & Buchhaltung', 'Einkauf']);

    const saved = await saveStep2({
      client: endUser,
      path: { uuid },
      body: { fields: { folders: ['inbox', more.options[0]!.value] } },
    });
    expect(saved).toBeNull();
    const { data: information } = await getConnectionInformation({ client: endUser, path: { uuid } });
    const chosen = information.steps[1]!.fields.find(({ id }) => id === 'folders')!;
    expect(chosen.display_value).toBe('Posteingang, Büro & Buchhaltung');
    expect(await fetched(uuid)).toMatchObject({ documents_new: DOCUMENTS });
    expect(await connection(uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK' });
  });

  it('follows the feed: every document once, and only new ones after the cursor', async () => {
    const { transactions, cursor } = await collect();
    expect(transactions).toHaveLength(DOCUMENTS);
    expect(new Set(transactions.map((row) => row.transaction_uuid)).size).toBe(DOCUMENTS);
    expect(transactions[0]).toMatchObject({ connection_uuid: uuid, client_identifier: 'customer-1' });
    expect((await collect(cursor)).transactions).toEqual([]);

    const listed: string[] = [];
    const query = { limit: 2, connection_uuid: uuid };
    for await (const row of paginate(listTransactions, { client: backend, query })) listed.push(row.transaction_uuid);
    expect(listed).toEqual(transactions.map((row) => row.transaction_uuid));
    const [first] = transactions;
    const path = { transaction_uuid: first!.transaction_uuid };
    expect((await getTransaction({ client: backend, path })).data).toEqual(first);
  });

  it('pulls a document as JSON, as bytes and as a part of the bytes', async () => {
    const { data: rows } = await listTransactions({ client: backend, query: { limit: 1 } });
    const { transaction_uuid, document } = rows[0]!;
    const path = { transaction_uuid };
    const { data: payload } = await pullDocument({ client: backend, path });
    const bytes = Buffer.from(payload.document.base64, 'base64');
    expect(payload).toMatchObject({ transaction_uuid, client_identifier: 'customer-1' });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(document.sha256);

    const download = await downloadDocument({ client: backend, path });
    expect(download).toMatchObject({
      filename: payload.document.filename,
      size: document.size,
      sha256: document.sha256,
    });
    const hash = createHash('sha256');
    for await (const chunk of download.stream) hash.update(chunk);
    expect(hash.digest('hex')).toBe(document.sha256);

    const part = await downloadDocument({ client: backend, path, headers: { Range: 'bytes=10-' } });
    expect(part.response.status).toBe(206);
    expect(Buffer.from(await new Response(part.stream).arrayBuffer())).toEqual(bytes.subarray(10));
  });

  it('fetches immediately on request', async () => {
    const before = (await connection(uuid)).last_fetch!.uuid;
    const queued = await fetchNow({ client: backend, path: { uuid } });
    expect(queued.uuid).toMatch(/^[0-9a-f-]{36}$/);
    await eventually(async () => {
      const { last_fetch } = await connection(uuid);
      return last_fetch?.uuid !== before && last_fetch?.status === 'SUCCEEDED';
    }, 'the second fetch succeeds');
    expect((await connection(uuid)).last_fetch!.uuid).toBe(queued.uuid);
    expect((await collect()).transactions).toHaveLength(DOCUMENTS);
  });

  it('executes a repeated request with the same key once', async () => {
    const body = {
      integration_id: 'sandbox',
      name: 'Once',
      identity_uuid: identity,
      fields: { user: 'u', password: 'p' },
    };
    const once = () => createConnection({ client: backend, body, headers: { 'Idempotency-Key': 'once' } });
    const [first, again] = [await once(), await once()];
    expect(again).toEqual(first);
    await deleteConnection({ client: backend, path: { uuid: first.data.uuid } });
  });

  it('changes a connection, in one step or in two', async () => {
    expect(await updateConnection({ client: endUser, path: { uuid }, body: { name: 'Renamed' } })).toBeNull();
    const changed = await updateConnection({
      client: endUser,
      path: { uuid },
      body: { fields: { user: 'sdk', password: 'q' } },
    });
    expect(changed?.data).toMatchObject({ uuid, name: 'Renamed' });
    expect(changed?.data.step2_fields).not.toBeNull();
  });

  it('disables, enables and deletes a connection', async () => {
    await disableConnection({ client: endUser, path: { uuid } });
    expect(await connection(uuid)).toMatchObject({ status: 'DISABLED' });
    await enableConnection({ client: backend, path: { uuid } });
    expect(await connection(uuid)).toMatchObject({ status: 'ACTIVE' });
    expect(await deleteConnection({ client: backend, path: { uuid } })).toBeNull();
    expect((await listConnections({ client: endUser })).data).toEqual([]);
  });

  it('acts for the page of the console, in the environment that it has chosen', async () => {
    const support = await openConsole(app, (await createTestClient(app)).environmentUuid, 'SUPPORT');
    const browser = (session?: DocfetchOptions['session']) =>
      createDocfetch({
        baseUrl: app.url,
        session,
        fetch: (request, init) => {
          request.headers.set('Cookie', support.cookie);
          return fetch(request, init);
        },
      });
    const { data } = await getConsoleSession({ client: browser() });
    const page = browser({ csrfToken: data.csrf_token, environmentUuid: client.environmentUuid });
    expect((await listIdentities({ client: page })).data.map((one) => one.identity_uuid)).toContain(identity);
    await endConsoleSession({ client: page });
    await expect(getConsoleSession({ client: browser() })).rejects.toMatchObject({ code: 'INVALID_SESSION' });
  });

  it('migrates a connection, which then fetches', async () => {
    const { data } = await migrateConnection({
      client: backend,
      body: {
        identity_uuid: identity,
        integration_id: 'sandbox',
        name: 'Old portal',
        fields: { user: 'migrated', password: 'p', documents: 2, startdate: '2001-01-01' },
      },
    });
    expect(data).toMatchObject({ status: 'ACTIVE', step2_fields: null, authorization_url: null });
    // Rule 4: the start date is the day of the migration, regardless of the request.
    expect(data.startdate).toBe(app.clock.now().toISOString().slice(0, 10));
    await fetched(data.uuid);
  });
});
