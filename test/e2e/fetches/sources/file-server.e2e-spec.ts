import { createHash } from 'node:crypto';
import type { Metadata } from '../../../../src/documents/metadata';
import { ciiInvoice, pdfInvoice, ublInvoice, zugferdInvoice } from '../../../builders/invoice-documents';
import { FakeSftpServer, HOME, newKey } from '../../../fakes/sftp/fake-sftp-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { pdfWith } from '../../../samples/e-invoices/pdf-with';
import { connect, getConnection, TestEngine } from '../../../harness/engine/test-engine';

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('Fetching from a file server', () => {
  let engine: TestEngine;
  let client: TestClient;
  let server: FakeSftpServer;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  beforeEach(async () => {
    server = await FakeSftpServer.start();
  });
  afterEach(() => server.stop());
  afterAll(() => engine.stop());

  const typed = () => ({ host: 'localhost', port: server.port, user: 'anna', password: 'right' });
  const login = () => ({ ...typed(), trusted_fingerprint: server.fingerprint });
  const files = (step2: Record<string, unknown> = {}) => connect(client, 'sftp', login(), step2);
  const fetchNow = (uuid: string) => client.request('post', `/v1/connections/${uuid}/fetch-now`);
  const fetchAgain = async (uuid: string, count: number) => {
    await fetchNow(uuid).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };
  const contents = async (uuid: string) => (await engine.transactions(uuid)).map((row) => row.sha256).sort();

  it('records every selected file with its bytes, type and metadata', async () => {
    const xml = ublInvoice({ number: 'RE-2026-77', date: '2026-03-01' });
    const modified = new Date('2026-03-02T10:00:00Z');
    server.put('Büro/Rechnung Ü.pdf', '%PDF-1.7 a', modified);
    server.put('Büro/2026/e.xml', xml, modified);
    server.put('Büro/Entwurf 1.pdf', '%PDF-1.7 b');
    server.put('Büro/leer.pdf', '');
    server.put('Büro/programm.exe', 'MZ');
    server.put('anderswo/nicht.pdf', '%PDF-1.7 c');
    const uuid = await files({ folders: ['Büro'], exclude: 'entwurf*' });
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 5, new: 2, filtered: 3, duplicate: 0, failed: 0 });
    expect(fetch!.filtered_by).toEqual({ EMPTY: 1, PATTERN: 1, TYPE: 1 });
    const rows = await engine.transactions(uuid);
    expect(rows.find(({ filename }) => filename === 'Rechnung Ü.pdf')).toMatchObject({
      sha256: sha256('%PDF-1.7 a'),
      mime_type: 'application/pdf',
      external_id: null,
      // The content ends before a PDF does.
      metadata: {
        damaged: true,
        source: { kind: 'file', path: 'Büro/Rechnung Ü.pdf', modified_at: '2026-03-02T10:00:00Z' },
      },
    });
    expect(rows.find(({ filename }) => filename === 'e.xml')).toMatchObject({
      document_type: 'invoice',
      metadata: { number: 'RE-2026-77', e_invoice: { format: 'XRECHNUNG' }, source: { path: 'Büro/2026/e.xml' } },
    });
    // Nothing is reported twice: neither fetched nor skipped documents.
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
  });

  it('records the forms of one invoice in a folder as one document, and what comes later as its own', async () => {
    const invoice = (number: string) => ({ number, date: '2026-03-01' });
    const [named, apart, later] = [invoice('RE-1'), invoice('RE-2'), invoice('RE-3')];
    const hybrid = await zugferdInvoice(named);
    server.put('a.xml', ciiInvoice(named));
    server.put('a.pdf', hybrid);
    const xml = ublInvoice(apart);
    server.put('invoice.xml', xml);
    server.put('scan.pdf', await pdfInvoice(apart));
    const late = ublInvoice(later);
    server.put('late.xml', late);
    // More than one commit, before and between the others in the listing.
    for (let n = 0; n < 25; n++) server.put(`b${n}.pdf`, `%PDF-1.7 ${n}\n%%EOF`);
    const uuid = await files();
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 30, new: 28, duplicate: 2, failed: 0 });
    const rows = await engine.transactions(uuid);
    const formsOf = (content: Buffer) =>
      (rows.find((row) => row.sha256 === sha256(content))!.metadata as Metadata).renditions?.map(
        ({ filename }) => filename,
      );
    expect([formsOf(hybrid), formsOf(xml), formsOf(late)]).toEqual([['a.xml'], ['scan.pdf'], undefined]);

    // A copy of a rendition is no document either; another form of an invoice of an earlier fetch is.
    server.put('copy of a.xml', ciiInvoice(named));
    server.put('late.pdf', await pdfInvoice(later));
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 2, new: 1, duplicate: 1 });

    await client.request('delete', `/v1/connections/${uuid}`).expect(204);
    expect(await engine.count('select count(*) from rendition where connection_uuid = $1', uuid)).toBe(0);
    expect(await engine.count('select count(*) from content where owner_uuid = $1', uuid)).toBe(0);
  });

  it('passes encrypted messages through and reports it', async () => {
    const locked = await pdfWith({ userPassword: 'geheim' });
    server.put('gesperrt.pdf', locked);
    server.put('nur lesen.pdf', await pdfWith({ ownerPassword: 'geheim' }));
    const uuid = await files();
    await engine.waitForFetches(uuid, 1);
    const rows = await engine.transactions(uuid);
    const of = (name: string) => rows.find(({ filename }) => filename === name)!;
    expect(of('gesperrt.pdf')).toMatchObject({ sha256: sha256(locked), metadata: { encrypted: true } });
    expect(of('nur lesen.pdf').metadata).not.toHaveProperty('encrypted');
    expect(of('nur lesen.pdf').metadata).not.toHaveProperty('damaged');
  });

  it('records no renamed, moved, copied or touched file twice, and downloads it at most once', async () => {
    for (const name of ['a', 'b', 'c']) server.put(`Eingang/${name}.pdf`, `%PDF-1.7 ${name}`);
    server.put('Kopien/a.pdf', '%PDF-1.7 a');
    const uuid = await files();
    const [first] = await engine.waitForFetches(uuid, 1);
    expect(first).toMatchObject({ status: 'SUCCEEDED', seen: 4, new: 3, duplicate: 1 });
    server.files.rename(`${HOME}/Eingang/a.pdf`, `${HOME}/Eingang/umbenannt.pdf`);
    server.files.rename(`${HOME}/Eingang/b.pdf`, `${HOME}/Archiv/2026/b.pdf`);
    server.put('Eingang/c.pdf', '%PDF-1.7 c', new Date('2026-01-01T00:00:00Z'));
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 3, new: 0, duplicate: 3 });
    server.reads = 0;
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
    expect(server.reads).toBe(0);
    expect(await contents(uuid)).toEqual(['a', 'b', 'c'].map((name) => sha256(`%PDF-1.7 ${name}`)).sort());
  });

  it('records a changed file as a new document', async () => {
    server.put('a.pdf', '%PDF-1.7 first');
    const uuid = await files();
    await engine.waitForFetches(uuid, 1);
    server.put('a.pdf', '%PDF-1.7 other', new Date('2026-02-01T00:00:00Z'));
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1 });
    expect(await contents(uuid)).toEqual([sha256('%PDF-1.7 first'), sha256('%PDF-1.7 other')].sort());
  });

  it('resumes a download after a broken connection', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(3_000_000, 'lang '));
    server.put('lang.pdf', content);
    const offsets: number[] = [];
    server.onRead = (_, offset) => {
      offsets.push(offset);
      return offsets.length === 40;
    };
    const uuid = await files();
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', new: 1, failed: 0 });
    expect(await contents(uuid)).toEqual([sha256(content)]);
    // Resumed after the first bytes.
    expect(offsets.filter((offset) => offset === 0)).toHaveLength(1);
  });

  it('lists unreadable files as failed, and fetches them once permitted', async () => {
    server.put('offen.pdf', '%PDF-1.7 offen');
    const node = server.put('zu.pdf', '%PDF-1.7 zu');
    node.isClosed = true;
    const uuid = await files();
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'PARTIAL', seen: 2, new: 1, failed: 1 });
    node.isClosed = false;
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1, failed: 0 });
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
  });

  it('shows the host key before the first login, and logs in after the user has accepted it', async () => {
    const identity_uuid = await client.createIdentity();
    const create = (fields: object) =>
      client.request('post', '/v1/connections').send({ integration_id: 'sftp', name: 'x', identity_uuid, fields });
    const refused = await create(typed());
    expectError(refused, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'HOST_KEY_UNKNOWN' });
    expect(refused.body).toMatchObject({ errors: [{ fingerprint: server.fingerprint }] });
    const other = `SHA256:${'A'.repeat(43)}`;
    const again = await create({ ...typed(), trusted_fingerprint: other });
    expectError(again, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'HOST_KEY_CHANGED' });
    expect(again.body).toMatchObject({ errors: [{ fingerprint: server.fingerprint }] });
    for (const wrong of [server.fingerprint.replace('SHA256:', 'MD5:'), 'x', '00:11']) {
      expectError(await create({ ...typed(), trusted_fingerprint: wrong }), 422, 'VALIDATION_FAILED', {
        'fields.trusted_fingerprint': 'INVALID_FORMAT',
      });
    }
    expect(server.logins).toEqual([]);
    const { body } = await create(login()).expect(201);
    const { uuid } = (body as { data: { uuid: string } }).data;
    const [row] = await engine.rows<{ trusted_fingerprints: unknown }>(
      'select trusted_fingerprints from connection where uuid = $1',
      uuid,
    );
    expect(row!.trusted_fingerprints).toEqual({ [`localhost:${server.port}`]: `ssh-ed25519 ${server.fingerprint}` });
  });

  it('rejects a changed host key until the user accepts it', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    const uuid = await files();
    await engine.waitForFetches(uuid, 1);
    const token = await client.createToken(
      ((await getConnection(client, uuid)) as unknown as { identity_uuid: string }).identity_uuid,
    );
    const hostField = async () => {
      const { body } = await client.requestWithToken(token, 'get', `/v1/connections/${uuid}/information`).expect(200);
      const [step1] = (body as { data: { steps: { fields: { id: string; display_value: string }[] }[] } }).data.steps;
      return step1!.fields.find(({ id }) => id === 'host')!.display_value;
    };
    const shown = await hostField();
    expect(shown).toMatch(/^localhost \(ssh-ed25519 SHA256:[\w+/]{43}\)$/);

    const { port } = server;
    await server.stop();
    server = await FakeSftpServer.start({ port });
    server.put('b.pdf', '%PDF-1.7 b');
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'FAILED', error_code: 'HOST_KEY_CHANGED' });
    expect(server.logins).toEqual([]);
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      health: 'ACTION_REQUIRED',
      reason: { code: 'HOST_KEY_CHANGED', action: 'UPDATE_CREDENTIALS' },
    });
    const refused = await client.requestWithToken(token, 'get', `/v1/connections/${uuid}/step2`).expect(422);
    expect(refused.body).toMatchObject({
      code: 'PROVIDER_UNREACHABLE',
      errors: [{ field: 'fields.host', code: 'HOST_KEY_CHANGED' }],
    });

    const put = (fields: object) => client.requestWithToken(token, 'put', `/v1/connections/${uuid}`).send({ fields });
    const unchanged = await put({ password: 'right' });
    expectError(unchanged, 422, 'PROVIDER_UNREACHABLE', { 'fields.host': 'HOST_KEY_CHANGED' });
    expect(unchanged.body).toMatchObject({ errors: [{ fingerprint: server.fingerprint }] });
    expect(server.logins).toEqual([]);
    await put({ trusted_fingerprint: server.fingerprint }).expect(200);
    await engine.runPolls();
    expect((await engine.waitForFetches(uuid, 3)).at(-1)).toMatchObject({
      trigger: 'RECOVERY',
      status: 'SUCCEEDED',
      new: 1,
    });
    expect(await hostField()).not.toBe(shown);
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'OK', reason: null });
  });

  const migrate = async (fields: object): Promise<string> => {
    const body = { integration_id: 'sftp', name: 'x', identity_uuid: await client.createIdentity(), fields };
    const answer = await client.request('post', '/v1/connections/migrate').send(body).expect(201);
    return (answer.body as { data: { uuid: string } }).data.uuid;
  };

  it('fetches from a migrated connection whose key was accepted with the migration', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    expect(await engine.waitForLastFetch(await migrate(login()), 1)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('does not log in with a migrated connection whose host key was not accepted', async () => {
    const uuid = await migrate(typed());
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'FAILED', error_code: 'HOST_KEY_UNKNOWN' });
    expect(server.logins).toEqual([]);
    const reason = { code: 'HOST_KEY_UNKNOWN', action: 'UPDATE_CREDENTIALS' };
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'ACTION_REQUIRED', reason });
  });

  it('reports whether the key or its passphrase is wrong or missing', async () => {
    const identity = await client.createIdentity();
    const key = newKey('geheim').private;
    const fieldErrors = async (private_key: string, passphrase?: string): Promise<unknown> => {
      const fields = { ...login(), password: undefined, login: 'key', private_key, passphrase };
      const answer = await client
        .request('post', '/v1/connections')
        .send({ integration_id: 'sftp', name: 'x', identity_uuid: identity, fields })
        .expect(422);
      const { code, errors } = answer.body as { code: string; errors: { field: string; code: string }[] };
      return [code, ...errors.map((each) => `${each.field} ${each.code}`)];
    };
    expect(await fieldErrors(key, 'falsch')).toEqual(['CREDENTIALS_REJECTED', 'fields.passphrase REJECTED']);
    expect(await fieldErrors(key)).toEqual(['CREDENTIALS_REJECTED', 'fields.passphrase REQUIRED']);
    expect(await fieldErrors('kein', 'geheim')).toEqual(['CREDENTIALS_REJECTED', 'fields.private_key REJECTED']);
    // A well-formed key may still be rejected.
    const refused = ['CREDENTIALS_REJECTED', 'fields.private_key REJECTED', 'fields.passphrase REJECTED'];
    expect(await fieldErrors(key, 'geheim')).toEqual(refused);
  });

  it('keeps the private key encrypted and out of every response', async () => {
    const identity = await client.createIdentity();
    const secret = '-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n-----END OPENSSH PRIVATE KEY-----';
    const fields = { host: 'localhost', port: server.port, user: 'anna', login: 'key', private_key: secret };
    const answer = await client
      .request('post', '/v1/connections')
      .send({ integration_id: 'sftp', name: 'x', identity_uuid: identity, fields })
      .expect(422);
    expect(answer.body).toMatchObject({ code: 'CREDENTIALS_REJECTED', errors: [{ field: 'fields.private_key' }] });
    expect(JSON.stringify(answer.body)).not.toContain('secret\\n');
    expect(server.logins).toEqual([]);
  });
});
