import { INTEGRATIONS } from '../../src/integrations/catalogue';
import type { Json } from '../../src/integrations/core/source-document';
import { CursorInvalid, RateLimited } from '../../src/integrations/core/source-errors';
import { type Listed, SourceSessions } from '../harness/connectors/source-session';
import type { ApiCounterpart } from './test-server';
import { API_COUNTERPARTS } from './test-servers';

/** So many places in a listing are tried at the most, spread over its requests. */
const MOST_PLACES = 6;
const PAUSE_SECONDS = 17;
/** Nothing that they store between two fetches is a place at the provider. */
const LISTED_WHOLE = ['box', 'sevdesk', 'stripe'];

it('Every connector that asks an API has a counterpart that can be disturbed', () => {
  const asked = INTEGRATIONS.filter(({ apiBaseUrl }) => apiBaseUrl !== undefined).map(({ id }) => id);
  expect(Object.keys(API_COUNTERPARTS).sort()).toEqual(asked.sort());
});

describe.each(Object.keys(API_COUNTERPARTS))('A listing of %s', (id) => {
  const integration = INTEGRATIONS.find((each) => each.id === id)!;
  let counterpart: ApiCounterpart;
  const sources = new SourceSessions(integration, () => {
    const { fields, step2 } = counterpart;
    return { fields, step2, ...counterpart.provider(false) };
  });

  beforeEach(async () => {
    counterpart = await API_COUNTERPARTS[id]!();
  });
  afterEach(async () => {
    await sources.close();
    await counterpart.stop();
  });
  afterAll(() => sources.network.close());

  /** What is listed when nothing happens, and how many requests that takes. */
  const undisturbed = async () => {
    let requests = 0;
    counterpart.before(() => void requests++);
    const { keys, error } = await sources.list();
    expect(error).toBeUndefined();
    counterpart.before(() => undefined);
    return { all: new Set(keys), requests };
  };
  const places = (requests: number): number[] => {
    const step = Math.max(1, Math.ceil(requests / MOST_PLACES));
    return Array.from({ length: requests }, (_, n) => n + 1).filter((n) => n % step === 0 || n === 2);
  };
  /** The same as the engine does: what has been shown is recorded, a cursor that is no longer good costs a new listing. */
  const goOn = async (before: Listed): Promise<Set<string>> => {
    let rest = await sources.listOn(before);
    const recorded = [...before.keys, ...rest.keys];
    if (rest.error instanceof CursorInvalid) rest = await sources.list({ known: recorded });
    expect(rest.error).toBeUndefined();
    return new Set([...recorded, ...rest.keys]);
  };
  /** Lists with something happening once, before a request in the middle. */
  const disturbed = async (at: number, happens: () => void, cursor: Json = null): Promise<Listed> => {
    let requests = 0;
    counterpart.before(() => (++requests === at ? void happens() : undefined));
    const listed = await sources.list({ cursor });
    expect(requests).toBeGreaterThanOrEqual(at);
    counterpart.before(() => undefined);
    return listed;
  };

  it('goes on with another access token when its own ends in the middle', async () => {
    const { all, requests } = await undisturbed();
    const { endTokens } = counterpart;
    if (!endTokens) return expect(integration.oauth).toBeUndefined();
    for (const at of places(requests)) {
      const { keys, error } = await disturbed(at, endTokens);
      expect([at, error]).toEqual([at, undefined]);
      expect(new Set(keys)).toEqual(all);
    }
  });

  it('stops for a pause in the middle, for as long as it is asked to, and goes on without a gap', async () => {
    const { all, requests } = await undisturbed();
    for (const at of places(requests)) {
      let asked = 0;
      counterpart.before(() => (++asked >= at ? PAUSE_SECONDS : undefined));
      const before = await sources.list();
      expect([at, before.error]).toEqual([at, expect.any(RateLimited)]);
      expect(before.error).toMatchObject({ retryAfterSeconds: PAUSE_SECONDS });
      counterpart.before(() => undefined);
      expect(await goOn(before)).toEqual(all);
    }
  });

  it('loses nothing when a document comes and another one goes while it is read', async () => {
    const { all, requests } = await undisturbed();
    const before = await disturbed(Math.ceil(requests / 2), () => {
      counterpart.deliver();
      counterpart.remove();
    });
    const found = await goOn(before);
    const missing = [...all].filter((key) => !found.has(key));
    expect(missing.length).toBeLessThanOrEqual(1); // the one that has gone
    expect(found.size).toBe(all.size - missing.length + 1);
  });

  it('begins anew with the same keys when its place is no longer known, at the beginning and in the middle', async () => {
    const { all, requests } = await undisturbed();
    const { forget } = counterpart;
    if (!forget) return expect(LISTED_WHOLE).toContain(id);
    for (const at of places(requests)) {
      const before = await disturbed(at, forget);
      if (before.error !== undefined) expect([at, before.error]).toEqual([at, expect.any(CursorInvalid)]);
      expect(await goOn({ ...before, cursor: before.error === undefined ? before.cursor : null })).toEqual(all);
    }
    const whole = await sources.list();
    counterpart.deliver();
    forget();
    const found = await goOn(whole);
    expect(found.size).toBe(all.size + 1);
  });
});
