import { EntityManager } from '@mikro-orm/postgresql';
import { CommitOutcome, LeaseLost } from '../../../../src/fetches/execution/commit-outcome';
import { FetchLeases } from '../../../../src/fetches/execution/fetch-leases';
import { FinishFetch } from '../../../../src/fetches/execution/finish-fetch';
import { NOTHING, NOTHING_HELD } from '../../../../src/fetches/execution/held-outcome';
import { RunFetch } from '../../../../src/fetches/execution/run-fetch';
import { LoadFetches, type LoadedFetch } from '../../../../src/fetches/execution/reading/load-fetches';
import { SettleFetches } from '../../../../src/fetches/execution/settle-fetches';
import { ClaimFetches } from '../../../../src/fetches/scheduling/claim-fetches';
import { useTestContext } from '../../../harness/app/test-context';
import { updateFields } from '../../../harness/engine/test-engine';

describe('A claimed fetch', () => {
  const context = useTestContext();
  const of = <T>(type: new (...given: never[]) => T): T => context.app.app.get(type, { strict: false });
  const worker = () => new ClaimFetches(of(EntityManager), context.app.clock);

  /** Claims everything that is due, as one worker. */
  const claim = async (): Promise<LoadedFetch[]> => of(LoadFetches).load(await worker().claim(100));
  const settle = (fetch: LoadedFetch, held = NOTHING_HELD) => of(SettleFetches).settle(fetch, held);
  const fetchesOf = (uuid: string) =>
    context.query<{ uuid: string; status: string; trigger: string; seen: number; duplicate: number }>(
      'select * from "fetch" where connection_uuid = $1 order by uuid',
      [uuid],
    );
  const shown = async (path: string) =>
    (await context.client.request('get', path).expect(200)).body.data as Record<string, unknown>;
  const expireLeases = () =>
    context.query(`update connection set leased_until = now() - interval '1 second' where lease_token is not null`);

  beforeEach(() => context.query('delete from connection'));

  it('is visible as RUNNING from its lease on: by its uuid, in the list and in its connection', async () => {
    const uuid = await context.createActiveConnection();
    const [fetch] = await claim();
    const { uuid: fetchUuid } = fetch!.claim;
    const running = { uuid: fetchUuid, status: 'RUNNING', trigger: 'INITIAL', finished_at: null };
    expect(await shown(`/v1/fetches/${fetchUuid}`)).toMatchObject(running);
    expect(await shown(`/v1/connections/${uuid}/fetches`)).toMatchObject([running]);
    expect(await shown(`/v1/connections/${uuid}`)).toMatchObject({
      last_fetch: { uuid: fetchUuid, status: 'RUNNING', documents_new: 0 },
    });
  });

  it('is claimed by no other worker, not even when it is due again', async () => {
    const uuid = await context.createActiveConnection();
    expect(await claim()).toHaveLength(1);
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, context.app.clock.in(-1)]);
    expect(await claim()).toEqual([]);
  });

  it('is due again at once when its next date has come while it ran', async () => {
    const uuid = await context.createActiveConnection();
    const [fetch] = await claim();
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, context.app.clock.in(-1)]);
    expect(await settle(fetch!)).toBe(true);
    expect(await claim()).toMatchObject([{ claim: { trigger: 'SCHEDULED' } }]);
  });

  it('is taken over under its own uuid when its worker has not renewed the lease, and is recorded once', async () => {
    const uuid = await context.createActiveConnection();
    const [dead] = await claim();
    expect(await claim()).toEqual([]);
    await expireLeases();
    const [taken] = await claim();
    expect(taken!.claim).toMatchObject({ uuid: dead!.claim.uuid, trigger: 'INITIAL', resumed: true });
    expect(await settle(taken!)).toBe(true);
    expect(await fetchesOf(uuid)).toMatchObject([{ uuid: dead!.claim.uuid, status: 'SUCCEEDED' }]);
  });

  it.each([
    [5, 'SUCCEEDED', 0],
    [6, 'FAILED', 1],
  ])('during which %i workers died ends as %s', async (deaths, status, failures) => {
    const uuid = await context.createActiveConnection();
    let [fetch] = await claim();
    for (let death = 1; death <= deaths; death++) {
      await expireLeases();
      [fetch] = await claim();
      expect(fetch!.claim.interruptions).toBe(death);
    }
    await of(RunFetch).run(fetch!, new AbortController().signal);
    expect(await fetchesOf(uuid)).toMatchObject([{ status }]);
    // It backs off like every source that fails, instead of being taken over at once.
    const [connection] = await context.query<{ next_fetch_at: Date; consecutive_failures: number }>(
      'select next_fetch_at, consecutive_failures from connection where uuid = $1',
      [uuid],
    );
    expect(connection!.consecutive_failures).toBe(failures);
    expect(connection!.next_fetch_at > context.app.clock.now()).toBe(true);
  });

  it('counts only the workers that died since its last new document', async () => {
    const uuid = await context.createActiveConnection({ documents: 3, new_per_fetch: 0 });
    let [fetch] = await claim();
    for (let death = 1; death <= 5; death++) {
      await expireLeases();
      [fetch] = await claim();
    }
    const interruptions = () =>
      context.query('select new, interruptions from "fetch" where connection_uuid = $1', [uuid]);
    expect(await interruptions()).toEqual([{ new: 0, interruptions: 5 }]);
    await of(RunFetch).run(fetch!, new AbortController().signal);
    expect(await interruptions()).toEqual([{ new: 3, interruptions: 0 }]);
  });

  it('cannot be changed by a worker that continues after the takeover', async () => {
    const uuid = await context.createActiveConnection();
    const [paused] = await claim();
    await expireLeases();
    const [taken] = await claim();
    expect(await of(FetchLeases).renew([paused!.claim, taken!.claim])).toEqual(
      new Map([
        [paused!.claim.leaseToken, 'LOST'],
        [taken!.claim.leaseToken, 'HELD'],
      ]),
    );
    const { connection, environment } = paused!;
    const origin = {
      ...{ connectionUuid: uuid, identityUuid: connection.identityUuid, integrationId: connection.integrationId },
      ...{ fetchUuid: paused!.claim.uuid, environment },
    };
    const target = { origin, leaseToken: paused!.claim.leaseToken, startdate: null };
    const late = of(CommitOutcome).commit(target, { ...NOTHING, duplicates: 7 });
    await expect(late).rejects.toThrow(LeaseLost);
    expect(await settle(paused!, { duplicates: 7, filteredBy: {} })).toBe(false);
    await of(FinishFetch).failed(paused!, new Error('late'));
    await of(FetchLeases).release(paused!.claim);
    expect(await fetchesOf(uuid)).toMatchObject([{ status: 'RUNNING', seen: 0 }]);
    expect(await settle(taken!, { duplicates: 2, filteredBy: { TYPE: 1 } })).toBe(true);
    expect(await fetchesOf(uuid)).toMatchObject([
      { status: 'SUCCEEDED', seen: 3, duplicate: 2, filtered_by: { TYPE: 1 } },
    ]);
  });

  it('that no longer exists does not keep its connection from being fetched after its lease', async () => {
    const uuid = await context.createActiveConnection();
    await claim();
    await context.query('delete from "fetch"');
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, context.app.clock.in(-1)]);
    expect(await claim()).toEqual([]);
    await expireLeases();
    expect(await claim()).toMatchObject([{ claim: { trigger: 'SCHEDULED', resumed: false } }]);
  });

  it('keeps its lease while its worker renews it', async () => {
    await context.createActiveConnection();
    const [fetch] = await claim();
    await context.query(`update connection set leased_until = now() + interval '1 second'`);
    expect(await of(FetchLeases).renew([fetch!.claim])).toEqual(new Map([[fetch!.claim.leaseToken, 'HELD']]));
    const [left] = await context.query<{ seconds: number }>(
      'select extract(epoch from leased_until - now())::float8 as seconds from connection',
    );
    expect(left!.seconds).toBeGreaterThan(10);
  });

  it('of a disabled or deleted connection is stopped', async () => {
    const [disabled, deleted] = [await context.createActiveConnection(), await context.createActiveConnection()];
    const claims = (await claim()).map((fetch) => fetch.claim);
    await context.client.request('put', `/v1/connections/${disabled}/disable`).expect(204);
    await context.client.request('delete', `/v1/connections/${deleted}`).expect(204);
    expect(await of(FetchLeases).renew(claims)).toEqual(
      new Map(claims.map(({ leaseToken }) => [leaseToken, 'STOPPED'])),
    );
  });

  it('that a worker gives back is queued, and claimed again under its own uuid', async () => {
    const uuid = await context.createActiveConnection();
    const [fetch] = await claim();
    await of(FetchLeases).release(fetch!.claim);
    expect(await fetchesOf(uuid)).toMatchObject([{ status: 'QUEUED' }]);
    expect(await shown(`/v1/connections/${uuid}`)).toMatchObject({ last_fetch: { status: 'QUEUED' } });
    expect(await claim()).toMatchObject([{ claim: { uuid: fetch!.claim.uuid, resumed: true } }]);
  });

  it('stores its cursor, but not when the start date has changed while it ran', async () => {
    const cursorOf = async (uuid: string) =>
      (await context.query<{ cursor: unknown }>('select cursor from connection where uuid = $1', [uuid]))[0]!.cursor;
    const held = { ...NOTHING_HELD, cursor: { at: 7 } };
    const end = {
      settled: (fetch: LoadedFetch) => settle(fetch, held),
      finished: (fetch: LoadedFetch) => of(FinishFetch).succeeded(fetch, held),
    };
    for (const ending of Object.values(end)) {
      for (const startdate of [null, '2025-12-29']) {
        const [unchanged, changed] = [
          await context.createActiveConnection({ startdate }),
          await context.createActiveConnection({ startdate: '2025-12-29' }),
        ];
        const fetches = await claim();
        await updateFields(context.client, changed, { startdate: '2025-12-01' });
        for (const fetch of fetches) await ending(fetch);
        expect(await cursorOf(unchanged)).toEqual(held.cursor);
        expect(await cursorOf(changed)).toBeNull();
        for (const uuid of [unchanged, changed]) expect(await fetchesOf(uuid)).toMatchObject([{ status: 'SUCCEEDED' }]);
      }
    }
  });

  it('is settled together with others, each with its own counts, usage and event', async () => {
    const uuids = await Promise.all([1, 2, 3].map(() => context.createActiveConnection()));
    const [usage] = await context.query<{ n: string }>('select coalesce(sum(fetches), 0) as n from monthly_usage');
    const fetches = await claim();
    const settled = await Promise.all(
      fetches.map((fetch) => settle(fetch, { duplicates: uuids.indexOf(fetch.connection.uuid), filteredBy: {} })),
    );
    expect(settled).toEqual([true, true, true]);
    for (const [at, uuid] of uuids.entries()) {
      expect(await fetchesOf(uuid)).toMatchObject([{ status: 'SUCCEEDED', seen: at, duplicate: at }]);
      expect(await shown(`/v1/connections/${uuid}`)).toMatchObject({
        health: 'OK',
        last_fetch: { status: 'SUCCEEDED' },
        last_success_at: expect.any(String),
      });
      const events = await context.query(
        `select data from outbox where subject_uuid = $1 and type = 'fetch.finished'`,
        [uuid],
      );
      expect(events).toHaveLength(1);
    }
    const [after] = await context.query<{ n: string }>('select sum(fetches) as n from monthly_usage');
    expect(Number(after!.n) - Number(usage!.n)).toBe(3);
  });
});
