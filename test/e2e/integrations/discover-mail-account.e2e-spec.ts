import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import {
  createSecureContext,
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type Server as TlsServer,
  type TLSSocket,
} from 'node:tls';
import type { DnsRecords } from '../../../src/platform/network/addresses/dns-records';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { CertificateAuthority } from '../../harness/certificates';
import type { TestAppOptions } from '../../harness/app/start-app';
import { useTestContext } from '../../harness/app/test-context';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';

type Answer = RequestListener;
interface Domain {
  readonly mx?: string;
  readonly srv?: { host: string; port: number };
  /** The service with STARTTLS. */
  readonly plainSrv?: { host: string; port: number };
  /** The first words of the server at `imap.` and the domain, whose certificate is valid, or for another name. */
  readonly greeting?: string;
  readonly certificateFor?: string;
  /** By the beginning of host and path. */
  readonly documents?: Readonly<Record<string, Answer>>;
  /** The address of its web servers. */
  readonly address?: string;
}

const config = (host: string, more = '') =>
  `${more}<clientConfig version="1.1"><emailProvider id="x"><incomingServer type="imap"><hostname>${host}</hostname><port>993</port><socketType>SSL</socketType><authentication>password-cleartext</authentication><username>%EMAILADDRESS%</username></incomingServer></emailProvider></clientConfig>`;
const sends =
  (text: string): Answer =>
  (_, response) =>
    void response.end(text);
const redirects =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

const DOMAINS: Record<string, Domain> = {
  'own.example': { mx: 'mx00.kundenserver.de' },
  'office.example': { mx: 'office-example.mail.protection.outlook.com' },
  'workspace.example': { mx: 'aspmx.l.google.com' },
  'below.example': { documents: { 'autoconfig.below.example/mail/': sends(config('imap.below.example')) } },
  'known.example': {
    documents: { 'known.example/.well-known/autoconfig/mail/': sends(config('hosting.example')) },
  },
  'brand.example': { documents: { 'autoconfig.brand.example/mail/': sends(config('imap.strato.de')) } },
  'moved.example': {
    documents: {
      'autoconfig.moved.example/mail/': redirects('https://autoconfig.below.example/mail/config-v1.1.xml'),
    },
  },
  'plain.example': {
    documents: { 'autoconfig.plain.example/mail/': redirects('http://autoconfig.below.example/mail/') },
  },
  'inside.example': { documents: { 'autoconfig.inside.example/mail/': redirects('https://10.0.0.1/mail/') } },
  'loop.example': { documents: { 'autoconfig.loop.example/mail/': redirects('/mail/config-v1.1.xml') } },
  'private.example': { address: '10.0.0.1' },
  'entity.example': {
    documents: {
      'autoconfig.entity.example/mail/': sends(config('&h;', '<!DOCTYPE c [<!ENTITY h "imap.entity.example">]>')),
    },
  },
  'huge.example': {
    documents: { 'autoconfig.huge.example/mail/': sends(config('imap.huge.example') + ' '.repeat(70_000)) },
  },
  'once.example': {},
  'usual.example': { greeting: '* OK ready' },
  'foreign.example': { greeting: '* OK ready', certificateFor: 'imap.usual.example' },
  'smtp.example': { greeting: '220 ready' },
  'upgrade.example': { plainSrv: { host: 'mail.upgrade.example', port: 143 } },
  'service.example': {
    plainSrv: { host: 'old.service.example', port: 143 },
    srv: { host: 'imap.service.example', port: 993 },
  },
  'silent.example': {
    documents: { 'autoconfig.silent.example/mail/': () => undefined },
    srv: { host: 'mail.silent.example', port: 993 },
  },
};

/** The domain of a host that one of `DOMAINS` has. */
const domainOf = (host: string) => Object.entries(DOMAINS).find(([name]) => host === name || host.endsWith(`.${name}`));

/** A network in which every name of `DOMAINS` leads to the servers, whose certificates it trusts. */
function networkTo(port: number, mailPort: number, ca: string): GuardedNetwork {
  const lookup = async (host: string) => {
    const [, domain] = domainOf(host) ?? [];
    if (!domain) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return [{ address: domain.address ?? '127.0.0.1', family: 4 }];
  };
  const network = new GuardedNetwork({ allow: ['127.0.0.1/32'], ca, lookup });
  // The addresses in the product have no port.
  const dispatcher = network.dispatcher.compose((dispatch) => (options, handler) => {
    const origin = new URL(String(options.origin));
    if (origin.port === '') origin.port = String(port);
    return dispatch({ ...options, origin: origin.origin }, handler);
  });
  const connect: GuardedNetwork['connect'] = (host, _port, ...more) =>
    GuardedNetwork.prototype.connect.call(network, host, mailPort, ...more);
  return Object.defineProperties(network, { dispatcher: { value: dispatcher }, connect: { value: connect } });
}

