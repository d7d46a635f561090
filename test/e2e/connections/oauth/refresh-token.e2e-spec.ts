import { createHash, randomBytes } from 'node:crypto';
import request from 'supertest';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { useGoogle } from './google-authorization';

describe('An access token', () => {
  const context = useGoogle({ role: 'all' });
  let second: TestApp;

  beforeAll(async () => {
    const { databaseUrl, settings, clock } = context.app;
    second = await startApp({ databaseUrl, clock, settings: { providers: settings.providers } });
  });
  afterAll(() => second.stop());
  beforeEach(() => {
    const { authorization } = context.google;
    Object.assign(authorization, { rotates: true, refreshes: 0, onRefresh: () => undefined, expiresIn: 3599 });
    context.google.fault = () => undefined;
  });

  const step2 = (uuid: string, app: TestApp = context.app) =>
    request(app.url).get(`/v1/connections/${uuid}/step2`).set('X-TOKEN', context.token);
  const ended = async (uuid: string) => {
    context.google.authorization.expireAccessTokens();
    await context.query(
      `update oauth_grant set refresh_due_at = now() - interval '10 min', expires_at = now() - interval '5 min' where connection_uuid = $1`,
      [uuid],
    );
  };
  const grant = async (uuid: string) =>
    (
      await context.query<{ generation: number; lease_token: string | null }>(
        'select generation, lease_token from oauth_grant where connection_uuid = $1',
        [uuid],
      )
    )[0]!;

  it('is refreshed once under concurrent requests in two instances', async () => {
    const uuid = await context.authorized();
    await ended(uuid);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => step2(uuid, n % 2 ? second : context.app)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(context.google.authorization.refreshes).toBe(1);
    expect(await grant(uuid)).toEqual({ generation: 2, lease_token: null });
    // The refresh token of the same response is the valid one.
    await ended(uuid);
    expect((await step2(uuid, second)).status).toBe(200);
    expect(context.google.authorization.refreshes).toBe(2);
  });

  it('is committed with its refresh token before it is used', async () => {
    const uuid = await context.authorized();
    await ended(uuid);
    const committed: Promise<{ generation: number }>[] = [];
    context.google.fault = () => void committed.push(grant(uuid));
    expect((await step2(uuid)).status).toBe(200);
    expect(committed.length).toBeGreaterThan(0);
    for (const row of await Promise.all(committed)) expect(row.generation).toBe(2);
  });

  it('is refreshed when the provider rejects it before its expiry', async () => {
    const uuid = await context.authorized();
    context.google.authorization.expireAccessTokens();
    expect((await step2(uuid)).status).toBe(200);
    expect(context.google.authorization.refreshes).toBe(1);
  });

  it('is used while it is valid and cannot be refreshed', async () => {
    const uuid = await context.authorized();
    await context.query(`update oauth_grant set refresh_due_at = now() - interval '1 min' where connection_uuid = $1`, [
      uuid,
    ]);
    context.google.authorization.onRefresh = () => ({ status: 503 });
    expect((await step2(uuid)).status).toBe(200);
    expect(context.google.authorization.refreshes).toBe(1);
  });

  it('is not lost while the provider is unavailable', async () => {
    const uuid = await context.authorized();
    await ended(uuid);
    context.google.authorization.onRefresh = () => ({ status: 503 });
    expectError(await step2(uuid), 422, 'PROVIDER_UNREACHABLE');
    expect(await context.get(uuid)).toMatchObject({ status: 'PENDING', reason: { code: 'SETUP_INCOMPLETE' } });
    context.google.authorization.onRefresh = () => undefined;
    await eventually(async () => (await step2(uuid)).status === 200, 'it is renewed');
  });

  it('survives a rejected OAuth client, which is not the user’s error', async () => {
    const uuid = await context.authorized();
    await ended(uuid);
    context.google.authorization.clientSecret = 'changed';
    expectError(await step2(uuid), 422, 'INTEGRATION_NOT_AVAILABLE');
    context.google.authorization.clientSecret = 'client-secret';
    await eventually(async () => (await step2(uuid)).status === 200, 'it is renewed');
  });

  it('is lost with its grant: one request is made, and a second rejection invalidates the connection', async () => {
    const uuid = await context.authorized();
    await context.client
      .requestWithToken(context.token, 'put', `/v1/connections/${uuid}/step2`)
      .send({ fields: {} })
      .expect(204);
    await eventually(
      async () => ((await context.get(uuid)).last_success_at ? true : null),
      'the first fetch has ended',
    );
    context.google.authorization.withdraw('anna@example.com');
    await ended(uuid);
    context.google.authorization.refreshes = 0;
    const answers = await Promise.all(Array.from({ length: 4 }, () => step2(uuid)));
    for (const answer of answers) expectError(answer, 422, 'CREDENTIALS_REJECTED');
    expect(context.google.authorization.refreshes).toBe(1);

    const fetchNow = () => context.client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    await fetchNow();
    await eventually(async () => (await context.get(uuid)).reason, 'the first no is known');
    expect(await context.get(uuid)).toMatchObject({ status: 'ACTIVE', reason: { code: 'CONSENT_REVOKED' } });
    context.app.clock.advance(61);
    await eventually(async () => (await context.get(uuid)).status === 'INVALID_CREDENTIALS', 'the second no counts');
    context.app.clock.advance(-61);
  });

  it('may expire during a download, which continues with the next one', async () => {
    context.google.authorization.account = 'gerd@example.com';
    const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3_000_000)]);
    context.google.drive().put('Rechnungen/groß.pdf', content);
    const uuid = await context.authorized();
    let cuts = 0;
    context.google.fault = ({ query }) => {
      if (query.get('alt') !== 'media' || cuts++ > 0) return undefined;
      context.google.authorization.expireAccessTokens();
      return { cutAfter: 1_000_000 };
    };
    await context.client
      .requestWithToken(context.token, 'put', `/v1/connections/${uuid}/step2`)
      .send({ fields: {} })
      .expect(204);
    const [transaction] = await eventually(async () => {
      const { body } = await context.client.request('get', `/v1/transactions?connection_uuid=${uuid}`);
      const { data } = body as { data: { external_id: string; document: { sha256: string; size: number } }[] };
      return data.length > 0 && data;
    }, 'the document has come');
    expect(transaction!.document).toMatchObject({
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(context.google.authorization.refreshes).toBe(1);
    const ranges = context.google.requests.map(({ range }) => range).filter((range) => range !== undefined);
    expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
  });
});
