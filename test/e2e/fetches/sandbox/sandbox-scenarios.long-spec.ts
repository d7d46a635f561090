import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine, updateFields, connectSandbox } from '../../../harness/engine/test-engine';

interface Expected {
  readonly scenario: string;
  /** The status of the first fetch. */
  readonly status: string;
  readonly error: string | null;
  readonly counts: Partial<Record<'seen' | 'new' | 'duplicate' | 'filtered' | 'failed', number>>;
  readonly connection: { status: string; health: string; reason: string | null; action?: string };
  /** Seconds until the next fetch, at least and at most. Absent: the interval. */
  readonly next?: readonly [number, number];
}

const OK = { status: 'ACTIVE', health: 'OK', reason: null };
const NOTHING = { seen: 0, new: 0 };
const doubted = (reason: string, action: string) => ({ status: 'ACTIVE', health: 'ACTION_REQUIRED', reason, action });

/** Six documents each. */
const TABLE: Expected[] = [
  { scenario: 'normal', status: 'SUCCEEDED', error: null, counts: { seen: 6, new: 6 }, connection: OK },
  { scenario: 'odd_filenames', status: 'SUCCEEDED', error: null, counts: { seen: 6, new: 6 }, connection: OK },
  { scenario: 'rerendered', status: 'SUCCEEDED', error: null, counts: { seen: 6, new: 6 }, connection: OK },
  {
    scenario: 'duplicates',
    status: 'SUCCEEDED',
    error: null,
    counts: { seen: 12, new: 6, duplicate: 6 },
    connection: OK,
  },
  { scenario: 'cursor_lost', status: 'SUCCEEDED', error: null, counts: { seen: 6, new: 6 }, connection: OK },
  {
    scenario: 'broken_document',
    status: 'PARTIAL',
    error: null,
    counts: { seen: 6, new: 5, failed: 1 },
    connection: OK,
    next: [90, 144],
  },
  {
    scenario: 'unreadable_document',
    status: 'PARTIAL',
    error: null,
    counts: { seen: 6, new: 5, failed: 1 },
    connection: OK,
    next: [90, 144],
  },
  {
    scenario: 'broken_download',
    status: 'PARTIAL',
    error: null,
    counts: { seen: 6, new: 5, failed: 1 },
    connection: OK,
    next: [90, 144],
  },
  {
    scenario: 'password_changed',
    status: 'FAILED',
    error: 'LOGIN_REJECTED',
    counts: NOTHING,
    connection: doubted('LOGIN_REJECTED', 'UPDATE_CREDENTIALS'),
    next: [50, 60],
  },
  {
    scenario: 'expired_grant',
    status: 'FAILED',
    error: 'CONSENT_EXPIRED',
    counts: NOTHING,
    connection: doubted('CONSENT_EXPIRED', 'UPDATE_CREDENTIALS'),
    next: [50, 60],
  },
  {
    scenario: 'revoked_grant',
    status: 'FAILED',
    error: 'CONSENT_REVOKED',
    counts: NOTHING,
    connection: doubted('CONSENT_REVOKED', 'UPDATE_CREDENTIALS'),
    next: [50, 60],
  },
  {
    scenario: 'missing_permission',
    status: 'FAILED',
    error: 'SCOPE_MISSING',
    counts: NOTHING,
    connection: doubted('SCOPE_MISSING', 'UPDATE_CREDENTIALS'),
    next: [50, 60],
  },
  {
    scenario: 'folder_gone',
    status: 'FAILED',
    error: 'FOLDER_NOT_FOUND',
    counts: NOTHING,
    connection: doubted('FOLDER_NOT_FOUND', 'COMPLETE_SETUP'),
  },
  {
    scenario: 'rate_limited',
    status: 'PARTIAL',
    error: 'RATE_LIMITED',
    counts: { seen: 3, new: 3 },
    connection: { status: 'ACTIVE', health: 'DEGRADED', reason: 'RATE_LIMITED', action: 'WAIT' },
    next: [20, 30],
  },
  {
    scenario: 'interrupted',
    status: 'PARTIAL',
    error: 'PROVIDER_DOWN',
    counts: { seen: 3, new: 3 },
    connection: { status: 'ACTIVE', health: 'DEGRADED', reason: 'PROVIDER_DOWN', action: 'WAIT' },
    next: [40, 72],
  },
  {
    scenario: 'provider_down',
    status: 'FAILED',
    error: 'PROVIDER_DOWN',
    counts: NOTHING,
    connection: { status: 'ACTIVE', health: 'DEGRADED', reason: 'PROVIDER_DOWN', action: 'WAIT' },
    next: [40, 72],
  },
  {
    scenario: 'provider_changed',
    status: 'FAILED',
    error: 'PROVIDER_CHANGED',
    counts: NOTHING,
    connection: { status: 'ACTIVE', health: 'DEGRADED', reason: 'PROVIDER_CHANGED', action: 'WAIT' },
    next: [40, 72],
  },
];

