import type { Response } from 'supertest';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

const HOUR = 3600;

describe('POST /v1/connections/{uuid}/fetch-now (spec 4.6)', () => {
  const context = useTestContext();
  const path = (uuid: string) => `/v1/connections/${uuid}/fetch-now`;
  const fetchNow = (uuid: string) => context.client.request('post', path(uuid));
  const queued = (uuid: string) =>
    context.query<{ uuid: string; trigger: string; status: string }>(
      'select uuid, trigger, status from "fetch" where connection_uuid = $1 order by uuid',
      [uuid],
    );
  const dueIn = (uuid: string, seconds: number) =>
    context.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, context.app.clock.in(seconds)]);
  const statuses = (answers: Response[]) => answers.map(({ status }) => status).sort();

  /** Moves the clock for one test, and postpones the connection's schedule. */
  async function later(uuid: string, seconds: number): Promise<void> {
    context.app.clock.advance(seconds);
    moved += seconds;
    await dueIn(uuid, 10 * HOUR);
  }
  let moved = 0;
  afterEach(() => {
    context.app.clock.advance(-moved);
    moved = 0;
  });

  itChecksConnectionAccess(context, { method: 'post', path, accepts: ['key', 'token'] });

  it('queues a fetch and answers its uuid, without the usual envelope, to key and token', async () => {
    const uuid = await context.createActiveConnection();
    const byKey = await fetchNow(uuid).expect(202);
    const byToken = await context.client.requestWithToken(context.token, 'post', path(uuid)).expect(202);
    expect(byKey.body).toEqual({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await queued(uuid)).toEqual(
      [byKey, byToken].map(({ body }) => ({ uuid: body.uuid, trigger: 'MANUAL', status: 'QUEUED' })),
    );
  });

  it('allows five per hour and then answers the seconds to wait (rule 1)', async () => {
    const uuid = await context.createActiveConnection();
    for (let i = 0; i < 5; i++) {
      await fetchNow(uuid).expect(202);
      await later(uuid, 60);
    }
    for (const lang of ['en', 'de'] as const) {
      const refused = await fetchNow(uuid).set('Lang', lang);
      expectError(refused, 429, 'FETCH_QUOTA_EXCEEDED', {}, lang);
      expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(HOUR - 300 - 30);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(HOUR - 300);
    }
    expect(await queued(uuid)).toHaveLength(5);
  });

  it('uses a sliding window: a request after Retry-After gets exactly the slot that has become free', async () => {
    const uuid = await context.createActiveConnection();
    for (let i = 0; i < 5; i++) {
      await fetchNow(uuid).expect(202);
      await later(uuid, 600);
    }
    const wait = Number((await fetchNow(uuid).expect(429)).headers['retry-after']);
    await later(uuid, wait - 5);
    const still = await fetchNow(uuid).expect(429);
    await later(uuid, Number(still.headers['retry-after']));
    await fetchNow(uuid).expect(202);
    const next = await fetchNow(uuid).expect(429); // the second of the first five is still in the window
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(500);
    await later(uuid, HOUR);
    for (let i = 0; i < 5; i++) await fetchNow(uuid).expect(202);
    await fetchNow(uuid).expect(429);
  });

  it('accepts exactly five of twenty parallel requests', async () => {
    const uuid = await context.createActiveConnection();
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchNow(uuid)));
    expect(statuses(answers)).toEqual([...Array<number>(5).fill(202), ...Array<number>(15).fill(429)]);
    const accepted = answers.filter(({ status }) => status === 202).map(({ body }) => body.uuid as string);
    expect((await queued(uuid)).map((fetch) => fetch.uuid)).toEqual(expect.arrayContaining(accepted));
    expect(new Set(accepted).size).toBe(5);
    for (const { headers } of answers.filter(({ status }) => status === 429)) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it('counts each connection separately', async () => {
    const [one, other] = [await context.createActiveConnection(), await context.createActiveConnection()];
    for (let i = 0; i < 5; i++) await fetchNow(one).expect(202);
    await fetchNow(one).expect(429);
    await fetchNow(other).expect(202);
  });

  it.each([
    [59, 409],
    [60, 409],
    [1, 409],
    [0, 409],
    [-30, 409],
    [-110, 409],
    [75, 202],
    // No worker has claimed it, so it will not start soon.
    [-121, 202],
    [-86_400, 202],
  ])('with a scheduled fetch due in %i s it answers %i (rule 2)', async (seconds, status) => {
    const uuid = await context.createActiveConnection();
    await dueIn(uuid, seconds);
    const answer = await fetchNow(uuid);
    expect(answer.status).toBe(status);
    if (status !== 409) return;
    expectError(answer, 409, 'SCHEDULED_FETCH_DUE');
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(seconds > 0 ? seconds : seconds + 120);
    expectError(await fetchNow(uuid).set('Lang', 'de'), 409, 'SCHEDULED_FETCH_DUE', {}, 'de');
    expect(await queued(uuid)).toEqual([]);
  });

  it('succeeds after the seconds of Retry-After, also when no worker claims the scheduled fetch', async () => {
    const uuid = await context.createActiveConnection();
    await dueIn(uuid, -30);
    const refused = await fetchNow(uuid).expect(409);
    const seconds = Number(refused.headers['retry-after']) + 1;
    context.app.clock.advance(seconds);
    try {
      await fetchNow(uuid).expect(202);
    } finally {
      context.app.clock.advance(-seconds);
    }
    expect(await queued(uuid)).toHaveLength(1);
  });

  const INACTIVE: [string, string][] = [
    ['disabled', 'disabled_at = now()'],
    ['refused by the provider', 'credentials_rejected_at = now()'],
    ['not set up', 'setup_completed_at = null'],
  ];
  it.each(INACTIVE)('rejects a connection that is %s (rule 3)', async (_, change) => {
    const uuid = await context.createActiveConnection();
    await context.query(`update connection set ${change} where uuid = $1`, [uuid]);
    expectError(await fetchNow(uuid), 422, 'CONNECTION_NOT_ACTIVE');
    expectError(await fetchNow(uuid).set('Lang', 'de'), 422, 'CONNECTION_NOT_ACTIVE', {}, 'de');
    expect(await queued(uuid)).toEqual([]);
  });

  it('does not count requests that end with 409 or 422 (rule 5)', async () => {
    const uuid = await context.createActiveConnection();
    await dueIn(uuid, 30);
    for (let i = 0; i < 6; i++) await fetchNow(uuid).expect(409);
    await context.query('update connection set disabled_at = now() where uuid = $1', [uuid]);
    for (let i = 0; i < 6; i++) await fetchNow(uuid).expect(422);
    await context.query('update connection set disabled_at = null where uuid = $1', [uuid]);
    await dueIn(uuid, HOUR);
    for (let i = 0; i < 5; i++) await fetchNow(uuid).expect(202);
    await fetchNow(uuid).expect(429);
  });

  it('does not count requests that are rejected with 429', async () => {
    const uuid = await context.createActiveConnection();
    for (let i = 0; i < 5; i++) await fetchNow(uuid).expect(202);
    await later(uuid, HOUR / 2);
    for (let i = 0; i < 5; i++) await fetchNow(uuid).expect(429);
    await later(uuid, HOUR / 2 + 1);
    await fetchNow(uuid).expect(202);
  });

  it('checks the state before the schedule, and the schedule before the quota', async () => {
    const uuid = await context.createActiveConnection();
    for (let i = 0; i < 5; i++) await fetchNow(uuid).expect(202);
    await dueIn(uuid, 30);
    expectError(await fetchNow(uuid), 409, 'SCHEDULED_FETCH_DUE');
    await context.query('update connection set disabled_at = now() where uuid = $1', [uuid]);
    expectError(await fetchNow(uuid), 422, 'CONNECTION_NOT_ACTIVE');
  });

  it('requires no body and accepts an empty one', async () => {
    const uuid = await context.createActiveConnection();
    await fetchNow(uuid).send({}).expect(202);
  });
});
