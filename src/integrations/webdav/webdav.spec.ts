import { paths, useWebdav } from '../../../test/harness/connectors/use-webdav';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { SelectionNotFound, UnexpectedResponse, InvalidCredentials, Transient } from '../core/source-errors';
import { webdav } from './webdav';

describe('Listing a WebDAV server', () => {
  const dav = useWebdav();

  it('supports all characters in names', async () => {
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
    for (const name of names) dav.server.put(name, `%PDF-1.7 ${name}`);
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    const contents = await Promise.all(documents.map(async (ref) => (await dav.read(opened, ref)).toString()));
    expect(contents.sort()).toEqual(names.map((name) => `%PDF-1.7 ${name}`).sort());
    expect(paths(documents)).toContain('Büro & Co/Rechnung #1 100%.pdf');
    expect(documents.every(({ externalId }) => externalId === null)).toBe(true);
  });

  it('requests non-UTF-8 names unchanged', async () => {
    const props = (href: string) =>
      `<response><href>${href}</href><propstat><prop><getcontentlength>1</getcontentlength><getetag>W/"1"</getetag><getlastmodified>Fri, 20 Nov 2020 10:00:00 GMT</getlastmodified></prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
    dav.server.fault = ({ method, depth }) =>
      method === 'PROPFIND' && depth === '1'
        ? {
            status: 207,
            body: `<multistatus xmlns="DAV:">${props('/dav/B%FCro%2Fa.pdf')}${props('/dav/%EF%9D%80.pdf')}</multistatus>`,
          }
        : undefined;
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    expect(documents).toHaveLength(2);
    dav.server.requests.splice(0);
    for (const ref of documents) await rejectionOf(dav.read(opened, ref));
    expect(dav.server.requests.map(({ path }) => path)).toEqual(['/dav/B%FCro%2Fa.pdf', '/dav/%EF%9D%80.pdf']);
  });

  it('reports a 401 as invalid credentials only when the home folder rejects it, too', async () => {
    for (const path of ['a.pdf', 'b.pdf', 'offen/c.pdf', 'zu/d.pdf']) dav.server.put(path, `%PDF-1.7 ${path}`);
    const refused = { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } };
    dav.server.fault = ({ path }) => (/\/zu(\/|$)|a\.pdf$/.test(path) ? refused : undefined);
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    expect(paths(documents)).toEqual(['a.pdf', 'b.pdf', 'offen/c.pdf']);
    const [closed, open] = ['a.pdf', 'b.pdf'].map((name) => documents.find(({ filename }) => filename === name)!);
    expect(await rejectionOf(dav.read(opened, closed!))).toMatchObject({
      name: 'DocumentUnavailable',
      permanent: false,
    });
    expect((await dav.read(opened, open!)).toString()).toBe('%PDF-1.7 b.pdf');
    const chosen = dav.session({}, { step2: { folders: ['zu'] } });
    expect(await rejectionOf(dav.listed(chosen))).toBeInstanceOf(SelectionNotFound);
    expect(await webdav.resolve!(opened, 'folders', ['zu', 'offen'])).toMatchObject([null, { value: 'offen' }]);

    dav.server.fault = () => refused;
    expect(await rejectionOf(dav.read(opened, open!))).toBeInstanceOf(InvalidCredentials);
    expect(await rejectionOf(dav.listed(dav.session(), null))).toBeInstanceOf(InvalidCredentials);
  });

  it('fails as transient when a listing is cut off', async () => {
    for (let n = 0; n < 300; n++) dav.server.put(`${n}.pdf`, 'x');
    for (const cutAfter of [0, 10, 5_000, 60_000]) {
      const opened = dav.session();
      await webdav.check(opened);
      dav.server.fault = ({ depth }) => (depth === '1' ? { cutAfter } : undefined);
      expect(await rejectionOf(dav.listed(opened))).toBeInstanceOf(Transient);
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
  ])('rejects a listing with %s', async (_, body) => {
    const opened = dav.session();
    await webdav.check(opened);
    dav.server.fault = () => ({ status: 207, body });
    expect(await rejectionOf(dav.listed(opened))).toBeInstanceOf(UnexpectedResponse);
  });

  it('supports servers that use another path or full URLs', async () => {
    dav.server.put('tief/a.pdf', '%PDF-1.7 a');
    const prefixes = ['https://innen.example/andere/dav/', '/innen/'];
    for (const prefix of prefixes) {
      const proxy = await dav.start();
      const { fault } = proxy;
      proxy.fault = fault;
      const folder = (path: string, isFolder = true) =>
        `<d:response><d:href>${prefix}${path}</d:href><d:propstat><d:prop><d:resourcetype>${isFolder ? '<d:collection/>' : ''}</d:resourcetype><d:getcontentlength>5</d:getcontentlength><d:getlastmodified>Fri, 20 Nov 2020 10:00:00 GMT</d:getlastmodified></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
      proxy.fault = ({ path, depth }) => ({
        status: 207,
        body: `<d:multistatus xmlns:d="DAV:">${path.endsWith('tief/') ? folder('tief/') + folder('tief/a.pdf', false) : folder('') + (depth === '1' ? folder('tief') : '')}</d:multistatus>`,
      });
      expect(paths((await dav.listed(dav.session({ url: `${proxy.origin}/dav/` }))).documents)).toEqual(['tief/a.pdf']);
    }
  });

  it('reads the whole listing before it yields the first file', async () => {
    for (let n = 0; n < 20_000; n++) dav.server.put(`viele/${n}.pdf`, 'x');
    let count = 0;
    for await (const { documents } of webdav.list(dav.session(), null, null)) {
      // Like a server after a minute without reads.
      if (count === 0) {
        await dav.server.stop();
      }
      count += documents.length;
    }
    expect(count).toBe(20_000);
  });

  it('lists 50,000 files of one folder without deferring any', async () => {
    for (let n = 0; n < 50_000; n++) dav.server.put(`viele/${n}.pdf`, 'x');
    const { documents } = await dav.listed(dav.session());
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(50_000);
  });
});
