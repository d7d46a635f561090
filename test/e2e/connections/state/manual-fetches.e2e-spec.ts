import { randomUUID } from 'node:crypto';
import { PostgresThrottlerStorage } from '../../../../src/platform/rate-limit/postgres-throttler-storage';
import { useTestContext } from '../../../harness/app/test-context';

interface ManualFetches {
  limit: number;
  remaining: number;
  resets_at: string | null;
}

describe('manual_fetches of a connection (spec 4.6, decisions 9)', () => {
  const context = useTestContext();
  const UNUSED = { limit: 5, remaining: 5, resets_at: null };
  const HOUR = 3_600_000;
  const path = (uuid: string) => `/v1/connections/${uuid}`;
  const fetchNow = (uuid: string) => context.client.request('post', `${path(uuid)}/fetch-now`);
  const shown = async (uuid: string): Promise<ManualFetches> => {
    const { body } = await context.client.request('get', path(uuid)).expect(200);
    return (body as { data: { manual_fetches: ManualFetches } }).data.manual_fetches;
  };
  const now = () => context.app.clock.now().getTime();

  let moved = 0;
  const move = (seconds: number) => {
    context.app.clock.advance(seconds);
    moved += seconds;
  };
  afterEach(() => {
    context.app.clock.advance(-moved);
    moved = 0;
  });

  /** Postpones the scheduled fetch, so that it does not affect fetch-now. */
  async function connection(): Promise<string> {
    const uuid = await context.createActiveConnection();
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [
      uuid,
      context.app.clock.in(86_400),
    ]);
    return uuid;
  }

  it('counts accepted fetch-now requests, and shows when the first one is available again', async () => {
    const uuid = await connection();
    expect(await shown(uuid)).toEqual(UNUSED);
    const before = now();
    await fetchNow(uuid).expect(202);
    const after = now();
    const { resets_at, ...rest } = await shown(uuid);
    expect(rest).toEqual({ limit: 5, remaining: 4 });
    expect(Date.parse(resets_at!)).toBeGreaterThanOrEqual(before + HOUR);
    expect(Date.parse(resets_at!)).toBeLessThanOrEqual(after + HOUR);
    move(600);
    await fetchNow(uuid).expect(202);
    expect(await shown(uuid)).toEqual({ limit: 5, remaining: 3, resets_at });
  });

  it('is exhausted exactly when fetch-now answers 429, until the time in the response', async () => {
    const uuid = await connection();
    for (let left = 4; left >= 0; left--) {
      await fetchNow(uuid).expect(202);
      expect((await shown(uuid)).remaining).toBe(left);
    }
    const refused = await fetchNow(uuid).expect(429);
    const { resets_at, remaining } = await shown(uuid);
    expect(remaining).toBe(0);
    const wait = (Date.parse(resets_at!) - now()) / 1000;
    expect(Math.abs(wait - Number(refused.headers['retry-after']))).toBeLessThan(30);
    move(wait + 1);
    expect((await shown(uuid)).remaining).toBeGreaterThan(0);
    await fetchNow(uuid).expect(202);
  });

  it('is complete again an hour after the last one', async () => {
    const uuid = await connection();
    await fetchNow(uuid).expect(202);
    move(3600 + 30);
    expect(await shown(uuid)).toEqual(UNUSED);
  });

  it('is not reduced by a replay or a rejected request (rule 5)', async () => {
    const uuid = await connection();
    const key = randomUUID();
    await fetchNow(uuid).set('Idempotency-Key', key).expect(202);
    const used = await shown(uuid);
    expect(used.remaining).toBe(4);
    await fetchNow(uuid).set('Idempotency-Key', key).expect(202).expect('Idempotent-Replayed', 'true');
    await context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, context.app.clock.in(30)]);
    await fetchNow(uuid).expect(409);
    await context.client.request('put', `${path(uuid)}/disable`).expect(204);
    await fetchNow(uuid).expect(422);
    expect(await shown(uuid)).toEqual(used);
  });

  it('is the same in lists, which read it once per page, and in responses that create connections', async () => {
    const identity = await context.client.createIdentity();
    const fields = { user: randomUUID(), password: 'correct-horse' };
    const made = await context.client
      .request('post', '/v1/connections')
      .send({ integration_id: 'sandbox', name: 'New', identity_uuid: identity, fields })
      .expect(201);
    expect(made.body.data.manual_fetches).toEqual(UNUSED);
    const used = await connection();
    await fetchNow(used).expect(202);
    const unused = await connection();
    const readUsage = jest.spyOn(context.app.app.get(PostgresThrottlerStorage, { strict: false }), 'readUsage');
    const token = await context.client.requestWithToken(context.token, 'get', '/v1/connections').expect(200);
    const key = await context.client.request('get', `/v1/identities/${context.identity}/connections`).expect(200);
    expect(readUsage).toHaveBeenCalledTimes(2);
    readUsage.mockRestore();
    for (const { body } of [token, key]) {
      const of = (uuid: string) =>
        (body as { data: { uuid: string; manual_fetches: ManualFetches }[] }).data.find((one) => one.uuid === uuid);
      expect(of(used)!.manual_fetches).toEqual(await shown(used));
      expect(of(unused)!.manual_fetches).toEqual(UNUSED);
    }
  });
});
