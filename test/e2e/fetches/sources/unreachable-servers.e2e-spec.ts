import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { createServer } from 'node:tls';
import exactReasons from '../../../../i18n/en/exact-reasons.json';
import { type FakeImapOptions, FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { CertificateAuthority } from '../../../harness/certificates';
import { freePort } from '../../../harness/free-port';
import { getConnection, TestEngine } from '../../../harness/engine/test-engine';

describe('Fetching from a server that cannot be reached (decisions 2)', () => {
  let engine: TestEngine;
  let client: TestClient;
  let log = '';

  beforeAll(async () => {
    engine = await TestEngine.start({
      settings: { logLevel: 'error' },
      log: new Writable({ write: (line: Buffer, _, done) => (void (log += line.toString()), done()) }),
    });
    client = await createTestClient(engine.app);
  });
  afterAll(() => engine.stop());

  /** Migrated, so that the first contact is the first fetch. */
  async function expectReason(
    integration: string,
    fields: object,
    code: string,
    action: string,
    exactReason?: keyof typeof exactReasons,
  ): Promise<void> {
    const identity_uuid = await client.createIdentity();
    const body = { integration_id: integration, name: 'Server', identity_uuid, fields };
    const { body: made } = await client.request('post', '/v1/connections/migrate').send(body).expect(201);
    const { uuid } = (made as { data: { uuid: string } }).data;
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'FAILED', error_code: code });
    const message = exactReason ? exactReasons[exactReason] : (expect.stringMatching(/\w/) as string);
    const health = code === 'LOGIN_REJECTED' ? 'ACTION_REQUIRED' : 'DEGRADED';
    expect(await getConnection(client, uuid)).toMatchObject({
      ...{ status: 'ACTIVE', health },
      reason: { code, action, message },
    });
    expect(log).toBe('');
  }
  const mailbox = (host: string, port: number, security: string) => ({
    ...{ host, port, security },
    ...{ user: 'anna', password: 'right' },
  });

  it('reports an unknown host name, for the user to correct', async () => {
    await expectReason('imap', mailbox('nobody.invalid', 993, 'TLS'), 'HOST_NOT_FOUND', 'UPDATE_CREDENTIALS');
    const dav = { url: 'https://nobody.invalid/', user: 'anna', password: 'right' };
    await expectReason('webdav', dav, 'HOST_NOT_FOUND', 'UPDATE_CREDENTIALS');
  });

  it('reports a refused connection, and waits', async () => {
    await expectReason('imap', mailbox('127.0.0.1', await freePort(), 'TLS'), 'CONNECTION_REFUSED', 'WAIT');
    const sftp = { host: '127.0.0.1', port: await freePort(), user: 'anna', password: 'right' };
    await expectReason('sftp', sftp, 'CONNECTION_REFUSED', 'WAIT');
  });

  it('reports an untrusted certificate, for the user to accept it or the operator to renew it', async () => {
    const authority = await CertificateAuthority.create();
    const server = createServer(await authority.issue('localhost'), (socket) => socket.destroy());
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const untrusted = ['CERTIFICATE_INVALID', 'UPDATE_CREDENTIALS', 'CERTIFICATE_INVALID_INCOMPLETE'] as const;
      await expectReason('imap', mailbox('localhost', port, 'TLS'), ...untrusted);
    } finally {
      server.close();
    }
  });

  it('reports that the server requires TLS, for the user to enter an https address', async () => {
    const authority = await CertificateAuthority.create();
    const server = createServer(await authority.issue('localhost'), (socket) => socket.destroy());
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = `http://localhost:${(server.address() as AddressInfo).port}`;
      const dav = { url: `${address}/`, user: 'anna', password: 'right' };
      await expectReason('webdav', dav, 'TLS_REQUIRED', 'UPDATE_CREDENTIALS');
      const s3 = { endpoint: address, region: 'eu-central-1', bucket: 'belege', access_key: 'A', secret_key: 'B' };
      await expectReason('s3', s3, 'TLS_REQUIRED', 'UPDATE_CREDENTIALS');
    } finally {
      server.close();
    }
  });

  it('reports that the server does not offer the selected encryption, for the user to select another one', async () => {
    const server = await FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }] });
    try {
      await expectReason(
        'imap',
        mailbox('127.0.0.1', server.port, 'STARTTLS'),
        'TLS_NOT_SUPPORTED',
        'UPDATE_CREDENTIALS',
        'TLS_NOT_SUPPORTED_STARTTLS',
      );
    } finally {
      await server.stop();
    }
  });

  it('reports that the server offers only outdated encryption, for its operator to change that', async () => {
    const authority = await CertificateAuthority.create();
    const outdated = { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;
    const server = createServer({ ...outdated, ...(await authority.issue('localhost')) });
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const reason = ['TLS_NOT_SUPPORTED', 'WAIT', 'TLS_NOT_SUPPORTED_OUTDATED'] as const;
      await expectReason('imap', mailbox('localhost', port, 'TLS'), ...reason);
      const dav = { url: `https://localhost:${port}/`, user: 'anna', password: 'right' };
      await expectReason('webdav', dav, ...reason);
    } finally {
      server.close();
    }
  });

  describe('with a mail server', () => {
    let server: FakeImapServer;
    const start = async (options: Partial<FakeImapOptions> = {}) =>
      (server = await FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }], ...options }));
    afterEach(() => server.stop());

    it('reports that it accepts no password without encryption', async () => {
      await start({ loginDisabled: true });
      await expectReason('imap', mailbox('127.0.0.1', server.port, 'NONE'), 'TLS_REQUIRED', 'UPDATE_CREDENTIALS');
      expect(server.commands.filter((command) => /LOGIN|AUTH/.test(command))).toEqual([]);
    });

    it('reports that too many programs are connected, and waits', async () => {
      await start();
      server.fail({ on: 'LOGIN', how: 'no', code: 'LIMIT' });
      const reason = ['RATE_LIMITED', 'WAIT', 'RATE_LIMITED_CONNECTIONS'] as const;
      await expectReason('imap', mailbox('127.0.0.1', server.port, 'NONE'), ...reason);
    });

    it('reports that the provider requires an app password', async () => {
      await start();
      server.fail({ on: 'LOGIN', how: 'no', code: 'WEBALERT' });
      const reason = ['LOGIN_REJECTED', 'UPDATE_CREDENTIALS', 'LOGIN_REJECTED_APP_PASSWORD'] as const;
      await expectReason('imap', mailbox('127.0.0.1', server.port, 'NONE'), ...reason);
    });
  });
});
