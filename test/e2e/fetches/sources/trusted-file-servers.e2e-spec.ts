import { X509Certificate } from 'node:crypto';
import { FakeFtpServer } from '../../../fakes/ftp/fake-ftp-server';
import { FakeS3Server } from '../../../fakes/s3/fake-s3-server';
import { TlsProxy } from '../../../fakes/tls-proxy';
import { FakeDavServer } from '../../../fakes/webdav/fake-dav-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { CertificateAuthority, type KeyAndCertificate } from '../../../harness/certificates';
import { expectError } from '../../../harness/http/expect-error';
import { connect, getConnection, TestEngine } from '../../../harness/engine/test-engine';

const LOGIN = { user: 'anna', password: 'right' };

/** A server with a certificate, which records whether it has received a user name. */
interface Storage {
  readonly integration: string;
  /** The field that names the server. */
  readonly field: string;
  readonly fields: Record<string, unknown>;
  readonly port: number;
  wasAskedForFiles(): boolean;
  stop(): Promise<void>;
}

type Start = (pair: KeyAndCertificate, port?: number) => Promise<Storage>;

const ftp =
  (isImplicit: boolean): Start =>
  async (pair, port) => {
    const server = await FakeFtpServer.start({ tls: { ...pair, isImplicit }, ...(port !== undefined && { port }) });
    server.put('a.pdf', '%PDF-1.7 a');
    return {
      ...{ integration: 'ftp', field: 'host', port: server.port },
      fields: { host: 'localhost', port: server.port, security: isImplicit ? 'IMPLICIT' : 'EXPLICIT', ...LOGIN },
      wasAskedForFiles: () => server.commands.some((command) => /^(USER|PASS)/.test(command)),
      stop: () => server.stop(),
    };
  };

/** An HTTP server behind a TLS proxy. */
async function behindTls(
  server: { stop(): Promise<void> },
  origin: string,
  pair: KeyAndCertificate,
  port?: number,
): Promise<Pick<Storage, 'port' | 'wasAskedForFiles' | 'stop'>> {
  const front = await TlsProxy.start(pair, Number(new URL(origin).port), port);
  return {
    port: front.port,
    wasAskedForFiles: () => /authorization/i.test(front.received),
    stop: async () => {
      await front.stop();
      await server.stop();
    },
  };
}

const STORAGES: Readonly<Record<string, Start>> = {
  'FTP with explicit TLS': ftp(false),
  'FTP with implicit TLS': ftp(true),
  async Nextcloud(pair, port) {
    const server = await FakeDavServer.start({ isNextcloud: true });
    server.put('a.pdf', '%PDF-1.7 a');
    const front = await behindTls(server, server.origin, pair, port);
    const fields = { url: `https://localhost:${front.port}`, ...LOGIN };
    return { ...front, integration: 'nextcloud', field: 'url', fields };
  },
  async S3(pair, port) {
    const server = await FakeS3Server.start();
    server.put('a.pdf', '%PDF-1.7 a');
    const front = await behindTls(server, String(server.fields.endpoint), pair, port);
    const fields = { ...server.fields, endpoint: `https://localhost:${front.port}` };
    return { ...front, integration: 's3', field: 'endpoint', fields };
  },
};

const fingerprintOf = ({ cert }: KeyAndCertificate): string => new X509Certificate(cert).fingerprint256;

describe('A file server that the user typed and whose certificate is not trusted (decisions 2)', () => {
  let engine: TestEngine;
  let client: TestClient;
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });
  afterAll(() => engine.stop());

  const run = async <Server extends { stop(): Promise<void> }>(starting: Promise<Server>): Promise<Server> => {
    const server = await starting;
    running.push(server);
    return server;
  };
  const create = async ({ integration }: Storage, fields: object) => {
    const identity_uuid = await client.createIdentity();
    const body = { integration_id: integration, name: 'Files', identity_uuid, fields };
    return client.request('post', '/v1/connections').send(body);
  };
  const fetchAgain = async (uuid: string, count: number) => {
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };

  it.each(Object.entries(STORAGES))('%s: is fetched from once the user has accepted it', async (_, start) => {
    const pair = await CertificateAuthority.selfSigned('localhost');
    const fingerprint = fingerprintOf(pair);
    const server = await run(start(pair));
    const refused = await create(server, server.fields);
    expectError(refused, 422, 'PROVIDER_UNREACHABLE', { [`fields.${server.field}`]: 'CERTIFICATE_INVALID' });
    expect(refused.body).toMatchObject({ errors: [{ fingerprint }] });
    const other = fingerprint.replace(/^../, (byte) => (byte === 'AA' ? 'BB' : 'AA'));
    const again = await create(server, { ...server.fields, trusted_fingerprint: other });
    expect(again.body).toMatchObject({ errors: [{ code: 'CERTIFICATE_INVALID', fingerprint }] });
    expect(server.wasAskedForFiles()).toBe(false);

    const uuid = await connect(client, server.integration, { ...server.fields, trusted_fingerprint: fingerprint });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
    const [row] = await engine.rows<{ trusted_fingerprints: unknown }>(
      'select trusted_fingerprints from connection where uuid = $1',
      uuid,
    );
    expect(row!.trusted_fingerprints).toEqual({ [`localhost:${server.port}`]: fingerprint });
  });

  it.each(Object.entries(STORAGES))(
    '%s: receives no password when it presents another certificate',
    async (_, start) => {
      const pair = await CertificateAuthority.selfSigned('localhost');
      const server = await start(pair);
      const fields = { ...server.fields, trusted_fingerprint: fingerprintOf(pair) };
      const uuid = await connect(client, server.integration, fields);
      expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
      await server.stop();

      const changed = await run(start(await CertificateAuthority.selfSigned('localhost'), server.port));
      expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'FAILED', error_code: 'CERTIFICATE_INVALID' });
      expect(changed.wasAskedForFiles()).toBe(false);
      expect(await getConnection(client, uuid)).toMatchObject({
        reason: { code: 'CERTIFICATE_INVALID', action: 'UPDATE_CREDENTIALS' },
      });
    },
  );

  it('FTP: has its certificate verified on data connections, too', async () => {
    const pair = await CertificateAuthority.selfSigned('localhost');
    const dataTls = await CertificateAuthority.selfSigned('localhost');
    const server = await run(FakeFtpServer.start({ tls: pair, dataTls }));
    server.put('a.pdf', '%PDF-1.7 a');
    const body = {
      ...{ integration_id: 'ftp', name: 'Files', identity_uuid: await client.createIdentity() },
      fields: { host: 'localhost', port: server.port, ...LOGIN, trusted_fingerprint: fingerprintOf(pair) },
    };
    const answer = await client.request('post', '/v1/connections/migrate').send(body).expect(201);
    const { uuid } = (answer.body as { data: { uuid: string } }).data;
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'FAILED', new: 0 });
    expect(server.commands.some((command) => command.startsWith('MLSD'))).toBe(true);
  });

  it('does not apply one user’s accepted fingerprint to other connections', async () => {
    const pair = await CertificateAuthority.selfSigned('localhost');
    const server = await run(STORAGES.Nextcloud!(pair));
    await connect(client, 'nextcloud', { ...server.fields, trusted_fingerprint: fingerprintOf(pair) });
    const refused = await create(server, server.fields);
    expectError(refused, 422, 'PROVIDER_UNREACHABLE', { 'fields.url': 'CERTIFICATE_INVALID' });
  });
});
