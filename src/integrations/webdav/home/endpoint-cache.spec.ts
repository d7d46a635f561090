import { buffer } from 'node:stream/consumers';
import { type FakeDavOptions, FakeDavServer } from '../../../../test/fakes/webdav/fake-dav-server';
import { SourceSessions } from '../../../../test/harness/connectors/source-session';
import type { SourcePage } from '../../core/source-document';
import { SelectionNotFound, InvalidCredentials } from '../../core/source-errors';
import type { WebdavCursor } from './endpoint-cache';
import { webdav } from '../webdav';

const EMPTY_FOLDER = `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/before/</d:href><d:propstat>
<d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status>
</d:propstat></d:response></d:multistatus>`;

let server: FakeDavServer;
const servers: FakeDavServer[] = [];
const sessions = new SourceSessions(webdav, () => ({
  apiBaseUrl: '',
  fields: { ...login, url: addressOf(encodeURI(server.base)) },
}));
const login = { user: 'anna', password: 'right' };

async function start(options: FakeDavOptions = {}): Promise<void> {
  server = await FakeDavServer.start(options);
  servers.push(server);
}

/** The server's address with a path. */
const addressOf = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
const nextcloud = () => ({ fields: { ...login, url: addressOf('') }, preset: { layout: 'nextcloud' } });

afterEach(async () => {
  await sessions.close();
  for (const each of servers.splice(0)) await each.stop();
});
afterAll(() => sessions.network.close());

describe('The cached endpoint of a WebDAV server', () => {
  it('saves the requests for home folder and scheme', async () => {
    await start();
    const { cursor } = await sessions.list();
    server.requests.splice(0);
    server.put('a.pdf', '%PDF-1.7 a');
    expect(await sessions.list({ cursor })).toMatchObject({ names: ['a.pdf'] });
    expect(server.requests).toMatchObject([{ path: server.base, depth: '1', authorization: expect.any(String) }]);
  });

  it('requests file ids only from servers that have them', async () => {
    for (const isNextcloud of [false, true]) {
      await start({ isNextcloud });
      await sessions.list(isNextcloud ? nextcloud() : {});
      const listings = server.requests.filter(({ depth, authorization }) => depth === '1' && authorization);
      expect(listings.map(({ body }) => body.includes('oc:fileid'))).toEqual([isNextcloud]);
    }
  });

  it('is not used for another server', async () => {
    await start();
    const { cursor } = await sessions.list();
    await start({ isNextcloud: true });
    server.put('a.pdf', '%PDF-1.7 a');
    expect(await sessions.list({ ...nextcloud(), cursor })).toMatchObject({ names: ['a.pdf'] });
  });

  it('is replaced when the files have moved', async () => {
    await start({ isNextcloud: true });
    server.put('a.pdf', '%PDF-1.7 a');
    const cursor = (await sessions.list(nextcloud())).cursor as unknown as WebdavCursor;
    const home = { ...cursor.cachedEndpoint!.home, path: '/remote.php/dav/files/before/' };
    const session = sessions.open(nextcloud());
    const pages: SourcePage[] = [];
    for await (const page of webdav.list(
      session,
      { ...cursor, cachedEndpoint: { ...cursor.cachedEndpoint!, home } },
      null,
    ))
      pages.push(page);
    expect(pages.at(-1)!.cursor).toMatchObject({ cachedEndpoint: cursor.cachedEndpoint });
    const [found] = pages.flatMap(({ documents }) => documents);
    expect((await buffer((await webdav.download(session, found!)).stream)).toString()).toBe('%PDF-1.7 a');
  });

  it('does not cause repeated listings when a selected folder is missing', async () => {
    await start();
    server.put('here/a.pdf', '%PDF-1.7 a');
    const { cursor } = await sessions.list();
    server.requests.splice(0);
    const { error } = await sessions.list({ step2: { folders: ['here', 'gone'] }, cursor });
    expect(error).toBeInstanceOf(SelectionNotFound);
    expect(server.requests.filter(({ path }) => path === `${server.base}here/`)).toHaveLength(1);
  });

  it('is not stored after a redirect', async () => {
    await start();
    let location = '/before/';
    server.fault = ({ path }) => {
      if (path === '/old/') return { status: 301, headers: { location } };
      return path === '/before/' ? { status: 207, body: EMPTY_FOLDER } : undefined;
    };
    const fields = { ...login, url: addressOf('/old/') };
    const { cursor, names } = await sessions.list({ fields });
    expect(names).toEqual([]);
    location = server.base;
    server.put('a.pdf', '%PDF-1.7 a');
    expect(await sessions.list({ fields, cursor })).toMatchObject({ names: ['a.pdf'] });
  });

  it('does not prevent a change from Basic to Digest', async () => {
    await start();
    const { cursor } = await sessions.list();
    server.requests.splice(0);
    server.fault = () => ({ status: 401, headers: { 'www-authenticate': 'Digest realm="x", nonce="n", qop="auth"' } });
    expect((await sessions.list({ cursor })).error).toBeInstanceOf(InvalidCredentials);
    expect(server.requests.map(({ authorization }) => authorization?.split(' ')[0])).toEqual(['Basic', 'Digest']);
  });
});
