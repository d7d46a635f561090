import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextOutput } from '../cli/command-line';
import { connect, getConnection, TestEngine } from '../../harness/engine/test-engine';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { startApp } from '../../harness/app/start-app';
import { ACME, changed } from '../../harness/declarative/declared-provider';
import { JsonServer } from '../../harness/declarative/json-server';
import { expectError } from '../../harness/http/expect-error';

const PDF = Buffer.from('%PDF-1.7 of an operator');

describe("The operator's files of providers (PROVIDERS_DIR, decisions 8)", () => {
  const folder = mkdtempSync(join(tmpdir(), 'providers-'));

  let server: JsonServer;
  let engine: TestEngine;
  let client: TestClient;
  const log = new TextOutput();

  beforeAll(async () => {
    writeFileSync(join(folder, 'acme.yaml'), ACME);
    writeFileSync(join(folder, 'broken.yaml'), changed({ id: 'broken', category: 'BOOKS' }));
    writeFileSync(join(folder, 'stripe.yaml'), changed({ id: 'stripe' }));
    const ovh = readFileSync(join(__dirname, '../../../src/integrations/providers/ovhcloud.yaml'), 'utf8');
    writeFileSync(join(folder, 'signed.yaml'), ovh.replace('id: ovhcloud', 'id: signed'));
    writeFileSync(join(folder, 'Not An Id.yaml'), ACME);
    mkdirSync(join(folder, 'folder.yaml'));
    server = await JsonServer.start();
    server.answer = ({ path, headers }) => {
      if (headers['x-key'] !== 'Key right') return { status: 401 };
      if (path === '/me') return { body: { id: 'account-1', name: 'Acme of the operator' } };
      if (path === '/invoices') return { body: { data: [{ id: 7, number: 'R 7', date: '2026-01-01' }] } };
      return { body: PDF };
    };
    const providers = { acme: { apiBaseUrl: server.url } };
    engine = await TestEngine.start({
      log,
      settings: { providersDir: folder, providers, production: true, logLevel: 'error' },
    });
    client = await createTestClient(engine.app);
  });
  afterAll(async () => {
    await engine?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  it('add integrations, whose connections fetch documents', async () => {
    const { body } = await client.request('get', '/v1/integrations/acme').expect(200);
    expect(body.data).toMatchObject({ name: 'Acme', available: true, maturity: 'BETA', auth_type: 'CREDENTIALS' });
    const uuid = await connect(client, 'acme', { api_key: 'right' });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
    expect(await engine.transactions(uuid)).toMatchObject([{ filename: 'R 7.pdf', size: String(PDF.length) }]);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', reason: null });
  });

  it('are checked as those of the build: wrong and missing credentials are refused', async () => {
    const identity = await client.createIdentity();
    const send = (fields: object) =>
      client
        .request('post', '/v1/connections')
        .send({ identity_uuid: identity, integration_id: 'acme', name: 'Acme', fields });
    expectError(await send({ api_key: 'wrong' }), 422, 'CREDENTIALS_REJECTED', { 'fields.api_key': 'REJECTED' });
    expectError(await send({}), 422, 'MISSING_REQUIRED_FIELDS', { 'fields.api_key': 'REQUIRED' });
  });

  it('with errors stop nothing but themselves: not available, and the log has file and line', async () => {
    const { body } = await client.request('get', '/v1/integrations').expect(200);
    const listed = (body as { data: { integration_id: string; available: boolean }[] }).data;
    const ids = listed.map(({ integration_id: id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(
      listed.filter(({ integration_id: id }) => ['acme', 'broken', 'signed', 'stripe'].includes(id)),
    ).toMatchObject([
      { integration_id: 'acme', available: true },
      { integration_id: 'broken', available: false },
      { integration_id: 'signed', available: false },
      { integration_id: 'stripe', available: true },
    ]);
    expect((await client.request('get', '/v1/integrations/stripe')).body.data.name).toBe('Stripe');
    for (const pattern of [
      /broken\.yaml:\d+: category: must be one of MAILBOX/,
      /signed\.yaml:\d+: auth\.signature: only files of the build can name a signature/,
      /stripe\.yaml:1: id: there is an integration stripe already/,
      /Not An Id\.yaml:1: the name of a file is an id/,
      /folder\.yaml:1: cannot be read/,
    ])
      expect(log.text).toMatch(pattern);
  });

  it('with errors prevent the start in development', async () => {
    const { databaseUrl } = engine.app;
    const start = startApp({ databaseUrl, settings: { providersDir: folder, production: false } });
    await expect(start).rejects.toThrow(/broken\.yaml:\d+: category/);
  });
});
