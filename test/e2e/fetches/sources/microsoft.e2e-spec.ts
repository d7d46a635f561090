import { DriveState } from '../../../fakes/microsoft-graph/drive-state';
import { FakeMicrosoftGraph } from '../../../fakes/microsoft-graph/fake-microsoft-graph';
import { TestBrowser } from '../../../harness/http/test-browser';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine } from '../../../harness/engine/test-engine';

type Answer = { data: { uuid: string; authorization_url: string } };

/** Documents are not sent before three are requested concurrently. */
function untilThreeWait(): (url: URL) => Promise<undefined> {
  const waiting: (() => void)[] = [];
  return async ({ pathname }) => {
    if (!pathname.endsWith('/$value') || waiting.length >= 3) return undefined;
    await new Promise<void>((go) => {
      waiting.push(go);
      if (waiting.length >= 3) for (const each of waiting) each();
    });
    return undefined;
  };
}

describe('Fetching with Microsoft Graph', () => {
  let engine: TestEngine;
  let client: TestClient;
  let graph: FakeMicrosoftGraph;
  let accounts = 0;

  beforeAll(async () => {
    graph = await FakeMicrosoftGraph.start();
    engine = await TestEngine.start({ settings: { providers: graph.settings } });
    client = await createTestClient(engine.app);
  });
  beforeEach(() => {
    Object.assign(graph.entra, {
      account: `user-${++accounts}@example.com`,
      consent: 'agree',
      needsAdmin: false,
      expiresIn: 3_599,
    });
    graph.entra.asked.length = 0;
    graph.mostAtOnce = 0;
    graph.fault = () => undefined;
  });
  afterAll(async () => {
    await engine.stop();
    await graph.stop();
    expect(graph.violations).toEqual([]);
  });

  /** A connection whose user has consented, and a function that saves its second step. */
  async function authorized(integration: 'microsoft_drive' | 'outlook') {
    const identity = await client.createIdentity();
    const token = await client.createToken(identity);
    const connection = { integration_id: integration, name: 'Microsoft', identity_uuid: identity, fields: {} };
    const { body } = await client.requestWithToken(token, 'post', '/v1/connections').send(connection).expect(201);
    const { uuid, authorization_url } = (body as Answer).data;
    await agree(authorization_url);
    const step2 = (fields: object) =>
      client.requestWithToken(token, 'put', `/v1/connections/${uuid}/step2`).send({ fields });
    return { uuid, step2 };
  }

  const agree = (url: string) => new TestBrowser(engine.app).follow(url);

  const fetchAgain = async (uuid: string, count: number) => {
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };

  it('records the files of OneDrive, and those of SharePoint after an additional consent', async () => {
    const { own, sites } = graph.files();
    const library = new DriveState('Dokumente', 'documentLibrary');
    sites.push({ id: 'contoso.sharepoint.com,1,2', displayName: 'Finanzen', libraries: [library] });
    const file = own.put('Rechnungen/RE-1.pdf', '%PDF-1.7 one');
    own.put('Privat/2.pdf', '%PDF-1.7 private');
    library.put('2026/RE-3.pdf', '%PDF-1.7 three');

    const { uuid, step2 } = await authorized('microsoft_drive');
    expect(await getConnection(client, uuid)).toMatchObject({ account: { display: graph.entra.account } });
    const folder = `${own.id}/${own.folder('Rechnungen').id}`;
    await step2({ folders: [folder] }).expect(204);
    expect((await engine.waitForFetches(uuid, 1))[0]).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1 });
    const [row] = await engine.transactions(uuid);
    expect(row).toMatchObject({ external_id: file.id, filename: 'RE-1.pdf', mime_type: 'application/pdf' });
    expect(row!.metadata).toMatchObject({ source: { kind: 'file', path: 'RE-1.pdf' } });

    const { body } = await step2({ folders: [folder, 'sharepoint'] }).expect(200);
    await agree((body as Answer).data.authorization_url);
    const [, scopes] = graph.entra.asked;
    expect([...scopes!].sort()).toEqual(
      expect.arrayContaining(['Files.Read.All', 'Sites.Read.All', 'User.Read', 'offline_access']),
    );
    expect(scopes).not.toContain('openid'); // granted without a request: requesting it would return an identity token
    await engine.waitForFetches(uuid, 2); // it catches up immediately
    await step2({ folders: [folder, `sharepoint:${library.id}/root`] }).expect(204);
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', new: 1, duplicate: 0 });

    // After a move, only the new file is reported.
    own.change(file.id, { name: 'umbenannt.pdf' });
    library.put('2026/RE-4.pdf', '%PDF-1.7 four');
    expect(await fetchAgain(uuid, 4)).toMatchObject({ status: 'SUCCEEDED', new: 1, duplicate: 0 });
    expect((await engine.transactions(uuid)).map(({ filename }) => filename)).toEqual([
      'RE-1.pdf',
      'RE-3.pdf',
      'RE-4.pdf',
    ]);
  });

  it('records the attachments of mails and of a shared mailbox, with at most four concurrent requests', async () => {
    const own = graph.mailbox();
    const shared = graph.mailbox('rechnungen@example.com');
    shared.sharedWith.add(graph.entra.account);
    for (let n = 0; n < 40; n++) own.deliver([`${n}.pdf`]);
    shared.copy(own.deliver(['both.pdf']));
    shared.deliver(['shared.pdf']);
    graph.fault = untilThreeWait();
    own.deliver([{ name: 'link.pdf', type: 'reference', contentType: null }]);

    const { uuid, step2 } = await authorized('outlook');
    const { body } = await step2({ folders: ['inbox'], shared_mailboxes: 'rechnungen@example.com' }).expect(200);
    await agree((body as Answer).data.authorization_url);
    expect((await engine.waitForFetches(uuid, 1))[0]).toMatchObject({
      status: 'SUCCEEDED',
      new: 42, // the copy in the other mailbox is not another document
      filtered: 1,
      failed: 0,
    });
    expect(graph.mostAtOnce).toBeGreaterThanOrEqual(3);
    expect(graph.mostAtOnce).toBeLessThanOrEqual(4);
    const rows = await engine.transactions(uuid);
    expect(rows.find(({ filename }) => filename === 'shared.pdf')).toMatchObject({
      external_id: null,
      metadata: {
        source: {
          kind: 'mail',
          path: 'rechnungen@example.com/Posteingang',
          sender: { name: 'Müller & Söhne', address: 'billing@supplier.example' },
        },
      },
    });
    own.read([...own.mails.values()][0]!);
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
  });

  it('reports an empty attachment as failed, and records the others', async () => {
    graph.mailbox().deliver([{ name: 'leer.pdf', content: Buffer.alloc(0) }, 'a.pdf']);
    const { uuid, step2 } = await authorized('outlook');
    await step2({}).expect(204);
    expect((await engine.waitForFetches(uuid, 1))[0]).toMatchObject({ status: 'PARTIAL', seen: 2, new: 1, failed: 1 });
    expect((await engine.transactions(uuid)).map(({ filename }) => filename)).toEqual(['a.pdf']);
  });

  it('continues with a new access token when Microsoft revokes one early, and reports a revoked consent', async () => {
    graph.mailbox().deliver(['a.pdf']);
    const { uuid, step2 } = await authorized('outlook');
    await step2({}).expect(204);
    await engine.waitForFetches(uuid, 1);
    graph.entra.expireAccessTokens();
    graph.mailbox().deliver(['b.pdf']);
    const refreshes = graph.entra.refreshes;
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
    expect(graph.entra.refreshes).toBe(refreshes + 1);
    graph.entra.withdraw(graph.entra.account);
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'FAILED' });
    await engine.advanceClock(120); // a single rejection is not definitive
    await engine.waitForFetches(uuid, 4);
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      reason: { code: 'CONSENT_REVOKED', action: 'AUTHORIZE' },
    });
  });

  it('keeps the connection when the organization requires an administrator’s consent', async () => {
    graph.mailbox();
    Object.assign(graph.entra, { consent: 'deny', needsAdmin: true });
    const { uuid } = await authorized('outlook');
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'PENDING', account: null });
  });
});
