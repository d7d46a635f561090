import { createHash } from 'node:crypto';
import { RevokeGrants } from '../../../../src/connections/oauth/tokens/revoke-grants';
import { FakeBox } from '../../../fakes/box/fake-box';
import { refused } from '../../../fakes/dropbox/dropbox-endpoints';
import { FakeDropbox } from '../../../fakes/dropbox/fake-dropbox';
import { TestBrowser } from '../../../harness/http/test-browser';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { getConnection, TestEngine } from '../../../harness/engine/test-engine';

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** The common interface of both fakes. */
interface Storage {
  put(path: string, content: string): { readonly id: string };
  folder(path: string): { readonly id: string };
}

describe('Fetching from cloud storage with OAuth', () => {
  let engine: TestEngine;
  let client: TestClient;
  let dropbox: FakeDropbox;
  let box: FakeBox;
  let accounts = 0;

  beforeAll(async () => {
    [dropbox, box] = await Promise.all([FakeDropbox.start(), FakeBox.start()]);
    engine = await TestEngine.start({ settings: { providers: { ...dropbox.settings, ...box.settings } } });
    client = await createTestClient(engine.app);
  });
  beforeEach(() => {
    const account = `user-${++accounts}@example.com`;
    dropbox.authorization.account = account;
    box.authorization.account = account;
  });
  afterEach(() => {
    dropbox.fault = () => undefined;
    box.fault = () => undefined;
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([dropbox.stop(), box.stop()]);
    expect([...dropbox.violations, ...box.violations]).toEqual([]);
  });

  /** Like a user in the hosted UI: create, consent at the provider, select. */
  const authorized = async (integration: string, choose: (folders: string[]) => Record<string, unknown>) => {
    const identity = await client.createIdentity();
    const token = await client.createToken(identity);
    const body = { integration_id: integration, name: 'Documents', identity_uuid: identity, fields: {} };
    const created = await client.requestWithToken(token, 'post', '/v1/connections').send(body).expect(201);
    const { uuid, authorization_url } = (created.body as { data: { uuid: string; authorization_url: string } }).data;
    const { url } = await new TestBrowser(engine.app).follow(authorization_url);
    expect(url.href).toMatch(/^https:\/\/docfetch\.test\/ui\?resume=/);
    const step2 = `/v1/connections/${uuid}/step2`;
    const shown = await client.requestWithToken(token, 'get', step2).expect(200);
    const [tree] = (shown.body as { data: { fields: { options: { value: string }[] }[] } }).data.fields;
    const more = await client
      .requestWithToken(token, 'post', `${step2}/folders/more`)
      .send({ parent_id: tree!.options[0]!.value })
      .expect(200);
    const options = (more.body as { data: { options: { value: string }[] } }).data.options;
    const fields = choose(options.map(({ value }) => value));
    await client.requestWithToken(token, 'put', step2).send({ fields }).expect(204);
    return uuid;
  };
  const fetchAgain = async (uuid: string, count: number) => {
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };
  const storages: [string, () => Storage][] = [
    ['dropbox', () => dropbox.files()],
    ['box', () => box.files()],
  ];

  it.each(storages)(
    'records from %s the documents of the selected folders, then new ones, each exactly once',
    async (integration, at) => {
      const files = at();
      for (let n = 0; n < 20; n++) files.put(`Büro/2026/${n}.pdf`, `%PDF-1.7 ${n}`);
      const letter = files.put('Büro/Rechnung Ü.pdf', '%PDF-1.7 ü');
      files.put('Büro/Kopie.pdf', '%PDF-1.7 0');
      files.put('Büro/leer.pdf', '');
      files.put('Privat/nicht.pdf', '%PDF-1.7 nicht');
      const uuid = await authorized(integration, () => ({ folders: [files.folder('Büro').id] }));
      const [first] = await engine.waitForFetches(uuid, 1);
      expect(first).toMatchObject({ status: 'SUCCEEDED', seen: 23, new: 21, duplicate: 1, filtered: 1, failed: 0 });
      const rows = await engine.transactions(uuid);
      expect(rows.find(({ filename }) => filename === 'Rechnung Ü.pdf')).toMatchObject({
        sha256: sha256('%PDF-1.7 ü'),
        external_id: letter.id,
        mime_type: 'application/pdf',
        metadata: { source: { kind: 'file', path: 'Rechnung Ü.pdf' } },
      });
      expect(await getConnection(client, uuid)).toMatchObject({
        status: 'ACTIVE',
        health: 'OK',
        account: { display: dropbox.authorization.account },
      });

      expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
      files.put('Büro/neu.pdf', '%PDF-1.7 neu');
      expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1 });
      expect(await engine.transactions(uuid)).toHaveLength(22);
    },
  );

  it('downloads no renamed or moved file again, and continues when Dropbox resets the cursor', async () => {
    const files = dropbox.files();
    const item = files.put('Eingang/a.pdf', '%PDF-1.7 a');
    files.put('Eingang/b.pdf', '%PDF-1.7 b');
    const uuid = await authorized('dropbox', () => ({}));
    await engine.waitForFetches(uuid, 1);
    files.move(item, files.folder('Archiv'), 'umbenannt.pdf');
    files.invalidateCursors();
    files.put('Eingang/c.pdf', '%PDF-1.7 c');
    dropbox.requests.length = 0;
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1 });
    expect(dropbox.requests.filter(({ route }) => route === 'files/download')).toHaveLength(1);
  });

  it('works with Box’s single-use refresh tokens', async () => {
    const files = box.files();
    files.put('1.pdf', '%PDF-1.7 1');
    const uuid = await authorized('box', () => ({}));
    await engine.waitForFetches(uuid, 1);
    const given: string[] = [];
    box.authorization.onRefresh = (token) => void given.push(token);
    for (let round = 2; round < 5; round++) {
      files.put(`${round}.pdf`, `%PDF-1.7 ${round}`);
      await engine.advanceClock(3_900); // the access token has expired
      expect(await fetchAgain(uuid, round)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
    }
    box.authorization.onRefresh = () => undefined;
    expect(given).toHaveLength(3);
    expect(new Set(given).size).toBe(3);
    expect(await engine.transactions(uuid)).toHaveLength(4);
  });

  it('waits as long as Dropbox requests, and keeps its progress', async () => {
    const files = dropbox.files();
    files.put('a.pdf', '%PDF-1.7 a');
    const uuid = await authorized('dropbox', () => ({}));
    await engine.waitForFetches(uuid, 1);
    files.put('b.pdf', '%PDF-1.7 b');
    dropbox.fault = ({ route }) =>
      route === 'files/list_folder/continue'
        ? {
            answer: {
              status: 429,
              json: { error_summary: 'x', error: { reason: { '.tag': 'too_many_requests' }, retry_after: 300 } },
            },
          }
        : undefined;
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'FAILED', error_code: 'RATE_LIMITED' });
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', reason: { code: 'RATE_LIMITED' } });
    dropbox.fault = () => undefined;
    await engine.advanceClock(420);
    expect((await engine.waitForFetches(uuid, 3)).at(-1)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
  });

  it('invalidates credentials only after two rejections', async () => {
    const files = dropbox.files();
    files.put('a.pdf', '%PDF-1.7 a');
    const uuid = await authorized('dropbox', () => ({}));
    await engine.waitForFetches(uuid, 1);
    dropbox.fault = () => ({ answer: refused(401, 'user_suspended') });
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'FAILED', error_code: 'CONSENT_REVOKED' });
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE' });
    await engine.advanceClock(90);
    await engine.waitForFetches(uuid, 3);
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      reason: { code: 'CONSENT_REVOKED', action: 'AUTHORIZE' },
    });
  });

  it.each([
    ['dropbox', () => dropbox.authorization],
    ['box', () => box.authorization],
  ] as const)(
    'revokes the authorization at %s with the connection, even with an expired access token',
    async (integration, at) => {
      const uuid = await authorized(integration, () => ({}));
      await engine.waitForFetches(uuid, 1);
      at().expireAccessTokens();
      await client.request('delete', `/v1/connections/${uuid}`).expect(204);
      await engine.app.app.get(RevokeGrants, { strict: false }).revokeDue();
      // The service may have claimed it already, and is revoking it.
      await eventually(
        async () => (await engine.count('select count(*) from oauth_revocation')) === 0,
        'the revocation is done',
      );
      expect(at().revoked).toContain(at().account);
    },
  );
});
