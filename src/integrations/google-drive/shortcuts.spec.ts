import { useGoogleDrive } from '../../../test/harness/connectors/use-google-drive';
import { googleDrive } from './google-drive';

const account = useGoogleDrive();

describe('A shortcut in a selected folder', () => {
  const chosen = () => ({ folders: [account.drive.folder('Rechnungen').id] });

  it('yields its target file with that file’s id, also after changes', async () => {
    const target = account.drive.put('Anderswo/Miete.pdf', '%PDF 1');
    account.drive.shortcut('Rechnungen/2026', target);
    const first = await account.listed(chosen());
    expect(first.paths).toEqual(['2026/Miete.pdf']);
    expect(first.documents[0]).toMatchObject({ externalId: target.id, filename: 'Miete.pdf' });
    expect((await account.read(first.documents[0]!)).toString()).toBe('%PDF 1');
    expect(first.filteredBy).toEqual({});
    const second = await account.listed({ ...chosen(), known: first.keys }, first.cursor);
    expect(second.paths).toEqual([]);
    account.drive.change(target.id, { content: Buffer.from('%PDF 2'), modifiedTime: new Date().toISOString() });
    const third = await account.listed({ ...chosen(), known: first.keys }, second.cursor);
    expect(third.paths).toEqual(['2026/Miete.pdf']);
  });

  it('to a file in a selected folder yields nothing', async () => {
    account.drive.shortcut('Rechnungen', account.drive.put('Rechnungen/2026/a.pdf', '%PDF'));
    expect((await account.listed(chosen())).paths).toEqual(['2026/a.pdf']);
  });

  it('to a folder yields its current and later files', async () => {
    const steuer = account.drive.folder('Steuer/Belege');
    account.drive.put('Steuer/Belege/1.pdf', '%PDF 1');
    account.drive.put('Steuer/privat.pdf', '%PDF');
    account.drive.shortcut('Rechnungen', steuer);
    const first = await account.listed(chosen());
    expect(first.paths).toEqual(['Belege/1.pdf']);
    account.drive.put('Steuer/Belege/Mai/2.pdf', '%PDF 2');
    account.drive.put('Steuer/auch privat.pdf', '%PDF');
    const second = await account.listed({ ...chosen(), known: first.keys }, first.cursor);
    expect(second.paths).toEqual(['Belege/Mai/2.pdf']);
  });

  it('that is created later yields its target, also in a shared drive', async () => {
    const team = account.drive.sharedDrive('Team');
    account.drive.put('Belege/1.pdf', '%PDF 1', { drive: team });
    account.drive.put('Rechnungen/a.pdf', '%PDF a');
    const first = await account.listed(chosen());
    expect(first.paths).toEqual(['a.pdf']);
    account.drive.shortcut('Rechnungen', account.drive.folder('Belege', team));
    const single = account.drive.put('Anderswo/b.pdf', '%PDF b');
    account.drive.shortcut('Rechnungen', single);
    const second = await account.listed({ ...chosen(), known: first.keys }, first.cursor);
    expect(second.paths).toEqual(['Belege/1.pdf', 'b.pdf']);
    account.drive.put('Belege/2.pdf', '%PDF 2', { drive: team });
    const known = [...first.keys, ...second.keys];
    expect((await account.listed({ ...chosen(), known }, second.cursor)).paths).toEqual(['Belege/2.pdf']);
  });

  it('may lead to other shortcuts, in cycles, and to deleted items', async () => {
    const far = account.drive.folder('Weit');
    account.drive.shortcut('Rechnungen', account.drive.folder('Nah'));
    account.drive.shortcut('Nah', far);
    account.drive.shortcut('Weit', account.drive.folder('Rechnungen'));
    account.drive.put('Weit/a.pdf', '%PDF');
    const gone = account.drive.put('Anderswo/weg.pdf', '%PDF weg');
    account.drive.shortcut('Rechnungen', gone);
    account.drive.items.delete(gone.id);
    expect((await account.listed(chosen())).paths).toEqual(['Nah/Weit/a.pdf']);
  });

  it('is shown in the tree as its target folder', async () => {
    const steuer = account.drive.folder('Steuer/Belege');
    account.drive.shortcut('Rechnungen', steuer);
    account.drive.shortcut('Rechnungen', account.drive.put('a.pdf', '%PDF'));
    const options = await googleDrive.options!(account.session(), 'folders', account.drive.folder('Rechnungen').id);
    expect(options).toEqual([{ value: steuer.id, label: 'Belege', hasChildren: true }]);
  });

  it('outside of the selected folders is not followed', async () => {
    account.drive.folder('Rechnungen');
    account.drive.shortcut('Anderswo', account.drive.put('a.pdf', '%PDF'));
    expect((await account.listed(chosen())).paths).toEqual([]);
  });
});

describe('What others have shared with the user', () => {
  const shared = { folders: ['shared_with_me'] };

  it('can be selected as a whole: files, and folders with their contents', async () => {
    account.drive.shared('einzeln.pdf', '%PDF single');
    const folder = account.drive.shared('Von Bernd', null);
    account.drive.putInto(folder.id, 'a.pdf', '%PDF a');
    account.drive.put('eigene.pdf', '%PDF own');
    const first = await account.listed(shared);
    expect(first.paths).toEqual(['Von Bernd/a.pdf', 'einzeln.pdf']);
    account.drive.putInto(folder.id, 'b.pdf', '%PDF b');
    account.drive.shared('später.pdf', '%PDF later');
    account.drive.put('noch eine eigene.pdf', '%PDF own 2');
    const second = await account.listed({ ...shared, known: first.keys }, first.cursor);
    expect(second.paths).toEqual(['Von Bernd/b.pdf', 'später.pdf']);
  });

  it('is not in the user’s own drive', async () => {
    account.drive.shared('einzeln.pdf', '%PDF');
    account.drive.put('eigene.pdf', '%PDF own');
    expect((await account.listed()).paths).toEqual(['eigene.pdf']);
  });

  it('can be selected by folder and is shown with its full path', async () => {
    const folder = account.drive.shared('Von Bernd', null);
    account.drive.putInto(folder.id, 'a.pdf', '%PDF a');
    const [own, whole] = await googleDrive.options!(account.session(), 'folders');
    expect([own!.value, whole!.value]).toEqual(['root', 'shared_with_me']);
    const below = await googleDrive.options!(account.session(), 'folders', 'shared_with_me');
    expect(below).toEqual([{ value: folder.id, label: 'Von Bernd', hasChildren: true }]);
    account.drive.items.get(account.drive.folder('x').id)!.parent = folder.id;
    const [first, second, all] = await googleDrive.resolve!(account.session(), 'folders', [
      folder.id,
      [...account.drive.items.values()].find(({ name }) => name === 'x')!.id,
      'shared_with_me',
    ]);
    expect([first, second].map((option) => option?.label)).toEqual(['Von Bernd', 'Von Bernd/x']);
    expect(all).toMatchObject({ label: { de: 'Für mich freigegeben' } });
    expect((await account.listed({ folders: [folder.id] })).paths).toEqual(['a.pdf']);
  });
});