describe('Sandbox scenarios: results of the fetch and the connection (decisions 4)', () => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  afterAll(() => engine.stop());

  const failures = (connection: string) =>
    engine.rows<{ fetch_uuid: string; code: string; open: boolean; external_id: string; filename: string }>(
      'select * from fetch_failure where connection_uuid = $1 order by created_at',
      connection,
    );

  it.each(TABLE)('$scenario', async ({ scenario, status, error, counts, connection, next }) => {
    const uuid = await connectSandbox(client, { scenario, documents: 6 });
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ trigger: 'INITIAL', status, error_code: error, ...counts });
    expect(fetch!.seen).toBe(fetch!.new + fetch!.duplicate + fetch!.filtered + fetch!.failed);
    const shown = await getConnection(client, uuid);
    const { reason, action, ...derived } = connection;
    expect(shown).toMatchObject({ ...derived, last_fetch: { status, documents_new: fetch!.new } });
    expect(shown.reason?.code ?? null).toBe(reason);
    if (action) expect(shown.reason).toMatchObject({ action });
    const seconds = (Date.parse(shown.next_fetch_at!) - engine.app.clock.now().getTime()) / 1000;
    const [atLeast, atMost] = next ?? [43_100, 86_400];
    expect(seconds).toBeGreaterThan(atLeast);
    expect(seconds).toBeLessThanOrEqual(atMost);
    expect(await engine.transactions(uuid)).toHaveLength(fetch!.new);
  });

  it.each([
    ['password_changed', 'LOGIN_REJECTED'],
    ['expired_grant', 'CONSENT_EXPIRED'],
    ['revoked_grant', 'CONSENT_REVOKED'],
    ['missing_permission', 'SCOPE_MISSING'],
  ])('%s invalidates the connection after a confirmation one minute later', async (scenario, code) => {
    const uuid = await connectSandbox(client, { scenario });
    await engine.waitForFetches(uuid, 1);
    await engine.advanceClock(61);
    await engine.waitForFetches(uuid, 2);
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      reason: { code },
      next_fetch_at: null,
    });
    const events = await engine.rows<{ data: object }>(
      `select data from outbox where subject_uuid = $1 and type = 'connection.status_changed' order by uuid desc limit 1`,
      uuid,
    );
    expect(events[0]!.data).toEqual({ from: 'ACTIVE', to: 'INVALID_CREDENTIALS', cause: code });
  });

  it.each(['rate_limited', 'interrupted'])(
    '%s resumes with the other half without loss or repetition',
    async (scenario) => {
      const uuid = await connectSandbox(client, { scenario, documents: 150 });
      await engine.waitForFetches(uuid, 1);
      await engine.advanceClock(100);
      const fetch = await engine.waitForLastFetch(uuid, 2);
      expect(fetch).toMatchObject({ trigger: 'RECOVERY', status: 'SUCCEEDED', new: 75, duplicate: 0 });
      expect(await getConnection(client, uuid)).toMatchObject(OK);
      const rows = await engine.transactions(uuid);
      expect(new Set(rows.map(({ external_id }) => external_id)).size).toBe(150);
    },
  );

  it('provider_down and provider_changed never invalidate the connection', async () => {
    const uuids = await Promise.all(
      ['provider_down', 'provider_changed'].map((scenario) => connectSandbox(client, { scenario })),
    );
    for (let fetches = 1; fetches <= 6; fetches++) {
      for (const uuid of uuids) await engine.waitForFetches(uuid, fetches);
      await engine.advanceClock(30 * 3600);
    }
    for (const uuid of uuids) {
      await engine.waitForFetches(uuid, 7);
      expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'DEGRADED' });
    }
  });

  it('lists a temporarily unreadable document, and retries it with every fetch until it succeeds', async () => {
    const uuid = await connectSandbox(client, { scenario: 'broken_document', documents: 4, new_per_fetch: 2 });
    const [first] = await engine.waitForFetches(uuid, 1);
    const [failure] = await failures(uuid);
    expect(failure).toMatchObject({ fetch_uuid: first!.uuid, code: 'DOCUMENT_UNAVAILABLE', open: true });
    expect(failure!.external_id).toMatch(/^SBX-/);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    // The newest document of each fetch fails, and the previous one is retried.
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'PARTIAL', seen: 3, new: 1, failed: 2 });
    expect((await failures(uuid)).map(({ open }) => open)).toEqual([false, true, true]);

    await updateFields(client, uuid, { scenario: 'normal' });
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 4, new: 4, failed: 0 });
    expect((await failures(uuid)).map(({ open }) => open)).toEqual([false, false, false]);
    const ids = (await engine.transactions(uuid)).map(({ external_id }) => external_id);
    expect(ids).toContain(failure!.external_id);
    expect(new Set(ids).size).toBe(8);
    expect(ids).toHaveLength(8);
  });

  it('retries a temporarily unreadable document with growing delays, never later than the schedule', async () => {
    const uuid = await connectSandbox(client, { scenario: 'broken_document', documents: 3, new_per_fetch: 0 });
    const waits: number[] = [];
    for (let fetches = 1; fetches <= 12; fetches++) {
      const fetch = await engine.waitForLastFetch(uuid, fetches);
      expect(fetch).toMatchObject({ trigger: fetches === 1 ? 'INITIAL' : 'RECOVERY', status: 'PARTIAL', failed: 1 });
      const { next_fetch_at } = await getConnection(client, uuid);
      waits.push((Date.parse(next_fetch_at!) - engine.app.clock.now().getTime()) / 1000);
      await engine.advanceClock(waits.at(-1)! + 1);
    }
    expect(waits[0]).toBeLessThanOrEqual(2 * 60 * 1.2);
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(Math.min(60 * 2 ** (n + 1) * 1.2, 86_400));
      if (n < 9) expect(wait).toBeGreaterThan(60 * 2 ** (n + 1) * 0.8 - 60);
    }
    await engine.waitForFetches(uuid, 13);
    await updateFields(client, uuid, { scenario: 'normal' });
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 14)).toMatchObject({ status: 'SUCCEEDED', new: 1, failed: 0 });
    const { next_fetch_at } = await getConnection(client, uuid);
    expect(Date.parse(next_fetch_at!) - engine.app.clock.now().getTime()).toBeGreaterThan(0);
  });

  it('retries a missing document once', async () => {
    const uuid = await connectSandbox(client, { scenario: 'unreadable_document', documents: 3, new_per_fetch: 0 });
    const gone = { code: 'DOCUMENT_GONE' };
    await engine.waitForFetches(uuid, 1);
    expect(await failures(uuid)).toMatchObject([{ ...gone, open: true }]);
    const { next_fetch_at } = await getConnection(client, uuid);
    await engine.advanceClock((Date.parse(next_fetch_at!) - engine.app.clock.now().getTime()) / 1000 + 1);
    const looked = { trigger: 'RECOVERY', status: 'PARTIAL', seen: 1, failed: 1 };
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject(looked);
    const closed = { ...gone, open: false };
    expect(await failures(uuid)).toMatchObject([closed, closed]);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
  });

  it('keeps the first rendering of a document that the source renders again', async () => {
    const uuid = await connectSandbox(client, { scenario: 'rerendered', documents: 5, new_per_fetch: 1 });
    await engine.waitForFetches(uuid, 1);
    const before = await engine.transactions(uuid);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({
      status: 'SUCCEEDED',
      seen: 6,
      new: 1,
      duplicate: 5,
    });
    expect((await engine.transactions(uuid)).slice(0, 5)).toEqual(before);
  });

  it('lists again without repeats, and with the new document, when the cursor has expired', async () => {
    const uuid = await connectSandbox(client, { scenario: 'cursor_lost', documents: 5, new_per_fetch: 1 });
    await engine.waitForFetches(uuid, 1);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({
      status: 'SUCCEEDED',
      seen: 6,
      new: 1,
      duplicate: 5,
    });
    expect(await engine.transactions(uuid)).toHaveLength(6);
  });

  it('fetches for a migrated connection only documents since the day of its migration (spec 4.11 rule 4)', async () => {
    const fields = { user: 'migrated', password: 'right', documents: 4, new_per_fetch: 2, startdate: '2020-01-01' };
    const migrated = { integration_id: 'sandbox', name: 'Old', identity_uuid: await client.createIdentity(), fields };
    const { body } = await client.request('post', '/v1/connections/migrate').send(migrated).expect(201);
    const { uuid } = (body as { data: { uuid: string } }).data;
    await engine.runPolls();
    const [first] = await engine.waitForFetches(uuid, 1);
    expect(first).toMatchObject({ trigger: 'INITIAL', status: 'SUCCEEDED', seen: 4, new: 0, filtered: 4 });
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 2, new: 2 });
  });

  it('counts documents excluded by the start date', async () => {
    const uuid = await connectSandbox(client, { documents: 10, startdate: '2025-12-29' });
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 10, new: 3, filtered: 7 });
  });
});