describe('POST /v1/mail-accounts/discover (decisions 5)', () => {
  const PATH = '/v1/mail-accounts/discover';
  const requests: string[] = [];
  const queries: string[] = [];
  let log = '';
  let server: Server;
  let mailServer: TlsServer;
  const trusted = getCACertificates('default');
  const dns = {
    mailExchanges: async (domain: string) => {
      queries.push(domain);
      return [DOMAINS[domain]?.mx].filter((host) => host !== undefined);
    },
    services: async (name: string) => {
      const { srv, plainSrv } = DOMAINS[name.replace(/^_imaps?\._tcp\./, '')] ?? {};
      return [name.startsWith('_imaps.') ? srv : plainSrv].filter((service) => service !== undefined);
    },
  } as DnsRecords;
  const options: { -readonly [Member in keyof TestAppOptions]: TestAppOptions[Member] } = {
    dns,
    settings: { logLevel: 'info' },
    log: new Writable({
      write(line: Buffer, _, done) {
        log += line.toString();
        done();
      },
    }),
  };

  beforeAll(async () => {
    const authority = await CertificateAuthority.create();
    server = createServer((request, response) => {
      const url = `${request.headers.host?.replace(/:\d+$/, '')}${request.url}`;
      requests.push(url);
      const documents = Object.entries(domainOf(url.split('/')[0]!)?.[1].documents ?? {});
      const found = documents.find(([start]) => url.startsWith(start));
      if (found) found[1](request, response);
      else response.writeHead(404).end();
    });
    for (const host of Object.keys(DOMAINS).flatMap((name) => [name, `autoconfig.${name}`])) {
      server.addContext(host, createSecureContext(await authority.issue(host)));
    }
    await once(server.listen(0, '127.0.0.1'), 'listening');
    mailServer = createTlsServer((socket: TLSSocket) => {
      const [, domain] = domainOf(String(socket.servername)) ?? [];
      socket.on('error', () => undefined).write(`${domain?.greeting}\r\n`);
    });
    for (const [name, { greeting, certificateFor = `imap.${name}` }] of Object.entries(DOMAINS))
      if (greeting) mailServer.addContext(`imap.${name}`, createSecureContext(await authority.issue(certificateFor)));
    await once(mailServer.listen(0, '127.0.0.1'), 'listening');
    setDefaultCACertificates([...trusted, authority.certificate]);
    const [port, mailPort] = [server, mailServer].map((each) => (each.address() as AddressInfo).port);
    options.network = networkTo(port!, mailPort!, authority.certificate);
  });
  const context = useTestContext(options);
  afterAll(() => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    server.close();
    mailServer.close();
  });

  const ask = (email: unknown) => context.client.request('post', PATH).send({ email });
  const discover = async (email: string) => (await ask(email).expect(200)).body.data as Record<string, unknown>;
  const NOTHING = (user: string) => ({
    integration_id: 'imap',
    source: 'NONE',
    fields: { user },
    confirm_server: false,
  });
  const imapAt = (host: string, user: string) => ({ host, port: 993, security: 'TLS', user });

  itRequiresAuthentication(context, { method: 'post', path: () => PATH, accepts: ['key', 'token'] });

  it.each([
    ['anna@gmx.de', 'gmx', { user: 'anna@gmx.de' }],
    ['Anna@GMX.de', 'gmx', { user: 'Anna@GMX.de' }],
    ['anna@hotmail.com', 'outlook', {}],
    ['anna@googlemail.com', 'gmail_app_password', { user: 'anna@googlemail.com' }],
  ])('knows the provider of %s without asking anyone', async (email, integration_id, fields) => {
    expect(await discover(email)).toEqual({ integration_id, source: 'LIST', fields, confirm_server: false });
    expect([...queries, ...requests]).not.toContainEqual(expect.stringMatching(/gmx|hotmail|googlemail/));
  });

  it.each([
    ['own', 'ionos', { user: 'anna@own.example' }],
    ['office', 'outlook', {}],
    ['workspace', 'gmail_app_password', { user: 'anna@workspace.example' }],
  ])(
    'recognizes who receives the mail of %s.example, and asks for no document',
    async (name, integration_id, fields) => {
      const found = await discover(`anna@${name}.example`);
      expect(found).toEqual({ integration_id, source: 'MX', fields, confirm_server: false });
      expect(requests.filter((url) => url.includes(`${name}.example`))).toEqual([]);
    },
  );

  it('takes the server from an autoconfig document, and has a foreign one confirmed', async () => {
    expect(await discover('anna@below.example')).toEqual({
      integration_id: 'imap',
      source: 'AUTOCONFIG',
      fields: imapAt('imap.below.example', 'anna@below.example'),
      confirm_server: false,
    });
    expect(await discover('anna@known.example')).toEqual({
      integration_id: 'imap',
      source: 'AUTOCONFIG',
      fields: imapAt('hosting.example', 'anna@known.example'),
      confirm_server: true,
    });
  });

  it('recognizes a known provider by the server that the document names', async () => {
    expect(await discover('anna@brand.example')).toEqual({
      integration_id: 'strato',
      source: 'AUTOCONFIG',
      fields: { user: 'anna@brand.example' },
      confirm_server: false,
    });
  });

  it('follows a redirect to another https address', async () => {
    const found = await discover('anna@moved.example');
    expect(found).toMatchObject({ fields: { host: 'imap.below.example' }, confirm_server: true });
  });

  it.each(['plain', 'inside', 'loop', 'private', 'entity', 'huge', 'foreign', 'smtp', 'nowhere'])(
    'finds nothing for %s.example, and lets the user enter the server',
    async (name) => {
      const email = `anna@${name}.example`;
      expect(await discover(email)).toEqual(NOTHING(email));
    },
  );

  it('takes the server from service records, also when the web server never answers', async () => {
    expect(await discover('anna@service.example')).toEqual({
      integration_id: 'imap',
      source: 'SRV',
      fields: imapAt('imap.service.example', 'anna@service.example'),
      confirm_server: false,
    });
    expect(await discover('anna@silent.example')).toMatchObject({ source: 'SRV' });
    expect(await discover('anna@upgrade.example')).toMatchObject({
      source: 'SRV',
      fields: { host: 'mail.upgrade.example', port: 143, security: 'STARTTLS' },
    });
  });

  it('takes the server with the usual name only when it proves with its certificate that it is in the domain', async () => {
    expect(await discover('anna@usual.example')).toEqual({
      integration_id: 'imap',
      source: 'GUESS',
      fields: imapAt('imap.usual.example', 'anna@usual.example'),
      confirm_server: false,
    });
  });

  it('asks a domain once for several addresses, and sends it no address', async () => {
    requests.length = 0;
    queries.length = 0;
    const answers = await Promise.all(['anna', 'ben', 'anna'].map((name) => discover(`${name}@once.example`)));
    expect(answers.map(({ fields }) => fields)).toEqual(
      ['anna', 'ben', 'anna'].map((name) => ({ user: `${name}@once.example` })),
    );
    await discover('carla@once.example');
    expect(queries).toEqual(['once.example']);
    expect(requests.map((url) => decodeURIComponent(url)).sort()).toEqual([
      'autoconfig.once.example/mail/config-v1.1.xml?emailaddress=postmaster@once.example',
      'once.example/.well-known/autoconfig/mail/config-v1.1.xml?emailaddress=postmaster@once.example',
    ]);
  });

  it.each([
    [undefined, 'REQUIRED'],
    ['', 'REQUIRED'],
    [7, 'INVALID_TYPE_STRING'],
    ['anna', 'INVALID_EMAIL'],
    ['anna@localhost', 'INVALID_EMAIL'],
    ['anna@[127.0.0.1]', 'INVALID_EMAIL'],
    ['anna@gmx.de/../x', 'INVALID_EMAIL'],
    [`anna@${'a'.repeat(250)}.de`, 'INVALID_EMAIL'],
  ])('rejects %s in both languages', async (email, code) => {
    for (const lang of ['en', 'de'] as const) {
      const answer = await ask(email).set('Lang', lang);
      expectError(
        answer,
        422,
        code === 'REQUIRED' ? 'MISSING_REQUIRED_FIELDS' : 'VALIDATION_FAILED',
        { email: code },
        lang,
      );
    }
  });

  it('is limited to what a token may connect', async () => {
    const withToken = (token: string, email: string) =>
      context.client.requestWithToken(token, 'post', PATH).send({ email });
    const only = await context.client.createToken(context.identity, { integration_id: 'gmx' });
    expect((await withToken(only, 'anna@gmx.de').expect(200)).body.data).toMatchObject({ integration_id: 'gmx' });
    for (const email of ['anna@web.de', 'anna@below.example']) {
      expect((await withToken(only, email).expect(200)).body.data).toMatchObject({ integration_id: null, fields: {} });
    }
    const imap = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expect((await withToken(imap, 'anna@gmx.de').expect(200)).body.data).toEqual({
      integration_id: 'imap',
      source: 'LIST',
      fields: imapAt('imap.gmx.net', 'anna@gmx.de'),
      confirm_server: false,
    });
    // It accepts no passwords.
    expect((await withToken(imap, 'anna@hotmail.com').expect(200)).body.data).toMatchObject({ integration_id: null });
    const connection_uuid = await context.createConnection();
    const repair = await context.client.createToken(context.identity, { connection_uuid });
    expectError(await withToken(repair, 'anna@gmx.de'), 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  it('keeps the address out of the log', async () => {
    await discover('unmistakable@nothing.example');
    expect(log).toContain(PATH);
    expect(log).not.toContain('unmistakable');
  });
});
