import { DriveState } from '../../../test/fakes/microsoft-graph/drive-state';
import type { FakeMicrosoftGraph } from '../../../test/fakes/microsoft-graph/fake-microsoft-graph';
import { useMicrosoft } from '../../../test/harness/connectors/use-microsoft';
import { microsoftDrive } from './microsoft-drive';

let server: FakeMicrosoftGraph;
let drive: DriveState;
const account = useMicrosoft(microsoftDrive, (started) => {
  server = started;
  drive = started.files().own;
});
const { sources } = account;
const valueOf = (path: string, of = drive): string => `${of.id}/${of.folder(path).id}`;

function library(): DriveState {
  const made = new DriveState(
    'Dokumente',
    'documentLibrary',
    'https://contoso.sharepoint.com/sites/Finanz%20%26%20Co/D',
  );
  server.files().sites.push({ id: 'contoso.sharepoint.com,a,b', displayName: 'Finanz & Co', libraries: [made] });
  return made;
}

describe('The folders to choose from', () => {
  const level = (parent?: string) => microsoftDrive.options!(sources.open(), 'folders', parent);

  it('are those of the user’s drive, without notebooks, and shortcuts to shared folders', async () => {
    const theirs = new DriveState();
    server.files().others.push(theirs);
    drive.put('Büro/a.pdf', 'a');
    drive.folder('Notizen', 'package');
    drive.shortcut('Von Bert', { driveId: theirs.id, id: theirs.folder('Belege').id });
    expect(await level('root')).toEqual([
      { value: valueOf('Büro'), label: 'Büro', hasChildren: true },
      { value: `${theirs.id}/${theirs.folder('Belege').id}`, label: 'Von Bert', hasChildren: true },
    ]);
    expect(await level(valueOf('Büro'))).toEqual([]);
    expect(await level('nonsense')).toEqual([]);
  });

  it('include the libraries of all sites over several pages', async () => {
    server.page = 2;
    for (const name of ['C', 'A', 'B', 'D', 'E']) {
      server.files().sites.push({ id: `contoso.sharepoint.com,${name},1`, displayName: name, libraries: [] });
    }
    const books = library();
    books.folder('2026/11');
    const sites = await level('sharepoint');
    expect(sites.map(({ label }) => label)).toEqual(['A', 'B', 'C', 'D', 'E', 'Finanz & Co']);
    expect(sites.every(({ selectable }) => selectable === false)).toBe(true);
    const [docs] = await level(sites.at(-1)!.value);
    expect(docs).toEqual({ value: `sharepoint:${books.id}/root`, label: 'Dokumente', hasChildren: true });
    const year = { value: `sharepoint:${valueOf('2026', books)}`, label: '2026', hasChildren: true };
    expect(await level(docs!.value)).toEqual([year]);
    expect(await level(year.value)).toMatchObject([{ label: '11', hasChildren: false }]);
  });

  it('show no sites before the user’s consent', async () => {
    library();
    account.token = server.entra.accessToken('anna@example.com', ['User.Read', 'Files.Read.All']);
    expect(await level('sharepoint')).toEqual([]);
    const { scopes, scopesFor } = microsoftDrive.oauth!;
    expect(scopes).toEqual(['offline_access', 'User.Read', 'Files.Read.All']);
    expect(scopesFor!({})).toEqual([]);
    expect(scopesFor!({ folders: ['root', valueOf('A')] })).toEqual([]);
    for (const value of ['sharepoint', 'sharepoint:b!1/root']) {
      expect(scopesFor!({ folders: ['root', value] })).toEqual(['Sites.Read.All']);
    }
  });

  it('have full paths when they are selected', async () => {
    const books = library();
    const values = [
      'root',
      'sharepoint',
      valueOf('Büro & Co/100 %/2026'),
      `sharepoint:${books.id}/root`,
      `sharepoint:${valueOf('2026/11', books)}`,
      `${drive.id}/${drive.put('a.pdf', 'a').id}`,
      `${drive.id}/gone`,
      'malformed/id',
      'site:contoso.sharepoint.com,a,b',
    ];
    const options = await microsoftDrive.resolve!(sources.open(), 'folders', values);
    expect(options.map((option) => option?.label)).toEqual([
      'OneDrive',
      { en: expect.stringContaining('SharePoint'), de: expect.stringContaining('SharePoint') },
      'Büro & Co/100 %/2026',
      'Finanz & Co/Dokumente',
      'Finanz & Co/Dokumente/2026/11',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
