import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useSharedContext } from '../../../harness/app/test-context';

describe('GET /v1/connections/{uuid} (spec 4, endpoint 3)', () => {
  const context = useSharedContext();
  const path = (uuid: string) => `/v1/connections/${uuid}`;

  itChecksConnectionAccess(context, { method: 'get', path, accepts: ['key', 'token'] });

  it('returns the same connection to its key, its token and a token bound to it', async () => {
    const uuid = await context.createActiveConnection({ documents: 1 });
    const bound = await context.client.createToken(context.identity, { connection_uuid: uuid });
    const { body } = await context.client.request('get', path(uuid)).expect(200);
    expect(body.data).toMatchObject({
      uuid,
      integration_id: 'sandbox',
      identity_uuid: context.identity,
      status: 'ACTIVE',
      health: 'UNKNOWN',
      reason: null,
      setup_complete: true,
      fields: { user: 'u', documents: 1, folders: ['inbox'], kinds: ['invoice', 'credit_note', 'e_invoice'] },
    });
    expect(body.data).not.toHaveProperty('step2_fields');
    expect(body.data.fields).not.toHaveProperty('password');
    for (const token of [context.token, bound]) {
      expect((await context.client.requestWithToken(token, 'get', path(uuid)).expect(200)).body).toEqual(body);
    }
    expect((await context.client.request('get', path(uuid.toUpperCase())).expect(200)).body).toEqual(body);
  });

  it('shows when the next fetch is due: at most one interval after the setup', async () => {
    const uuid = await context.createActiveConnection();
    const { body } = await context.client.request('get', path(uuid)).expect(200);
    const due = Date.parse(body.data.next_fetch_at) - context.app.clock.now().getTime();
    expect(due).toBeGreaterThan(43_200_000 - 10_000);
    expect(due).toBeLessThanOrEqual(86_400_000);
  });

  it('uses the language of the request for explanations', async () => {
    const uuid = await context.createConnection();
    const message = async (lang: string) =>
      (await context.client.request('get', path(uuid)).set('Accept-Language', lang)).body.data.reason.message as string;
    expect(await message('en')).toBe('The setup has not been completed yet.');
    expect(await message('de-AT, en;q=0.5')).toBe('Die Einrichtung ist noch nicht abgeschlossen.');
  });
});
