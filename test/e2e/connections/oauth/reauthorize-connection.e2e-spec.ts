import { googleDrive } from '../../../../src/integrations/google-drive/google-drive';
import { INTEGRATIONS } from '../../../../src/integrations/integration-registry';
import { RevokeGrants } from '../../../../src/connections/oauth/tokens/revoke-grants';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { useGoogle } from './google-authorization';

const MORE = 'https://www.googleapis.com/auth/drive.metadata.readonly';
/** A variant of Google Drive that requires another scope for e-mails and texts. */
const asksForMore = {
  ...googleDrive,
  oauth: {
    ...googleDrive.oauth!,
    scopesFor: (step2: Readonly<Record<string, unknown>>) =>
      JSON.stringify(step2['file_types'] ?? '').includes('office') ? [MORE] : [],
  },
};

describe('An authorization that must be repeated', () => {
  const context = useGoogle({
    integrations: INTEGRATIONS.map((each) => (each.id === 'google_drive' ? asksForMore : each)),
  });
  const put = (uuid: string, body: object) =>
    context.client.requestWithToken(context.token, 'put', `/v1/connections/${uuid}`).send(body);
  const step2 = (uuid: string, fields: object = {}) =>
    context.client.requestWithToken(context.token, 'put', `/v1/connections/${uuid}/step2`).send({ fields });
  const active = async () => {
    const uuid = await context.authorized();
    await step2(uuid).expect(204);
    return uuid;
  };
  const urlOf = (answer: { body: unknown }) =>
    (answer.body as { data: { authorization_url: string } }).data.authorization_url;
  const grantOf = async (uuid: string) =>
    (
      await context.query<{ generation: number; scopes: string[] }>(
        'select * from oauth_grant where connection_uuid = $1',
        [uuid],
      )
    )[0];

  describe('PUT /v1/connections/{uuid}', () => {
    it('requires none while the authorization is valid: the change is verified with it', async () => {
      const uuid = await active();
      const answer = await put(uuid, { fields: { time_zone: 'Europe/Berlin' } }).expect(200);
      expect(answer.body).toMatchObject({
        data: { authorization_url: null, status: 'ACTIVE', fields: { time_zone: 'Europe/Berlin' } },
      });
      expect((answer.body as { data: { step2_fields: unknown[] } }).data.step2_fields).toHaveLength(4);
      await put(uuid, { name: 'Another' }).expect(204);
    });

    it('reconnects the same connection from the old cursor when the user has revoked access', async () => {
      const uuid = await active();
      await context.query(
        `update connection set credentials_rejected_at = now(), failing_since = now(), failure_reason = 'CONSENT_REVOKED',
           cursor = '"kept"', immediate_fetch_at = null, next_fetch_at = null where uuid = $1`,
        [uuid],
      );
      context.google.authorization.withdraw('anna@example.com');
      const answer = await put(uuid, { fields: {} }).expect(200);
      expect(answer.body).toMatchObject({
        data: {
          status: 'INVALID_CREDENTIALS',
          reason: { code: 'CONSENT_REVOKED', action: 'AUTHORIZE' },
          step2_fields: null,
        },
      });
      await context.browser().follow(urlOf(answer));
      expect(await context.get(uuid)).toMatchObject({ uuid, status: 'ACTIVE', reason: null });
      const [row] = await context.query(
        `select cursor, immediate_fetch_trigger, immediate_fetch_at = updated_at as "dueAtChange" from connection where uuid = $1`,
        [uuid],
      );
      expect(row).toEqual({ cursor: 'kept', immediate_fetch_trigger: 'RECOVERY', dueAtChange: true });
    });

    it('requests the scope even before a request has failed', async () => {
      const uuid = await active();
      context.google.authorization.withdraw('anna@example.com');
      const answer = await put(uuid, { fields: {} }).expect(200);
      expect(urlOf(answer)).toMatch(/oauth\/start/);
      expect(await context.get(uuid)).toMatchObject({ status: 'ACTIVE' }); // a single rejection is not definitive
    });

    it('accepts no other account and keeps the old authorization', async () => {
      const uuid = await active();
      await context.query('update connection set credentials_suspect_at = now() where uuid = $1', [uuid]);
      const before = await grantOf(uuid);
      const answer = await put(uuid, { fields: {} }).expect(200);
      context.google.authorization.account = 'bert@example.com';
      const { url } = await context.browser().follow(urlOf(answer));
      expect(url.search).toBe('?result=error&code=ACCOUNT_MISMATCH');
      expect(await context.get(uuid)).toMatchObject({ account: { display: 'anna@example.com' } });
      expect(await grantOf(uuid)).toEqual(before);
      await context.client.requestWithToken(context.token, 'get', `/v1/connections/${uuid}/step2`).expect(200);
    });
  });

  describe('PUT …/step2', () => {
    it('answers 200 when further scopes are required, and completes the setup when they are granted', async () => {
      const uuid = await context.authorized();
      const answer = await step2(uuid, { file_types: ['pdf', 'office'] }).expect(200);
      expect(Object.keys((answer.body as { data: object }).data)).toEqual(['authorization_url']);
      expect(await context.get(uuid)).toMatchObject({ status: 'PENDING', fields: { file_types: ['pdf', 'office'] } });

      const browser = context.browser();
      const location = await browser.startAuthorization(urlOf(answer));
      expect(new URL(location).searchParams.get('scope')?.split(' ')).toEqual([...googleDrive.oauth!.scopes, MORE]);
      await browser.follow(location);
      expect(await context.get(uuid)).toMatchObject({ status: 'ACTIVE', reason: null });
      expect((await grantOf(uuid))?.scopes).toContain(MORE);
      await step2(uuid, { file_types: ['office'] }).expect(204);
    });

    it('reports the missing scope while an active connection continues', async () => {
      const uuid = await active();
      await step2(uuid, { file_types: ['office'] }).expect(200);
      expect(await context.get(uuid)).toMatchObject({
        status: 'ACTIVE',
        health: 'ACTION_REQUIRED',
        reason: { code: 'SCOPE_MISSING', action: 'AUTHORIZE' },
      });
      await context.browser().follow(urlOf(await put(uuid, { fields: {} }).expect(200)));
      expect(await context.get(uuid)).toMatchObject({ status: 'ACTIVE', reason: null });
    });
  });

  it('lets a migrated connection wait for the scopes and then start with its defaults', async () => {
    const body = { integration_id: 'google_drive', name: 'Old', identity_uuid: context.identity, fields: {} };
    const answer = await context.client.request('post', '/v1/connections/migrate').send(body).expect(201);
    const { data } = answer.body as { data: { uuid: string } };
    expect(data).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      reason: { code: 'AUTHORIZATION_PENDING' },
      account: null,
    });
    await context.browser().follow(urlOf(answer));
    expect(await context.get(data.uuid)).toMatchObject({
      status: 'ACTIVE',
      startdate: new Date().toISOString().slice(0, 10),
      account: { display: 'anna@example.com' },
    });
    const [row] = await context.query('select immediate_fetch_trigger from connection where uuid = $1', [data.uuid]);
    expect(row).toEqual({ immediate_fetch_trigger: 'INITIAL' });
  });

  describe('and one that is deleted with its connection', () => {
    const revocations = async () => {
      await context.app.app.get(RevokeGrants, { strict: false }).revokeDue();
      return (await context.query('select 1 from oauth_revocation')).length;
    };
    const deleteConnection = (uuid: string) => context.client.request('delete', `/v1/connections/${uuid}`).expect(204);

    it('is revoked at the provider', async () => {
      context.google.authorization.account = 'carla@example.com';
      const uuid = await active();
      await deleteConnection(uuid);
      expect(await revocations()).toBe(0);
      expect(context.google.authorization.revoked).toContain('carla@example.com');
    });

    it('is revoked after its identity was deleted', async () => {
      context.google.authorization.account = 'dora@example.com';
      const identity = await context.client.createIdentity();
      const token = await context.client.createToken(identity);
      const made = await context.client
        .requestWithToken(token, 'post', '/v1/connections')
        .send({ integration_id: 'google_drive', name: 'Drive', identity_uuid: identity, fields: {} })
        .expect(201);
      await context.browser().follow(urlOf(made));
      await context.client.request('delete', `/v1/identities/${identity}`).expect(204);
      expect(await revocations()).toBe(0);
      expect(context.google.authorization.revoked).toContain('dora@example.com');
    });

    it('is kept when the account has a second connection, because the provider would revoke both', async () => {
      context.google.authorization.account = 'emil@example.com';
      const [one, other] = [await active(), await active()];
      await deleteConnection(one);
      expect(await revocations()).toBe(0);
      expect(context.google.authorization.revoked).not.toContain('emil@example.com');
      await context.client.requestWithToken(context.token, 'get', `/v1/connections/${other}/step2`).expect(200);
      await deleteConnection(other);
      expect(await revocations()).toBe(0);
      expect(context.google.authorization.revoked).toContain('emil@example.com');
    });

    it('is retried for an hour while the provider is unavailable, then dropped', async () => {
      context.google.authorization.account = 'fritz@example.com';
      const uuid = await active();
      await deleteConnection(uuid);
      context.google.authorization.clientSecret = 'changed';
      await context.query(`update oauth_revocation set attempts = 5`);
      const { google } = context;
      const revoke = google.authorization.revoke.bind(google.authorization);
      google.authorization.revoke = () => ({ status: 503 });
      expect(await revocations()).toBe(0);
      google.authorization.revoke = revoke;
      expect(google.authorization.revoked).not.toContain('fritz@example.com');
    });
  });

  it('is rejected when the deployment has no OAuth client', async () => {
    const settings = context.app.settings as { providers: Record<string, unknown> };
    const { providers } = settings;
    const uuid = await active();
    settings.providers = {};
    const listed = await context.client.request('get', '/v1/integrations/google_drive').expect(200);
    expect(listed.body).toMatchObject({ data: { available: false, auth_type: 'OAUTH2' } });
    const body = { integration_id: 'google_drive', name: 'Drive', identity_uuid: context.identity, fields: {} };
    expectError(await context.client.request('post', '/v1/connections').send(body), 422, 'INTEGRATION_NOT_AVAILABLE');
    expectError(await put(uuid, { fields: {} }), 422, 'INTEGRATION_NOT_AVAILABLE');
    settings.providers = providers;
    expect((await context.client.request('get', '/v1/integrations/google_drive')).body).toMatchObject({
      data: { available: true },
    });
    await eventually(async () => (await put(uuid, { fields: {} })).status === 200, 'it is available again');
  });
});
