import { paths, useWebdav } from '../../../test/harness/connectors/use-webdav';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { DocumentUnavailable, Transient } from '../core/source-errors';

describe('Reading files from a WebDAV server', () => {
  const dav = useWebdav();

  it('resumes after a broken connection, also without range support', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
    for (const knowsNoRanges of [false, true]) {
      dav.server = await dav.start({ knowsNoRanges });
      dav.server.put('a.pdf', content);
      const opened = dav.session();
      const { documents } = await dav.listed(opened);
      let cuts = 0;
      dav.server.fault = () => (cuts++ < 2 ? { cutAfter: 150_000 + cuts } : undefined);
      expect((await dav.read(opened, documents[0]!)).equals(content)).toBe(true);
      expect(dav.server.requests.filter(({ range }) => range).length).toBeGreaterThan(0);
    }
  });

  it('resumes when a response without length ends early', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
    dav.server.put('a.pdf', content);
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    let ends = 0;
    dav.server.fault = ({ method }) => (method === 'GET' && ends++ < 2 ? { endAfter: 150_000 } : undefined);
    expect((await dav.read(opened, documents[0]!)).equals(content)).toBe(true);
    expect(dav.server.requests.filter(({ range }) => range).map(({ range }) => range)).toEqual([
      'bytes=150000-',
      'bytes=300000-',
    ]);
    // A truncated file is another version, whatever its headers say.
    dav.server.fault = ({ method, range }) =>
      method !== 'GET' ? undefined : range === undefined ? { endAfter: 100_000 } : { status: 416 };
    expect(await rejectionOf(dav.read(opened, documents[0]!))).toMatchObject({
      name: 'DocumentUnavailable',
      permanent: true,
    });
  });

  it('reads files of unknown size', async () => {
    const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
    dav.server = await dav.start({ tellsNoSizes: true });
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) dav.server.put(name, content);
    dav.server.put('leer.pdf', '');
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    expect(paths(documents)).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'leer.pdf']);
    const [a, b, c, empty] = paths(documents).map((path) => documents.find(({ filename }) => filename === path)!);
    expect(a!.size).toBeUndefined();
    expect((await dav.read(opened, a!)).equals(content)).toBe(true);
    let cuts = 0;
    dav.server.fault = () => (cuts++ < 1 ? { cutAfter: 150_000 } : undefined);
    expect((await dav.read(opened, b!)).equals(content)).toBe(true);
    dav.server.put('c.pdf', `${content.toString()} mehr`);
    expect(await rejectionOf(dav.read(opened, c!))).toBeInstanceOf(DocumentUnavailable);
    expect(await rejectionOf(dav.read(opened, empty!))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    const known = documents.map(({ dedupeKey }) => dedupeKey);
    expect(paths((await dav.listed(dav.session({}, { known }))).documents)).toEqual(['c.pdf']);
  });

  it('fails a file after repeated disconnects, and continues with other files', async () => {
    dav.server.put('a.pdf', '%PDF-1.7 a'.padEnd(100_000));
    dav.server.put('b.pdf', '%PDF-1.7 b');
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    const [a, b] = [...documents].sort((one, other) => one.filename.localeCompare(other.filename));
    dav.server.fault = ({ path }) => (path.endsWith('a.pdf') ? { cutAfter: 0 } : undefined);
    expect(await rejectionOf(dav.read(opened, a!))).toBeInstanceOf(Transient);
    expect((await dav.read(opened, b!)).toString()).toBe('%PDF-1.7 b');
  });

  it('delivers the listed version only', async () => {
    const node = dav.server.put('a.pdf', '%PDF-1.7 a'.padEnd(300_000));
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    dav.server.fault = () => {
      node.content = Buffer.from('%PDF-1.7 b'.padEnd(300_000));
      dav.server.fault = () => undefined;
      return { cutAfter: 100_000 };
    };
    const first = await rejectionOf(dav.read(opened, documents[0]!));
    expect(first).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    expect(await rejectionOf(dav.read(opened, documents[0]!))).toBeInstanceOf(DocumentUnavailable);
  });

  it('uses the listed ETag when a download formats it differently', async () => {
    dav.server.put('a.pdf', '%PDF-1.7 a');
    const opened = dav.session();
    const { documents } = await dav.listed(opened);
    dav.server.fault = ({ method }) =>
      method === 'GET' ? { status: 200, headers: { etag: '"other-gzip"' }, body: '%PDF-1.7 a' } : undefined;
    expect((await dav.read(opened, documents[0]!)).toString()).toBe('%PDF-1.7 a');
  });

  it('distinguishes deleted files from inaccessible and locked ones', async () => {
    for (const name of ['a', 'b', 'c']) dav.server.put(`${name}.pdf`, `%PDF-1.7 ${name}`);
    const opened = dav.session();
    const [ref] = (await dav.listed(opened)).documents;
    for (const [status, permanent] of [
      [404, true],
      [410, true],
      [403, false],
      [423, false],
    ] as const) {
      dav.server.fault = () => ({ status });
      expect(await rejectionOf(dav.read(opened, ref!))).toMatchObject({ name: 'DocumentUnavailable', permanent });
    }
  });

  it.each(['/dav/a.pdf', 'ftp://files.example/a.pdf', 'http://', 'http://169.254.169.254/a.pdf', 'https://[fe80::1]/'])(
    'reports only the file as unavailable when it is redirected to an invalid target (%s)',
    async (location) => {
      for (const name of ['a', 'b']) dav.server.put(`${name}.pdf`, `%PDF-1.7 ${name}`);
      const opened = dav.session();
      const { documents } = await dav.listed(opened);
      const [a, b] = ['a.pdf', 'b.pdf'].map((name) => documents.find(({ filename }) => filename === name)!);
      dav.server.fault = ({ path }) => (path.endsWith('a.pdf') ? { status: 302, headers: { location } } : undefined);
      expect(await rejectionOf(dav.read(opened, a!))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
      expect((await dav.read(opened, b!)).toString()).toBe('%PDF-1.7 b');
    },
  );
});
