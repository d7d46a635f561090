import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

describe('PUT /v1/connections/{uuid}/disable and /enable (spec 4.5, decisions 4)', () => {
  const context = useTestContext();
  const path = (uuid: string) => `/v1/connections/${uuid}`;
  const get = async (uuid: string) => (await context.client.request('get', path(uuid)).expect(200)).body.data;
  const put = (uuid: string, what: 'disable' | 'enable') => context.client.request('put', `${path(uuid)}/${what}`);
  const statusChanges = async (uuid: string) =>
    (
      await context.query<{ data: object }>(
        `select data from outbox where subject_uuid = $1 and type = 'connection.status_changed' order by uuid`,
        [uuid],
      )
    ).map(({ data }) => data);

  describe.each(['disable', 'enable'] as const)('%s', (what) => {
    itChecksConnectionAccess(context, {
      method: 'put',
      path: (uuid) => `${path(uuid)}/${what}`,
      accepts: ['key', 'token'],
    });

    it.each(['key', 'token'])('answers 204 without content to a %s', async (by) => {
      const address = `${path(await context.createConnection())}/${what}`;
      const answer =
        by === 'key'
          ? await context.client.request('put', address)
          : await context.client.requestWithToken(context.token, 'put', address);
      expect([answer.status, answer.text]).toEqual([204, '']);
    });
  });

  it('disables and enables an active connection, which is then fetched immediately', async () => {
    const uuid = await context.createActiveConnection();
    const before = await get(uuid);
    await put(uuid, 'disable').expect(204);
    expect(await get(uuid)).toMatchObject({ status: 'DISABLED', next_fetch_at: null, setup_complete: true });
    await put(uuid, 'enable').expect(204);
    const { updated_at, next_fetch_at, ...after } = await get(uuid);
    expect(before).toMatchObject(after);
    expect(Date.parse(next_fetch_at)).toBeGreaterThan(context.app.clock.now().getTime());
    expect(updated_at >= before.updated_at).toBe(true);
    const [row] = await context.query('select immediate_fetch_trigger from connection where uuid = $1', [uuid]);
    expect(row).toEqual({ immediate_fetch_trigger: 'RECOVERY' });
  });

  it('is idempotent in both directions, and sends one event per change', async () => {
    const uuid = await context.createActiveConnection();
    for (let i = 0; i < 3; i++) await put(uuid, 'disable').expect(204);
    for (let i = 0; i < 3; i++) await put(uuid, 'enable').expect(204);
    const cause = expect.stringMatching(/^key:/);
    expect(await statusChanges(uuid)).toEqual([
      { from: 'PENDING', to: 'ACTIVE', cause: expect.stringMatching(/^token:/) }, // the setup's end
      { from: 'ACTIVE', to: 'DISABLED', cause },
      { from: 'DISABLED', to: 'ACTIVE', cause },
    ]);
    const log = await context.query('select action from audit_log where subject_uuid = $1 order by uuid', [uuid]);
    expect(log.map(({ action }) => action).slice(-2)).toEqual(['connection.disable', 'connection.enable']);
  });

  it.each([
    ['a setup that is not complete', 'setup_completed_at = null', 'PENDING'],
    ['bad credentials', 'credentials_rejected_at = now()', 'INVALID_CREDENTIALS'],
  ])('restores the former status without an immediate fetch: %s', async (_, change, status) => {
    const uuid = await context.createActiveConnection();
    await context.query(`update connection set ${change}, immediate_fetch_at = null where uuid = $1`, [uuid]);
    await put(uuid, 'disable').expect(204);
    expect((await get(uuid)).status).toBe('DISABLED');
    await put(uuid, 'enable').expect(204);
    expect(await get(uuid)).toMatchObject({ status });
    const [row] = await context.query('select immediate_fetch_at from connection where uuid = $1', [uuid]);
    expect(row).toEqual({ immediate_fetch_at: null });
  });

  it('handles concurrent requests of both kinds', async () => {
    const uuid = await context.createActiveConnection();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => put(uuid, i % 2 ? 'disable' : 'enable')));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(8).fill(204));
    expect(['ACTIVE', 'DISABLED']).toContain((await get(uuid)).status);
  });
});
