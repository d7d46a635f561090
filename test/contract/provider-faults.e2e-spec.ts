import { INTEGRATIONS } from '../../src/integrations/integration-registry';
import type { Json } from '../../src/integrations/core/source-document';
import { CursorInvalid, RateLimited } from '../../src/integrations/core/source-errors';
import { type SourceListing, SourceSessions } from '../harness/connectors/source-session';
import { DECLARED_SERVERS } from './declared-servers';
import type { ApiTestServer } from './test-server';
import { API_TEST_SERVERS } from './test-servers';

/** The maximum number of tested requests, spread over a listing. */
const MOST_PLACES = 6;
const PAUSE_SECONDS = 17;
/** Their cursors contain no position at the provider. */
const LISTED_WHOLE = ['box', 'sevdesk', 'stripe', ...Object.keys(DECLARED_SERVERS)];

it('every connector of an HTTP API has a test server that can simulate faults', () => {
  const asked = INTEGRATIONS.filter(({ apiBaseUrl }) => apiBaseUrl !== undefined).map(({ id }) => id);
  expect(Object.keys(API_TEST_SERVERS).sort()).toEqual(asked.sort());
});

describe.each(Object.keys(API_TEST_SERVERS))('A listing of %s', (id) => {
  const integration = INTEGRATIONS.find((each) => each.id === id)!;
  let testServer: ApiTestServer;
  const sources = new SourceSessions(integration, () => {
    const { fields, step2 } = testServer;
    return { fields, step2, ...testServer.providerAccess(false) };
  });

  beforeEach(async () => {
    testServer = await API_TEST_SERVERS[id]!();
  });
  afterEach(async () => {
    await sources.close();
    await testServer.stop();
  });
  afterAll(() => sources.network.close());

  /** The undisturbed listing, and the number of its requests. */
  const undisturbed = async () => {
    let requests = 0;
    testServer.beforeEachRequest(() => void requests++);
    const { keys, error } = await sources.list();
    expect(error).toBeUndefined();
    testServer.beforeEachRequest(() => undefined);
    return { all: new Set(keys), requests };
  };
  const places = (requests: number): number[] => {
    const step = Math.max(1, Math.ceil(requests / MOST_PLACES));
    return Array.from({ length: requests }, (_, n) => n + 1).filter((n) => n % step === 0 || n === 2);
  };
  /** Like the engine: listed documents are recorded, and an expired cursor causes a new listing. */
  const goOn = async (before: SourceListing): Promise<Set<string>> => {
    let rest = await sources.listFrom(before);
    const recorded = [...before.keys, ...rest.keys];
    if (rest.error instanceof CursorInvalid) rest = await sources.list({ known: recorded });
    expect(rest.error).toBeUndefined();
    return new Set([...recorded, ...rest.keys]);
  };
  /** Lists documents, and runs an action once before one of the requests. */
  const disturbed = async (at: number, happens: () => void, cursor: Json = null): Promise<SourceListing> => {
    let requests = 0;
    testServer.beforeEachRequest(() => (++requests === at ? void happens() : undefined));
    const listed = await sources.list({ cursor });
    expect(requests).toBeGreaterThanOrEqual(at);
    testServer.beforeEachRequest(() => undefined);
    return listed;
  };

  it('continues with a new access token when the old one expires', async () => {
    const { all, requests } = await undisturbed();
    const { expireTokens } = testServer;
    if (!expireTokens) return expect(integration.oauth).toBeUndefined();
    for (const at of places(requests)) {
      const { keys, error } = await disturbed(at, expireTokens);
      expect([at, error]).toEqual([at, undefined]);
      expect(new Set(keys)).toEqual(all);
    }
  });

  it('pauses for the requested time and continues without a gap', async () => {
    const { all, requests } = await undisturbed();
    for (const at of places(requests)) {
      let asked = 0;
      testServer.beforeEachRequest(() => (++asked >= at ? PAUSE_SECONDS : undefined));
      const before = await sources.list();
      expect([at, before.error]).toEqual([at, expect.any(RateLimited)]);
      expect(before.error).toMatchObject({ retryAfterSeconds: PAUSE_SECONDS });
      testServer.beforeEachRequest(() => undefined);
      expect(await goOn(before)).toEqual(all);
    }
  });

  it('loses nothing when documents are added and deleted during the listing', async () => {
    const { all, requests } = await undisturbed();
    const before = await disturbed(Math.ceil(requests / 2), () => {
      testServer.addDocument();
      testServer.removeDocument();
    });
    const found = await goOn(before);
    const missing = [...all].filter((key) => !found.has(key));
    expect(missing.length).toBeLessThanOrEqual(1); // the deleted one
    expect(found.size).toBe(all.size - missing.length + 1);
  });

  it('restarts with the same keys when the cursor has expired, at the beginning and later', async () => {
    const { all, requests } = await undisturbed();
    const { invalidateCursors } = testServer;
    if (!invalidateCursors) return expect(LISTED_WHOLE).toContain(id);
    for (const at of places(requests)) {
      const before = await disturbed(at, invalidateCursors);
      if (before.error !== undefined) expect([at, before.error]).toEqual([at, expect.any(CursorInvalid)]);
      expect(await goOn({ ...before, cursor: before.error === undefined ? before.cursor : null })).toEqual(all);
    }
    const whole = await sources.list();
    testServer.addDocument();
    invalidateCursors();
    const found = await goOn(whole);
    expect(found.size).toBe(all.size + 1);
  });
});
