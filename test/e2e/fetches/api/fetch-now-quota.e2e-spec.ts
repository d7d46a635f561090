import { randomUUID } from 'node:crypto';
import { expectError } from '../../../harness/http/expect-error';
import { useTestContext } from '../../../harness/app/test-context';

describe('RateLimit of fetch-now (decisions 1)', () => {
  const context = useTestContext();
  let uuid: string;

  const nextFetch = (at: string) =>
    context.query(`update connection set next_fetch_at = $2::timestamptz + interval '${at}' where uuid = $1`, [
      uuid,
      context.app.clock.now(),
    ]);
  const now = (key = randomUUID()) =>
    context.client.request('post', `/v1/connections/${uuid}/fetch-now`).set('Idempotency-Key', key);
  const POLICY = '"fetch-now";q=5;w=3600';

  beforeEach(async () => {
    uuid = await context.createActiveConnection();
    await nextFetch('9 days');
  });

  it('is sent with a replay, which does not count', async () => {
    const key = randomUUID();
    await now(key).expect(202);
    await now().expect(202);
    for (const at of [0, 1]) {
      const { headers } = await now(key).expect(202);
      expect([at, headers['idempotent-replayed']]).toEqual([at, 'true']);
      expect(headers['ratelimit-policy']).toBe(`"key";q=1000000;w=60, ${POLICY}`);
      expect(headers.ratelimit).toMatch(/, "fetch-now";r=3;t=\d+$/);
    }
  });

  it('is sent with 409 and 422, which do not count', async () => {
    await now().expect(202);
    await nextFetch('30 seconds');
    const due = await now();
    expectError(due, 409, 'SCHEDULED_FETCH_DUE');
    await context.client.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    const disabled = await now();
    expectError(disabled, 422, 'CONNECTION_NOT_ACTIVE');
    for (const { headers } of [due, disabled]) {
      expect(headers['ratelimit-policy']).toContain(POLICY);
      expect(headers.ratelimit).toMatch(/, "fetch-now";r=4;t=\d+$/);
    }
  });

  it('states the full quota before the first fetch', async () => {
    await nextFetch('30 seconds');
    const { headers } = await now().expect(409);
    expect(headers.ratelimit).toMatch(/, "fetch-now";r=5;t=0$/);
  });

  it('appears once when the quota is exhausted', async () => {
    for (let times = 0; times < 5; times++) await now().expect(202);
    const refused = await now();
    expectError(refused, 429, 'FETCH_QUOTA_EXCEEDED');
    expect(refused.headers['ratelimit-policy']).toBe(`"key";q=1000000;w=60, ${POLICY}`);
  });
});
