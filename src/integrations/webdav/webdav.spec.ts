import { buffer } from 'node:stream/consumers';
import { FakeDavServer, type FakeDavOptions } from '../../../test/fakes/webdav/fake-dav-server';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { AddressNotAllowed } from '../../platform/network/network';
import { type OpenSession, openSession } from '../open-session';
import type { DocumentRef, Json } from '../source-document';
import {
  ConfigurationGone,
  ContractBroken,
  DocumentUnavailable,
  InvalidCredentials,
  RateLimited,
  Temporary,
} from '../source-errors';
import { validateFields } from '../validate-fields';
import { webdav } from './webdav';

let server: FakeDavServer;
const others: FakeDavServer[] = [];
const network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
const sessions: OpenSession[] = [];

async function start(options: FakeDavOptions = {}): Promise<FakeDavServer> {
  const started = await FakeDavServer.start(options);
  others.push(started);
  return started;
}

function session(
  given: Record<string, unknown> = {},
  { step2 = {}, known = [], through = network }: { step2?: object; known?: string[]; through?: GuardedNetwork } = {},
): OpenSession {
  const input = { url: server.origin + encodeURI(server.base), user: 'anna', password: 'right', ...given };
  const { values, faults } = validateFields(webdav.step1, input);
  expect(faults).toEqual([]);
  const opened = openSession({
    fields: values,
    step2: step2 as never,
    network: through,
    signal: new AbortController().signal,
    now: () => new Date(),
    known: (keys) => Promise.resolve(new Set(keys.filter((key) => known.includes(key)))),
  });
  sessions.push(opened);
  return opened;
}

async function listed(opened: OpenSession, cursor: Json = null): Promise<{ documents: DocumentRef[]; cursor: Json }> {
  const documents: DocumentRef[] = [];
  for await (const page of webdav.list(opened, cursor, null)) {
    documents.push(...page.documents);
    cursor = page.cursor;
  }
  return { documents, cursor };
}

const read = async (opened: OpenSession, ref: DocumentRef) => buffer((await webdav.open(opened, ref)).stream);
const paths = (documents: readonly DocumentRef[]) => documents.map(({ metadata }) => metadata.source!.path).sort();
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error,
  );

afterEach(async () => {
  for (const each of sessions.splice(0)) await each.close();
  for (const each of others.splice(0)) await each.stop();
});
afterAll(() => network.close());

describe('Nextcloud and ownCloud', () => {
  beforeEach(async () => {
    server = await start({ isNextcloud: true });
  });
  const nextcloud = (options: Parameters<typeof session>[1] = {}) =>
    session({ provider: 'nextcloud', url: server.origin }, options);

  it('finds the files behind the address of the web page, by the name that the server has for the user', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    const account = await webdav.check(nextcloud());
    expect(account).toEqual({ id: `Anna Ü@localhost:${server.port}`, display: `Anna Ü@localhost:${server.port}` });
    for (const url of [`${server.origin}/index.php/apps/files/`, server.origin + encodeURI(server.base)]) {
      expect((await listed(session({ provider: 'nextcloud', url }))).documents).toHaveLength(1);
    }
  });

  it('gives the id of a file as external id, which stays when the file is renamed', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    const [before] = (await listed(nextcloud())).documents;
    server.files.rename('/home/a.pdf', '/home/x/b.pdf');
    const [after] = (await listed(nextcloud())).documents;
    expect(before!.externalId).toMatch(/^\d+$/);
    expect(after).toMatchObject({ externalId: before!.externalId, filename: 'b.pdf' });
  });

  it('opens no folder again in which nothing has changed, however deep', async () => {
    for (let n = 0; n < 20; n++) server.put(`alt/${n}/a.pdf`, `%PDF-1.7 ${n}`);
    server.put('neu/tief/a.pdf', '%PDF-1.7 a');
    const first = await listed(nextcloud());
    const known = first.documents.map(({ dedupeKey }) => dedupeKey);
    server.requests.splice(0);
    const second = await listed(nextcloud({ known }), first.cursor);
    expect(second.documents).toEqual([]);
    expect(server.requests.filter(({ depth }) => depth === '1')).toHaveLength(1);

    server.put('neu/tief/b.pdf', '%PDF-1.7 b');
    server.requests.splice(0);
    const third = await listed(nextcloud({ known }), second.cursor);
    expect(paths(third.documents)).toEqual(['neu/tief/b.pdf']);
    expect(server.requests.filter(({ depth }) => depth === '1')).toHaveLength(3);
  });

  it('knows which folders have others in them', async () => {
    server.put('voll/drin/a.pdf', 'x');
    server.put('leer/a.pdf', 'x');
    const fields = await webdav.step2!(nextcloud());
    expect(fields[0]!.options).toMatchObject([
      { value: '.' },
      { value: 'leer', hasChildren: false },
      { value: 'voll', hasChildren: true },
    ]);
  });
});

