import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import request from 'supertest';
import { FakeGmail } from '../../../fakes/gmail/fake-gmail';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { FakeMicrosoftGraph } from '../../../fakes/microsoft-graph/fake-microsoft-graph';
import type { AuthorizationServer } from '../../../fakes/oauth/authorization-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { TestBrowser } from '../../../harness/http/test-browser';
import { invoiceMail } from '../../../interop/imap/invoice-mails';
import { getConnection, TestEngine } from '../../../harness/engine/test-engine';

type Data = { uuid: string; authorization_url: string };
const dataOf = (answer: { body: unknown }): Data => (answer.body as { data: Data }).data;

const [ANNA, BERT, SHARED] = ['anna@example.com', 'bert@example.com', 'invoices@example.com'];

/** The provider's authorization server, and the address that the deployment configures for it. */
interface Provider {
  readonly authorization: AuthorizationServer;
  readonly url: string;
  stop(): Promise<void>;
}
const PROVIDERS: Readonly<Record<string, () => Promise<Provider>>> = {
  gmail_imap: () => FakeGmail.start(),
  outlook_imap: async () => {
    const graph = await FakeMicrosoftGraph.start();
    return { authorization: graph.entra, url: graph.url, stop: () => graph.stop() };
  },
};

describe.each(Object.keys(PROVIDERS))('A mailbox by IMAP that its user authorizes: %s', (id) => {
  const systemAuthorities = getCACertificates('default');
  let provider: Provider;
  let mailboxes: FakeImapServer;
  let engine: TestEngine;
  let client: TestClient;
  let identity: string;

  beforeAll(async () => {
    provider = await PROVIDERS[id]!();
    mailboxes = await FakeImapServer.start({
      users: [ANNA, BERT, SHARED].map((user) => ({ user, password: 'never used' })),
      tls: 'implicit',
      // The shared mailbox is shared with Anna.
      acceptsToken: (user, token) => {
        const account = provider.authorization.accepts(`Bearer ${token}`)?.account;
        return account === user || (user === SHARED && account === ANNA);
      },
    });
    setDefaultCACertificates([...systemAuthorities, mailboxes.ca!]);
    const { clientId, clientSecret } = provider.authorization;
    const settings = {
      client: { id: clientId, secret: clientSecret },
      oauthBaseUrl: provider.url,
      apiBaseUrl: `imaps://localhost:${mailboxes.port}`,
    };
    engine = await TestEngine.start({ settings: { providers: { [id]: settings } } });
    client = await createTestClient(engine.app);
    identity = await client.createIdentity();
  });
  beforeEach(() => {
    Object.assign(provider.authorization, { account: ANNA, consent: 'agree', refreshes: 0 });
  });
  afterAll(async () => {
    await engine.stop();
    await mailboxes.stop();
    await provider.stop();
    setDefaultCACertificates(systemAuthorities);
  });

  const create = async (user: string) => {
    const body = { integration_id: id, name: 'Mailbox', identity_uuid: identity, fields: { user } };
    return dataOf(await client.request('post', '/v1/connections').send(body).expect(201));
  };
  const put = async (uuid: string, path: '' | '/step2', body: object) =>
    client.requestWithToken(await client.createToken(identity), 'put', `/v1/connections/${uuid}${path}`).send(body);
  /** The outcome of an authorization. */
  const authorize = async (url: string): Promise<unknown> => {
    const browser = new TestBrowser(engine.app);
    const { searchParams } = (await browser.follow(url)).url;
    const code = searchParams.get('resume');
    if (code === null) return searchParams.get('code');
    const resuming = request(engine.app.url).post('/v1/ui/session/resume').set('Cookie', browser.cookieHeader);
    return ((await resuming.send({ code })).body as { data: { code: unknown } }).data.code;
  };
  /** An active connection to a mailbox with one document. */
  const active = async (user: string): Promise<string> => {
    mailboxes.append('INBOX', invoiceMail(`${user}.pdf`).build(), {}, user);
    const { uuid, authorization_url } = await create(user);
    expect(await authorize(authorization_url)).toBe('AUTHORIZED');
    expect(await getConnection(client, uuid)).toMatchObject({ account: { display: user } });
    expect((await put(uuid, '/step2', { fields: { folders: ['INBOX'] } })).status).toBe(204);
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED' });
    const names = (await engine.transactions(uuid)).map(({ filename }) => filename);
    expect(names).toContain(`${user}.pdf`);
    return uuid;
  };
  const fetchNow = (uuid: string) => client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);

  it('is read with access tokens only, and an expired one is renewed once', async () => {
    const uuid = await active(ANNA);
    provider.authorization.expireAccessTokens();
    await fetchNow(uuid);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED' });
    expect(provider.authorization.refreshes).toBe(1);
    expect(mailboxes.commands).not.toContain('LOGIN');
    expect(mailboxes.changes).toEqual([]);
  });

  it('needs a new consent when the authorization was revoked, and then catches up', async () => {
    provider.authorization.account = BERT;
    const own = await active(BERT);
    provider.authorization.withdraw(BERT);
    await fetchNow(own);
    await engine.waitForFetches(own, 2);
    await engine.advanceClock(120); // a single rejection is not definitive
    await engine.waitForFetches(own, 3);
    expect(await getConnection(client, own)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      reason: { code: 'CONSENT_REVOKED', action: 'AUTHORIZE' },
    });
    mailboxes.append('INBOX', invoiceMail('meanwhile.pdf').build(), {}, BERT);
    const again = await put(own, '', { fields: {} });
    expect(await authorize(dataOf(again).authorization_url)).toBe('AUTHORIZED');
    expect(await engine.waitForLastFetch(own, 4)).toMatchObject({ trigger: 'RECOVERY', new: 1, status: 'SUCCEEDED' });
    expect(await getConnection(client, own)).toMatchObject({ status: 'ACTIVE', reason: null });
  });

  it('may be a shared one: the user signs in with an account that has access to it', async () => {
    const { uuid, authorization_url } = await create(SHARED);
    provider.authorization.account = BERT;
    expect(await authorize(authorization_url)).toBe('ACCOUNT_WITHOUT_ACCESS');
    expect(await getConnection(client, uuid)).toMatchObject({
      account: null,
      reason: { code: 'AUTHORIZATION_PENDING' },
    });
    provider.authorization.account = ANNA;
    await active(SHARED);
  });
});
