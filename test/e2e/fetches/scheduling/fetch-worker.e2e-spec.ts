import { EntityManager } from '@mikro-orm/postgresql';
import { FetchLeases } from '../../../../src/fetches/execution/fetch-leases';
import { FetchWorker } from '../../../../src/fetches/execution/fetch-worker';
import { type LoadedFetch, LoadFetches } from '../../../../src/fetches/execution/reading/load-fetches';
import { Tracing } from '../../../../src/platform/tracing/tracing';
import { RunFetch } from '../../../../src/fetches/execution/run-fetch';
import { ClaimFetches } from '../../../../src/fetches/scheduling/claim-fetches';
import { FetchWakeup } from '../../../../src/fetches/scheduling/fetch-wakeup';
import { Settings } from '../../../../src/platform/config/settings';
import { KeyManager } from '../../../../src/platform/crypto/key-manager';
import { useTestContext } from '../../../harness/app/test-context';
import { eventually } from '../../../harness/eventually';

describe('A worker', () => {
  const context = useTestContext();
  const of = <T>(type: new (...given: never[]) => T): T => context.app.app.get(type, { strict: false });

  /** A worker that claims only when the test calls it, as the service of this test does not fetch. */
  const worker = () =>
    new FetchWorker(
      new Settings({ ...context.app.settings, role: 'worker' }),
      of(FetchWakeup),
      of(ClaimFetches),
      of(LoadFetches),
      of(RunFetch),
      new Tracing(null),
    );

  beforeEach(() => context.query('delete from connection'));
  afterEach(() => jest.restoreAllMocks());

  it('gives all claimed fetches back when it cannot read them', async () => {
    await Promise.all([1, 2].map(() => context.createActiveConnection()));
    jest.spyOn(of(KeyManager), 'keys').mockRejectedValueOnce(new Error('The database does not answer.'));
    const one = worker();
    await expect(one.claimDue()).rejects.toThrow('The database does not answer.');
    const rows = () =>
      context.query(
        'select f.status, c.lease_token from "fetch" f join connection c on c.uuid = f.connection_uuid order by f.uuid',
      );
    const queued = { status: 'QUEUED', lease_token: null };
    expect(await rows()).toEqual([queued, queued]);

    await one.idle();
    const ended = { status: 'SUCCEEDED', lease_token: null };
    expect(await rows()).toEqual([ended, ended]);
  });

  it('takes over the fetches of a dead worker, but not its own, when all leases have expired', async () => {
    const end = Promise.withResolvers<void>();
    const begun: LoadedFetch[] = [];
    jest.spyOn(of(RunFetch), 'run').mockImplementation((fetch) => (begun.push(fetch), end.promise));
    const one = worker();
    const own = await context.createActiveConnection();
    await one.claimDue();
    const other = await context.createActiveConnection();
    await new ClaimFetches(of(EntityManager), context.app.clock).claim(1); // its worker dies
    await context.query(
      `update connection set leased_until = now() - interval '1 second' where lease_token is not null`,
    );
    const connections = () => begun.map(({ connection }) => connection.uuid);
    await eventually(async () => (await one.claimDue(), connections().includes(other)), 'it takes the other one over');
    expect(connections()).toEqual([own, other]);
    const { claim } = begun[0]!;
    expect(await of(FetchLeases).renew([claim])).toEqual(new Map([[claim.leaseToken, 'HELD']]));
    end.resolve();
  });
});