describe('Logging in to a WebDAV server', () => {
  beforeEach(async () => {
    server = await start();
  });

  it('tells a refused password from everything that may pass', async () => {
    expect(await failure(webdav.check(session({ password: 'wrong' })))).toBeInstanceOf(InvalidCredentials);
    const challenge = (value: string) => ({ status: 401, headers: { 'www-authenticate': value } });
    const answers = [
      [challenge('Digest realm="x"'), Temporary],
      [challenge('Digest realm="x", Basic realm="y"'), InvalidCredentials],
      [{ status: 429, headers: { 'retry-after': '17' } }, RateLimited],
      [{ status: 503 }, Temporary],
      [{ status: 500 }, Temporary],
      [{ status: 403 }, ConfigurationGone],
      [{ status: 404 }, ConfigurationGone],
      [{ status: 405 }, ConfigurationGone],
      [{ status: 200, body: '<html>Welcome</html>' }, ConfigurationGone],
    ] as const;
    for (const [fault, expected] of answers) {
      server.fault = () => fault;
      const error = await failure(webdav.check(session()));
      expect([fault, error]).toEqual([fault, expect.any(expected)]);
      if (error instanceof RateLimited) expect(error.retryAfterSeconds).toBe(17);
      expect(String(error)).not.toMatch(/right|Basic cmln/);
    }
  });

  it('asks a server that everybody can overhear for its way to log in before it sends anything', async () => {
    await webdav.check(session());
    const sent = server.requests.map(({ authorization }) => authorization?.split(' ')[0]);
    expect(sent[0]).toBeUndefined();
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.slice(1))).toEqual(new Set(['Basic']));
  });

  it('never gives the password to a server that takes Digest, whatever else it takes, and however often it refuses', async () => {
    const both = 'Basic realm="x", Digest realm="x", nonce="n", qop="auth"';
    server.fault = () => ({ status: 401, headers: { 'www-authenticate': both } });
    expect(await failure(webdav.check(session()))).toBeInstanceOf(InvalidCredentials);
    const sent = server.requests.map(({ authorization }) => authorization?.split(' ')[0]);
    expect(sent[0]).toBeUndefined();
    expect(new Set(sent.slice(1))).toEqual(new Set(['Digest']));
  });

  it('connects to no address that the network guard refuses', async () => {
    const closed = new GuardedNetwork({ allow: [] });
    expect(await failure(webdav.check(session({}, { through: closed })))).toBeInstanceOf(AddressNotAllowed);
    expect(server.requests).toEqual([]);
    await closed.close();
  });

  it('takes a server that is away for away', async () => {
    const away = session();
    await server.stop();
    others.splice(0);
    expect(await failure(webdav.check(away))).toBeInstanceOf(Temporary);
  });

  it('follows a redirect on the same server with the password, and never sends it to another one', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    server.fault = ({ path }) => (path === '/alt/' ? { status: 301, headers: { location: server.base } } : undefined);
    expect((await listed(session({ url: `${server.origin}/alt` }))).documents).toHaveLength(1);

    const stranger = await start();
    stranger.put('a.pdf', '%PDF-1.7 stranger');
    server.fault = () => ({ status: 302, headers: { location: `${stranger.origin}${stranger.base}` } });
    expect(await failure(webdav.check(session()))).toBeInstanceOf(ConfigurationGone);
    // Nor when it asks for none, or sends us back.
    stranger.fault = () => ({ status: 207, body: '<multistatus xmlns="DAV:"/>' });
    expect(await failure(webdav.check(session()))).toBeInstanceOf(ConfigurationGone);
    stranger.fault = () => ({ status: 307, headers: { location: `${server.origin}/zurück` } });
    server.requests.splice(0);
    expect(await failure(webdav.check(session()))).toBeInstanceOf(ConfigurationGone);
    expect(stranger.requests.some(({ authorization }) => authorization !== undefined)).toBe(false);
    expect(server.requests.slice(1).every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('takes a download from where the server sends it, without the password', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    const store = await start();
    store.fault = () => ({ status: 200, body: '%PDF-1.7 a' });
    const opened = session();
    const { documents } = await listed(opened);
    server.fault = () => ({ status: 302, headers: { location: `${store.origin}/bucket/a?signature=x` } });
    expect((await read(opened, documents[0]!)).toString()).toBe('%PDF-1.7 a');
    expect(store.requests).toMatchObject([{ path: '/bucket/a?signature=x', authorization: undefined }]);
  });
});

