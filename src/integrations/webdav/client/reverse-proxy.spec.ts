import { buffer } from 'node:stream/consumers';
import { type FakeDavOptions, FakeDavServer } from '../../../../test/fakes/webdav/fake-dav-server';
import { type SourceListing, SourceSessions } from '../../../../test/harness/connectors/source-session';
import { webdav } from '../webdav';

let server: FakeDavServer;
const servers: FakeDavServer[] = [];
const sessions = new SourceSessions(webdav, () => ({ apiBaseUrl: '', fields: below('/dav/').fields }));

async function start(options: FakeDavOptions = {}): Promise<FakeDavServer> {
  server = await FakeDavServer.start(options);
  servers.push(server);
  return server;
}

/** Step-1 input for a path of the server. */
const below = (path: string) => ({
  fields: { user: 'anna', password: 'right', url: `http://127.0.0.1:${server.port}${path}` },
});
const paths = ({ documents }: SourceListing) => documents.map(({ metadata }) => metadata.source!.path).sort();

/** The listing of a folder, whose path ends with a slash, or of a file. */
const responseElement = (href: string) =>
  `<response><href>${href}</href><propstat><prop><resourcetype>${href.endsWith('/') ? '<collection/>' : ''}</resourcetype><getcontentlength>1</getcontentlength><getlastmodified>Fri, 20 Nov 2020 10:00:00 GMT</getlastmodified></prop><status>HTTP/1.1 200 OK</status></propstat></response>`;

/** Lists this for the start folder, and any other folder as empty. */
function respondWith(hrefs: readonly string[]): void {
  server.fault = ({ path, depth }) => {
    const some = depth === '1' && path === '/dav/' ? hrefs : [path];
    return { status: 207, body: `<multistatus xmlns="DAV:">${some.map(responseElement).join('')}</multistatus>` };
  };
}

afterEach(async () => {
  await sessions.close();
  for (const each of servers.splice(0)) await each.stop();
});
afterAll(() => sessions.network.close());

describe('A WebDAV server behind a proxy that renames it', () => {
  it.each(['/', '/files/', '/dav/dav/', '/a/b/c/'])('lists its files under %s', async (proxiedAs) => {
    const modified = new Date(Date.now() - 3_600_000);
    const files = ['a.pdf', 'dav/b.pdf', 'dav/dav/c.pdf', 'Büro & Co/d.pdf'];
    const fill = () => files.forEach((path) => server.put(path, `%PDF-1.7 ${path}`, modified));
    await start({ proxiedAs });
    fill();
    server.files.makeFolder('/home/leer');
    const given = below(proxiedAs);
    const listed = await sessions.list(given);
    expect(paths(listed)).toEqual([...files].sort());
    const opened = sessions.open(given);
    for (const ref of listed.documents) {
      const content = await buffer((await webdav.download(opened, ref)).stream);
      expect(content.toString()).toBe(`%PDF-1.7 ${ref.metadata.source!.path}`);
    }
    const [folders] = await webdav.step2!(opened);
    expect(folders!.options!.map(({ value }) => value)).toEqual(['.', 'Büro & Co', 'dav', 'leer']);
    expect(await webdav.options!(opened, 'folders', 'dav')).toMatchObject([{ value: 'dav/dav', label: 'dav' }]);
    expect(await webdav.resolve!(opened, 'folders', ['dav/dav', 'dav/b.pdf'])).toMatchObject([{}, null]);

    // They are the same documents as without the proxy.
    await start();
    fill();
    expect([...(await sessions.list()).keys].sort()).toEqual([...listed.keys].sort());
  });

  it('lists an empty folder under another path', async () => {
    await start({ proxiedAs: '/' });
    expect(await webdav.options!(sessions.open(below('/')), 'folders')).toMatchObject([{ value: '.' }]);
    expect(await sessions.list(below('/'))).toMatchObject({ documents: [], error: undefined });
  });

  it.each(['/dav/../', '/dav/%2e%2e/', '/../', '/dav/./', '//evil.example/', 'http://evil.example/dav/../x/'])(
    'lists no other folder when the server returns %s first, or alone',
    async (href) => {
      await start();
      for (const within of [[], [`${href}a.pdf`]]) {
        respondWith([href, ...within]);
        expect(paths(await sessions.list()).every((path) => path === 'a.pdf')).toBe(true);
      }
      expect(server.requests.every(({ path }) => path === '/dav/' || path === '/dav/x/')).toBe(true);
    },
  );
});

describe('A WebDAV server that lists a subfolder before the requested folder', () => {
  it.each([
    ['behind it', ['/dav/tief/', '/dav/', '/dav/a.pdf'], ['a.pdf']],
    ['never', ['/dav/tief/'], []],
    ['never, but of others', ['/dav/tief/', '/dav/tief2/', '/dav/a.pdf'], ['a.pdf']],
  ])('is supported when the requested folder comes %s', async (_, hrefs, found) => {
    await start();
    respondWith(hrefs);
    expect(paths(await sessions.list())).toEqual(found);
    const options = await webdav.options!(sessions.open(), 'folders');
    expect(options.map(({ value }) => value)).toContain('tief');
  });
});
