import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CredentialCheck } from '../../../../src/connections/credentials/credential-check';
import { DIAGNOSIS_LIMITS } from '../../../../src/integrations/shared/reachability/diagnose';
import { CertificateAuthority, type KeyAndCertificate } from '../../../harness/certificates';
import { expectError } from '../../../harness/http/expect-error';
import { freePort } from '../../../harness/free-port';
import { useTestContext } from '../../../harness/app/test-context';
import { ALL, type Connector, CONNECTORS, SECRETS, WITH_TLS } from './typed-servers';

describe('A server that cannot be reached at setup (decisions 2)', () => {
  const context = useTestContext();
  let authority: CertificateAuthority;
  const trusted = getCACertificates('default');
  const limits = { ...DIAGNOSIS_LIMITS };
  const servers: { server: Server; sockets: Set<Socket> }[] = [];
  let received = '';

  beforeAll(async () => {
    authority = await CertificateAuthority.create();
    Object.assign(DIAGNOSIS_LIMITS, { afterMs: 100, greetingMs: 200 });
    setDefaultCACertificates([...trusted, authority.certificate]);
    Object.assign(context.app.app.get(CredentialCheck, { strict: false }), { timeLimitMs: 4_000 });
  });
  afterEach(async () => {
    for (const { server, sockets } of servers.splice(0)) {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    }
    for (const secret of SECRETS) {
      expect(received).not.toContain(secret);
      expect(received).not.toContain(Buffer.from(`anna:${secret}`).toString('base64'));
    }
    expect(await context.query('select uuid from connection')).toEqual([]);
  });
  afterAll(() => {
    Object.assign(DIAGNOSIS_LIMITS, limits);
    setDefaultCACertificates(trusted);
  });

  async function listen(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    servers.push({ server, sockets });
    server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }
  const tls = (pair: KeyAndCertificate) =>
    listen(
      createTlsServer(pair, (socket) => {
        socket.on('error', () => undefined).on('data', (bytes) => void (received += bytes.toString('latin1')));
      }).on('tlsClientError', () => undefined),
    );
  /** A server without TLS that answers any first bytes with text. */
  const plain = () =>
    listen(createServer((socket) => socket.once('data', () => socket.end('400 What do you want?\r\n'))));

  async function expectFault(
    connector: Connector,
    fields: object,
    field: string,
    code: string,
    languages: readonly ('en' | 'de')[] = ['en', 'de'],
  ): Promise<void> {
    const body = { integration_id: connector, name: 'Server', identity_uuid: context.identity, fields };
    for (const lang of languages) {
      const answer = await context.client.request('post', '/v1/connections').set('Lang', lang).send(body);
      expectError(answer, 422, 'PROVIDER_UNREACHABLE', { [`fields.${field}`]: code }, lang);
    }
  }

  it.each(ALL)('%s: the name is unknown', async (id) => {
    const { fields, server } = CONNECTORS[id];
    await expectFault(id, fields('nobody.invalid', 1, true), server, 'HOST_NOT_FOUND');
  });

  it.each(ALL)('%s: the connection is refused', async (id) => {
    const { fields, server } = CONNECTORS[id];
    const field = server === 'host' ? 'port' : server;
    await expectFault(id, fields('127.0.0.1', await freePort(), true), field, 'CONNECTION_REFUSED');
  });

  it.each(WITH_TLS)('%s: the server does not support TLS', async (id) => {
    const { fields, server } = CONNECTORS[id];
    const field = server === 'host' ? 'security' : server;
    await expectFault(id, fields('localhost', await plain(), true), field, 'TLS_NOT_SUPPORTED');
  });

  /** Greets immediately. */
  const greeting = (text: string) => listen(createServer((socket) => void socket.write(text)));

  it.each(['imap', 'ftp'] as const)('%s without TLS: the server waits for TLS', async (id) => {
    const port = await tls(await authority.issue('localhost'));
    await expectFault(id, CONNECTORS[id].fields('localhost', port, false), 'security', 'TLS_REQUIRED');
  });

  /** Uses TLS, and answers plain HTTP like nginx, Apache and Go. */
  async function answeringPlainHttp(head: string): Promise<number> {
    const behind = await tls(await authority.issue('localhost'));
    return listen(
      createServer((socket) =>
        socket.once('data', (first: Buffer) => {
          if (first[0] !== 0x16) return void socket.end(`${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
          const on = connect(behind, '127.0.0.1').on('error', () => socket.destroy());
          on.write(first);
          socket.pipe(on).pipe(socket);
        }),
      ),
    );
  }
  /** Does not support TLS. */
  const http = (head: string) =>
    listen(
      createServer((socket) =>
        socket.once('data', () => socket.end(`${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)),
      ),
    );

  describe.each(['webdav', 's3'] as const)('%s over http', (id) => {
    const { fields, server } = CONNECTORS[id];
    const BAD_REQUEST = 'HTTP/1.1 400 Bad Request';

    it('reports that a server which only supports TLS requires it', async () => {
      const port = await tls(await authority.issue('localhost'));
      await expectFault(id, fields('localhost', port, false), server, 'TLS_REQUIRED');
    });

    it('reports it when the TLS port answers 400', async () => {
      const port = await answeringPlainHttp(BAD_REQUEST);
      await expectFault(id, fields('localhost', port, false), server, 'TLS_REQUIRED');
    });

    it.each([
      ['426 of RFC 9110', 'HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/1.2, HTTP/1.1'],
      ['a redirect to https', 'HTTP/1.1 301 Moved Permanently\r\nLocation: https://localhost:8443/'],
    ])('reports it after %s', async (_, head) => {
      await expectFault(id, fields('localhost', await http(head), false), server, 'TLS_REQUIRED', ['en']);
    });

    it.each([
      ['400', BAD_REQUEST],
      ['426 that asks for another version of HTTP', 'HTTP/1.1 426 Upgrade Required\r\nUpgrade: HTTP/2.0'],
    ])('does not report it for a server without TLS after %s', async (_, head) => {
      await expectFault(id, fields('localhost', await http(head), false), server, 'ENDPOINT_NOT_FOUND', ['en']);
    });
  });

  it.each([
    ['imap', false, 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['imap', true, 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['imap', false, '220 mail.example ESMTP\r\n'],
    ['ftp', false, 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['ftp', true, '* OK IMAP4rev1\r\n'],
    ['sftp', false, '* OK IMAP4rev1\r\n'],
  ] as const)('%s (TLS: %s): another kind of server greets with %j', async (id, withTls, text) => {
    const port = await greeting(text);
    await expectFault(id, CONNECTORS[id].fields('localhost', port, withTls), 'port', 'WRONG_PROTOCOL');
  });

  it('sftp: the server waits for TLS', async () => {
    const port = await tls(await authority.issue('localhost'));
    await expectFault('sftp', CONNECTORS.sftp.fields('localhost', port), 'port', 'WRONG_PROTOCOL');
  });

  it.each(ALL)('%s: the server accepts the connection and sends nothing', async (id) => {
    Object.assign(context.app.app.get(CredentialCheck, { strict: false }), { timeLimitMs: 300 });
    const { fields, server } = CONNECTORS[id];
    const port = await listen(createServer());
    await expectFault(id, fields('127.0.0.1', port, false), server, 'TIMED_OUT');
    Object.assign(context.app.app.get(CredentialCheck, { strict: false }), { timeLimitMs: 4_000 });
  });
});