describe('Reading from a WebDAV server', () => {
  beforeEach(async () => {
    server = await start();
  });

  it('takes names with every kind of character', async () => {
    const names = [
      'Büro & Co/Rechnung #1 100%.pdf',
      'a+b=c?.pdf',
      '%2e%2e/%41.pdf',
      'Bu\u0308ro.pdf',
      'B\u00fcro.pdf',
      '\'; "$(x)`<>.pdf',
      '🧾 zeile\numbruch.pdf',
      '..pdf',
    ];
    for (const name of names) server.put(name, `%PDF-1.7 ${name}`);
    const opened = session();
    const { documents } = await listed(opened);
    const contents = await Promise.all(documents.map(async (ref) => (await read(opened, ref)).toString()));
    expect(contents.sort()).toEqual(names.map((name) => `%PDF-1.7 ${name}`).sort());
    expect(paths(documents)).toContain('Büro & Co/Rechnung #1 100%.pdf');
    expect(documents.every(({ externalId }) => externalId === null)).toBe(true);
  });

  it('asks for names that are no UTF-8 as they were told', async () => {
    const props = (href: string) =>
      `<response><href>${href}</href><propstat><prop><getcontentlength>1</getcontentlength><getetag>W/"1"</getetag><getlastmodified>Fri, 20 Nov 2020 10:00:00 GMT</getlastmodified></prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
    server.fault = ({ method, depth }) =>
      method === 'PROPFIND' && depth === '1'
        ? {
            status: 207,
            body: `<multistatus xmlns="DAV:">${props('/dav/B%FCro%2Fa.pdf')}${props('/dav/%EF%9D%80.pdf')}</multistatus>`,
          }
        : undefined;
    const opened = session();
    const { documents } = await listed(opened);
    expect(documents).toHaveLength(2);
    server.requests.splice(0);
    for (const ref of documents) await failure(read(opened, ref));
    expect(server.requests.map(({ path }) => path)).toEqual(['/dav/B%FCro%2Fa.pdf', '/dav/%EF%9D%80.pdf']);
  });

  it('reads on where the line broke, also when the server knows no ranges', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
    for (const knowsNoRanges of [false, true]) {
      server = await start({ knowsNoRanges });
      server.put('a.pdf', content);
      const opened = session();
      const { documents } = await listed(opened);
      let cuts = 0;
      server.fault = () => (cuts++ < 2 ? { cutAfter: 150_000 + cuts } : undefined);
      expect((await read(opened, documents[0]!)).equals(content)).toBe(true);
      expect(server.requests.filter(({ range }) => range).length).toBeGreaterThan(0);
    }
  });

  it('reads on where an answer that tells no length ended early', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
    server.put('a.pdf', content);
    const opened = session();
    const { documents } = await listed(opened);
    let ends = 0;
    server.fault = ({ method }) => (method === 'GET' && ends++ < 2 ? { endAfter: 150_000 } : undefined);
    expect((await read(opened, documents[0]!)).equals(content)).toBe(true);
    expect(server.requests.filter(({ range }) => range).map(({ range }) => range)).toEqual([
      'bytes=150000-',
      'bytes=300000-',
    ]);
    // One that has become shorter is another version, whatever its headers say.
    server.fault = ({ method, range }) =>
      method !== 'GET' ? undefined : range === undefined ? { endAfter: 100_000 } : { status: 416 };
    expect(await failure(read(opened, documents[0]!))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
  });

  it('reads files of which the listing does not tell the size, to their end', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
    server = await start({ tellsNoSizes: true });
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) server.put(name, content);
    server.put('leer.pdf', '');
    const opened = session();
    const { documents } = await listed(opened);
    expect(paths(documents)).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'leer.pdf']);
    const [a, b, c, empty] = paths(documents).map((path) => documents.find(({ filename }) => filename === path)!);
    expect(a!.size).toBeUndefined();
    expect((await read(opened, a!)).equals(content)).toBe(true);
    let cuts = 0;
    server.fault = () => (cuts++ < 1 ? { cutAfter: 150_000 } : undefined);
    expect((await read(opened, b!)).equals(content)).toBe(true);
    server.put('c.pdf', `${content.toString()} mehr`);
    expect(await failure(read(opened, c!))).toBeInstanceOf(DocumentUnavailable);
    expect(await failure(read(opened, empty!))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    const known = documents.map(({ dedupeKey }) => dedupeKey);
    expect(paths((await listed(session({}, { known }))).documents)).toEqual(['c.pdf']);
  });

  it('gives up when the line breaks again and again, and goes on with others', async () => {
    server.put('a.pdf', '%PDF-1.7 a'.padEnd(100_000));
    server.put('b.pdf', '%PDF-1.7 b');
    const opened = session();
    const { documents } = await listed(opened);
    const [a, b] = [...documents].sort((one, other) => one.filename.localeCompare(other.filename));
    server.fault = ({ path }) => (path.endsWith('a.pdf') ? { cutAfter: 0 } : undefined);
    expect(await failure(read(opened, a!))).toBeInstanceOf(Temporary);
    expect((await read(opened, b!)).toString()).toBe('%PDF-1.7 b');
  });

  it('gives out no other version than the listed one, nor half of each', async () => {
    const node = server.put('a.pdf', '%PDF-1.7 a'.padEnd(300_000));
    const opened = session();
    const { documents } = await listed(opened);
    server.fault = () => {
      node.content = Buffer.from('%PDF-1.7 b'.padEnd(300_000));
      server.fault = () => undefined;
      return { cutAfter: 100_000 };
    };
    const first = await failure(read(opened, documents[0]!));
    expect(first).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    expect(await failure(read(opened, documents[0]!))).toBeInstanceOf(DocumentUnavailable);
  });

  it('takes the ETag of the listing where that of a download is written in another way', async () => {
    server.put('a.pdf', '%PDF-1.7 a');
    const opened = session();
    const { documents } = await listed(opened);
    server.fault = ({ method }) =>
      method === 'GET' ? { status: 200, headers: { etag: '"other-gzip"' }, body: '%PDF-1.7 a' } : undefined;
    expect((await read(opened, documents[0]!)).toString()).toBe('%PDF-1.7 a');
  });

  it('tells files that are gone from such that are closed or locked for now', async () => {
    for (const name of ['a', 'b', 'c']) server.put(`${name}.pdf`, `%PDF-1.7 ${name}`);
    const opened = session();
    const [ref] = (await listed(opened)).documents;
    for (const [status, permanent] of [
      [404, true],
      [410, true],
      [403, false],
      [423, false],
    ] as const) {
      server.fault = () => ({ status });
      expect(await failure(read(opened, ref!))).toMatchObject({ name: 'DocumentUnavailable', permanent });
    }
  });

  it.each(['/dav/a.pdf', 'ftp://files.example/a.pdf', 'http://', 'http://169.254.169.254/a.pdf', 'https://[fe80::1]/'])(
    'takes a file alone for unavailable when it is redirected to nowhere (%s)',
    async (location) => {
      for (const name of ['a', 'b']) server.put(`${name}.pdf`, `%PDF-1.7 ${name}`);
      const opened = session();
      const { documents } = await listed(opened);
      const [a, b] = ['a.pdf', 'b.pdf'].map((name) => documents.find(({ filename }) => filename === name)!);
      server.fault = ({ path }) => (path.endsWith('a.pdf') ? { status: 302, headers: { location } } : undefined);
      expect(await failure(read(opened, a!))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
      expect((await read(opened, b!)).toString()).toBe('%PDF-1.7 b');
    },
  );

  it('takes a 401 for a refused login only where the home folder is refused too', async () => {
    for (const path of ['a.pdf', 'b.pdf', 'offen/c.pdf', 'zu/d.pdf']) server.put(path, `%PDF-1.7 ${path}`);
    const refused = { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } };
    server.fault = ({ path }) => (/\/zu(\/|$)|a\.pdf$/.test(path) ? refused : undefined);
    const opened = session();
    const { documents } = await listed(opened);
    expect(paths(documents)).toEqual(['a.pdf', 'b.pdf', 'offen/c.pdf']);
    const [closed, open] = ['a.pdf', 'b.pdf'].map((name) => documents.find(({ filename }) => filename === name)!);
    expect(await failure(read(opened, closed!))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
    expect((await read(opened, open!)).toString()).toBe('%PDF-1.7 b.pdf');
    const chosen = session({}, { step2: { folders: ['zu'] } });
    expect(await failure(listed(chosen))).toBeInstanceOf(ConfigurationGone);
    expect(await webdav.resolve!(opened, 'folders', ['zu', 'offen'])).toMatchObject([null, { value: 'offen' }]);

    server.fault = () => refused;
    expect(await failure(read(opened, open!))).toBeInstanceOf(InvalidCredentials);
    expect(await failure(listed(session(), null))).toBeInstanceOf(InvalidCredentials);
  });

  it('fails as unavailable for now when a listing is cut, wherever that is', async () => {
    for (let n = 0; n < 300; n++) server.put(`${n}.pdf`, 'x');
    for (const cutAfter of [0, 10, 5_000, 60_000]) {
      const opened = session();
      await webdav.check(opened);
      server.fault = ({ depth }) => (depth === '1' ? { cutAfter } : undefined);
      expect(await failure(listed(opened))).toBeInstanceOf(Temporary);
    }
  });

  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "bb">]><multistatus xmlns="DAV:"/>'],
    [
      'entities of entities',
      `<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">${Array.from({ length: 9 }, (_, n) => `<!ENTITY b${n} "&b;&b;&b;">`).join('')}]><multistatus xmlns="DAV:"><response><href>&b8;</href></response></multistatus>`,
    ],
    ['an unknown entity', '<multistatus xmlns="DAV:"><response><href>&b;</href></response></multistatus>'],
    ['too many levels', `<multistatus xmlns="DAV:">${'<a>'.repeat(100_000)}`],
    ['a tag without an end', `<multistatus xmlns="DAV:"><response ${'a'.repeat(5_000_000)}`],
    ['attributes without an end', `<multistatus xmlns="DAV:"><response ${'a="b" '.repeat(500_000)}`],
    ['a text without an end', `<multistatus xmlns="DAV:"><response><href>${'a'.repeat(5_000_000)}`],
    ['another root', '<html><body>200 OK</body></html>'],
    ['no end', '<multistatus xmlns="DAV:">'],
    ['no XML', 'multistatus'],
    [
      'another folder',
      '<multistatus xmlns="DAV:"><response><href>/dav/a/b/c.pdf</href><propstat><prop><getetag>1</getetag></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>',
    ],
  ])('refuses a listing with %s', async (_, body) => {
    const opened = session();
    await webdav.check(opened);
    server.fault = () => ({ status: 207, body });
    expect(await failure(listed(opened))).toBeInstanceOf(ContractBroken);
  });

  it('understands servers that know themselves by another path, or write whole URLs', async () => {
    server.put('tief/a.pdf', '%PDF-1.7 a');
    const prefixes = ['https://innen.example/andere/dav/', '/innen/'];
    for (const prefix of prefixes) {
      const proxy = await start();
      const { fault } = proxy;
      proxy.fault = fault;
      const folder = (path: string, isFolder = true) =>
        `<d:response><d:href>${prefix}${path}</d:href><d:propstat><d:prop><d:resourcetype>${isFolder ? '<d:collection/>' : ''}</d:resourcetype><d:getcontentlength>5</d:getcontentlength><d:getlastmodified>Fri, 20 Nov 2020 10:00:00 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
      proxy.fault = ({ path, depth }) => ({
        status: 207,
        body: `<d:multistatus xmlns:d="DAV:">${path.endsWith('tief/') ? folder('tief/') + folder('tief/a.pdf', false) : folder('') + (depth === '1' ? folder('tief') : '')}</d:multistatus>`,
      });
      expect(paths((await listed(session({ url: `${proxy.origin}/dav/` }))).documents)).toEqual(['tief/a.pdf']);
    }
  });

  it('has read all that is told of a folder before it hands on the first of its files', async () => {
    for (let n = 0; n < 20_000; n++) server.put(`viele/${n}.pdf`, 'x');
    let count = 0;
    for await (const { documents } of webdav.list(session(), null, null)) {
      // As a server does that nobody has read from for a minute.
      if (count === 0) {
        others.splice(0);
        await server.stop();
      }
      count += documents.length;
    }
    expect(count).toBe(20_000);
  });

  it('goes through 50,000 files of one folder at once, and holds none of them back', async () => {
    for (let n = 0; n < 50_000; n++) server.put(`viele/${n}.pdf`, 'x');
    const { documents } = await listed(session());
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(50_000);
  });
});
