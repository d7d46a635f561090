import { paths, useWebdav } from '../../../../test/harness/connectors/use-webdav';
import { webdav } from '../webdav';

describe('Nextcloud and ownCloud', () => {
  const dav = useWebdav({ isNextcloud: true });
  const nextcloud = (options: Parameters<typeof dav.session>[1] = {}) =>
    dav.session({ layout: 'nextcloud', url: dav.server.origin }, options);

  it('finds the files by the web address and the server’s user name', async () => {
    dav.server.put('a.pdf', '%PDF-1.7 a');
    const account = await webdav.check(nextcloud());
    expect(account).toEqual({
      id: `Anna Ü@localhost:${dav.server.port}`,
      display: `Anna Ü@localhost:${dav.server.port}`,
    });
    for (const url of [`${dav.server.origin}/index.php/apps/files/`, dav.server.origin + encodeURI(dav.server.base)]) {
      expect((await dav.listed(dav.session({ layout: 'nextcloud', url }))).documents).toHaveLength(1);
    }
  });

  it('uses the id of a file as external id, which stays the same when the file is renamed', async () => {
    dav.server.put('a.pdf', '%PDF-1.7 a');
    const [before] = (await dav.listed(nextcloud())).documents;
    dav.server.files.rename('/home/a.pdf', '/home/x/b.pdf');
    const [after] = (await dav.listed(nextcloud())).documents;
    expect(before!.externalId).toMatch(/^\d+$/);
    expect(after).toMatchObject({ externalId: before!.externalId, filename: 'b.pdf' });
  });

  it('does not list unchanged folders again', async () => {
    for (let n = 0; n < 20; n++) dav.server.put(`alt/${n}/a.pdf`, `%PDF-1.7 ${n}`);
    dav.server.put('neu/tief/a.pdf', '%PDF-1.7 a');
    const first = await dav.listed(nextcloud());
    const known = first.documents.map(({ dedupeKey }) => dedupeKey);
    dav.server.requests.splice(0);
    const second = await dav.listed(nextcloud({ known }), first.cursor);
    expect(second.documents).toEqual([]);
    expect(dav.server.requests.filter(({ depth }) => depth === '1')).toHaveLength(1);

    dav.server.put('neu/tief/b.pdf', '%PDF-1.7 b');
    dav.server.requests.splice(0);
    const third = await dav.listed(nextcloud({ known }), second.cursor);
    expect(paths(third.documents)).toEqual(['neu/tief/b.pdf']);
    expect(dav.server.requests.filter(({ depth }) => depth === '1')).toHaveLength(3);
  });

  it('reports which folders have subfolders', async () => {
    dav.server.put('voll/drin/a.pdf', 'x');
    dav.server.put('leer/a.pdf', 'x');
    const fields = await webdav.step2!(nextcloud());
    expect(fields[0]!.options).toMatchObject([
      { value: '.' },
      { value: 'leer', hasChildren: false },
      { value: 'voll', hasChildren: true },
    ]);
  });
});
