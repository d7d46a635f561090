import request from 'supertest';
import { FakeMicrosoftGraph } from '../../../fakes/microsoft-graph/fake-microsoft-graph';
import { TestBrowser } from '../../../harness/http/test-browser';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine } from '../../../harness/engine/test-engine';

type Data = { uuid: string; status: string; authorization_url: string; reason: { code: string } | null };
const dataOf = (answer: { body: unknown }): Data => (answer.body as { data: Data }).data;

/** The behavior tested with Google, where Microsoft's protocol differs. */
describe('An authorization at Microsoft', () => {
  let engine: TestEngine;
  let client: TestClient;
  let graph: FakeMicrosoftGraph;
  let identity: string;
  let accounts = 0;

  beforeAll(async () => {
    graph = await FakeMicrosoftGraph.start();
    engine = await TestEngine.start({ settings: { providers: graph.settings } });
    client = await createTestClient(engine.app);
    identity = await client.createIdentity();
  });
  beforeEach(() => {
    Object.assign(graph.entra, { account: `user-${++accounts}@example.com`, consent: 'agree' });
    graph.mailbox();
  });
  afterAll(async () => {
    await engine.stop();
    await graph.stop();
    expect(graph.violations).toEqual([]);
  });

  const create = async () =>
    dataOf(
      await client
        .request('post', '/v1/connections')
        .send({ integration_id: 'outlook', name: 'Mail', identity_uuid: identity, fields: {} })
        .expect(201),
    );
  const put = async (uuid: string, path: '' | '/step2', body: object) =>
    client.requestWithToken(await client.createToken(identity), 'put', `/v1/connections/${uuid}${path}`).send(body);
  /** Starts the authorization again. */
  const again = async (uuid: string) => {
    const answer = await put(uuid, '', { fields: {} });
    expect(answer.status).toBe(200);
    return dataOf(answer).authorization_url;
  };
  /** The outcome: from the URL, or from the resumed session if there is one. */
  const agree = async (url: string, browser = new TestBrowser(engine.app)) => {
    const { searchParams } = (await browser.follow(url)).url;
    const code = searchParams.get('resume');
    if (code === null) return searchParams.get('code');
    const resuming = request(engine.app.url).post('/v1/ui/session/resume').set('Cookie', browser.cookieHeader);
    return (await resuming.send({ code })).body.data.code as string;
  };
  /** The address of Microsoft's redirect. */
  const answered = async (url: string) => {
    const browser = new TestBrowser(engine.app);
    const { location: callback } = await browser.open(await browser.startAuthorization(url));
    return { browser, callback: callback! };
  };
  /** A connection that has fetched the only mail. */
  const active = async () => {
    graph.mailbox().deliver(['first.pdf']);
    const { uuid, authorization_url } = await create();
    await agree(authorization_url);
    expect((await put(uuid, '/step2', { fields: {} })).status).toBe(204);
    await engine.waitForFetches(uuid, 1);
    return uuid;
  };

  it('that the user denies, or aborts by closing the window, changes nothing and can be started again', async () => {
    const { uuid, authorization_url } = await create();
    graph.entra.consent = 'deny';
    expect(await agree(authorization_url)).toBe('AUTHORIZATION_DENIED');
    await answered(await again(uuid)); // the user opens the page and never returns
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'PENDING',
      account: null,
      reason: { code: 'AUTHORIZATION_PENDING', action: 'AUTHORIZE' },
    });
    graph.entra.consent = 'agree';
    await agree(await again(uuid));
    expect(await getConnection(client, uuid)).toMatchObject({ account: { display: graph.entra.account } });
  });

  it('is accepted once, in time, from the browser that started it', async () => {
    const { uuid, authorization_url } = await create();
    const { browser, callback } = await answered(authorization_url);
    expect(await agree(callback, new TestBrowser(engine.app))).toBe('AUTHORIZATION_INVALID');
    expect(await getConnection(client, uuid)).toMatchObject({ account: null });
    expect(await agree(callback, browser)).toBe('AUTHORIZED');
    expect(await agree(callback, browser)).toBe('AUTHORIZATION_USED');

    const late = await answered((await create()).authorization_url);
    engine.app.clock.advance(1_801);
    expect(await agree(late.callback, late.browser)).toBe('AUTHORIZATION_EXPIRED');
    engine.app.clock.advance(-1_801);
  });

  it('that was revoked can be renewed by the same account only; then all documents since are fetched exactly once', async () => {
    const uuid = await active();
    const { account } = graph.entra;
    graph.entra.withdraw(account);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    await engine.waitForFetches(uuid, 2);
    await engine.advanceClock(120); // a single rejection is not definitive
    await engine.waitForFetches(uuid, 3);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'INVALID_CREDENTIALS' });
    graph.mailbox().deliver(['meanwhile.pdf']);

    graph.entra.account = 'somebody-else@example.com';
    graph.mailbox().deliver(['not-ours.pdf']);
    expect(await agree(await again(uuid))).toBe('ACCOUNT_MISMATCH');
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      account: { display: account },
    });

    graph.entra.account = account;
    await agree(await again(uuid));
    expect((await engine.waitForFetches(uuid, 4)).at(-1)).toMatchObject({ trigger: 'RECOVERY', new: 1, duplicate: 0 });
    expect(await getConnection(client, uuid)).toMatchObject({ uuid, status: 'ACTIVE', reason: null });
    const names = (await engine.transactions(uuid)).map(({ filename }) => filename);
    expect(names).toEqual(['first.pdf', 'meanwhile.pdf']);
  });

  it('activates a migrated connection, which then fetches what has arrived since its migration', async () => {
    graph.mailbox().deliver(['old.pdf'], { receivedDateTime: '2020-01-01T10:00:00Z' });
    const body = { integration_id: 'outlook', name: 'Old', identity_uuid: identity, fields: {} };
    const migrated = dataOf(await client.request('post', '/v1/connections/migrate').send(body).expect(201));
    expect(migrated).toMatchObject({ status: 'INVALID_CREDENTIALS', reason: { code: 'AUTHORIZATION_PENDING' } });
    await client.request('post', `/v1/connections/${migrated.uuid}/fetch-now`).expect(422);
    const receivedDateTime = engine.app.clock
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    graph.mailbox().deliver(['new.pdf'], { receivedDateTime });
    await agree(migrated.authorization_url);
    expect((await engine.waitForFetches(migrated.uuid, 1))[0]).toMatchObject({ trigger: 'INITIAL', new: 1 });
    expect(await getConnection(client, migrated.uuid)).toMatchObject({ status: 'ACTIVE', reason: null });
    expect((await engine.transactions(migrated.uuid)).map(({ filename }) => filename)).toEqual(['new.pdf']);
  });

  it('of further scopes may be denied or aborted: the granted ones continue to work until the user consents', async () => {
    const uuid = await active();
    const shared = graph.mailbox(`shared-${accounts}@example.com`);
    shared.sharedWith.add(graph.entra.account);
    shared.deliver(['shared.pdf']);
    const extended = await put(uuid, '/step2', {
      fields: { shared_mailboxes: `shared-${accounts}@example.com` },
      isUpdateFlow: true,
    });
    expect([extended.status, Object.keys(dataOf(extended))]).toEqual([200, ['authorization_url']]);
    graph.entra.consent = 'deny';
    expect(await agree(dataOf(extended).authorization_url)).toBe('AUTHORIZATION_DENIED');
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      reason: { code: 'SCOPE_MISSING', action: 'AUTHORIZE' },
    });
    graph.mailbox().deliver(['second.pdf']);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ new: 1 });

    graph.entra.consent = 'agree';
    await agree(await again(uuid));
    await engine.waitForFetches(uuid, 3); // it catches up immediately
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
    const names = (await engine.transactions(uuid)).map(({ filename }) => filename).sort();
    expect(names).toEqual(['first.pdf', 'second.pdf', 'shared.pdf']);
  });
});
