import { refused } from '../../../test/fakes/microsoft-graph/answers';
import { DriveState } from '../../../test/fakes/microsoft-graph/drive-state';
import type { FakeMicrosoftGraph } from '../../../test/fakes/microsoft-graph/fake-microsoft-graph';
import type { SourceSessionInput } from '../../../test/harness/connectors/source-session';
import { useMicrosoft } from '../../../test/harness/connectors/use-microsoft';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  PermissionMissing,
  RateLimited,
  Transient,
} from '../core/source-errors';
import { microsoftDrive } from './microsoft-drive';

let server: FakeMicrosoftGraph;
let drive: DriveState;
const account = useMicrosoft(microsoftDrive, (started) => {
  server = started;
  drive = started.files().own;
});
const { sources } = account;

const chosen = (...folders: string[]): SourceSessionInput => ({ step2: { folders } });
const valueOf = (path: string, of = drive): string => `${of.id}/${of.folder(path).id}`;
const listings = (): string[] => server.requests.filter((request) => request.includes('/children'));

function library(): DriveState {
  const made = new DriveState(
    'Dokumente',
    'documentLibrary',
    'https://contoso.sharepoint.com/sites/Finanz%20%26%20Co/D',
  );
  server.files().sites.push({ id: 'contoso.sharepoint.com,a,b', displayName: 'Finanz & Co', libraries: [made] });
  return made;
}

describe('A listing', () => {
  it('returns the metadata of a file', async () => {
    const file = drive.put('Büro/RE-1.pdf', '%PDF 1', { lastModifiedDateTime: '2026-11-03T10:00:00.1234567Z' });
    const { documents } = await sources.list(chosen(valueOf('Büro')));
    expect(documents).toMatchObject([
      {
        externalId: file.id,
        filename: 'RE-1.pdf',
        isSameByContent: true,
        size: 6,
        metadata: {
          source: {
            kind: 'file',
            path: 'RE-1.pdf',
            modified_at: '2026-11-03T10:00:00.123Z',
            url: expect.stringMatching(/^https/),
          },
        },
      },
    ]);
  });

  it('lists no renamed, moved or deleted file twice, but changed ones', async () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => drive.put(`In/${name}.pdf`, name));
    const first = await sources.list();
    drive.change(a!.id, { name: 'renamed.pdf' });
    drive.change(b!.id, { parent: drive.folder('Anderswo').id });
    drive.change(c!.id, { isDeleted: true });
    drive.put('In/d.pdf', 'another');
    const second = await sources.listFrom(first);
    expect(second.names).toEqual(['d.pdf']);
    expect(second.documents[0]!.externalId).toBe(d!.id);
  });

  it('lists a folder that is moved in, but not one with only changed contents', async () => {
    drive.put('In/2026/a.pdf', 'a');
    drive.put('Draußen/Neu/tief/b.pdf', 'b');
    const moved = drive.folder('Draußen/Neu').id;
    const at = chosen(valueOf('In'));
    const first = await sources.list(at);
    expect(first.names).toEqual(['a.pdf']);
    drive.change(moved, { parent: drive.folder('In').id });
    const second = await sources.listFrom(first, at);
    expect(second.documents).toMatchObject([{ metadata: { source: { path: 'Neu/tief/b.pdf' } } }]);

    server.requests.length = 0;
    drive.put('In/2026/c.pdf', 'c');
    drive.put('In/Neu/tief/d.pdf', 'd');
    const third = await sources.listFrom(second, at);
    expect(third.names).toEqual(['c.pdf', 'd.pdf']);
    expect(listings()).toEqual([]);

    drive.change(moved, { parent: drive.folder('Draußen').id });
    const fourth = await sources.listFrom(third, at);
    drive.put('Draußen/Neu/tief/e.pdf', 'e');
    const fifth = await sources.listFrom(fourth, at);
    expect([...fourth.names, ...fifth.names]).toEqual([]);
    drive.change(moved, { parent: drive.folder('In').id });
    const known = [first, second, third].flatMap(({ keys }) => keys);
    expect((await sources.listFrom(fifth, { ...at, known })).names).toEqual(['e.pdf']);
  });

  it('loses nothing of a moved folder after an interruption', async () => {
    const first = await sources.list(chosen(valueOf('In')));
    for (let n = 0; n < 130; n++) drive.put(`Draußen/Neu/${n % 2}/${n}.pdf`, `${n}`);
    drive.change(drive.folder('Draußen/Neu').id, { parent: drive.folder('In').id });
    const at = chosen(valueOf('In'));
    server.fault = ({ pathname }) =>
      pathname.includes(`${drive.folder('In/Neu/1').id}/children`) ? refused(500, 'generalException') : undefined;
    const cut = await sources.listFrom(first, at);
    expect(cut.error).toBeInstanceOf(Transient);
    server.fault = () => undefined;
    const rest = await sources.listFrom(cut, at);
    expect(new Set([...cut.names, ...rest.names]).size).toBe(130);
  });

  it.each([403, 404])('skips a folder that is inaccessible or deleted (%s)', async (status) => {
    const at = chosen(valueOf('In'));
    for (const name of ['a/1', 'b/2', 'c/3']) drive.put(`Draußen/Neu/${name}.pdf`, name);
    const first = await sources.list(at);
    drive.change(drive.folder('Draußen/Neu').id, { parent: drive.folder('In').id });
    const closed = drive.folder('In/Neu/b').id;
    server.fault = ({ pathname }) => (pathname.includes(`${closed}/children`) ? refused(status, 'code') : undefined);
    const second = await sources.listFrom(first, at);
    expect(second).toMatchObject({ names: ['1.pdf', '3.pdf'], error: undefined });
    server.fault = () => undefined;
    drive.change(closed, { name: 'offen' });
    expect((await sources.listFrom(second, at)).names).toEqual(['2.pdf']);
  });

  it('starts again when Graph no longer knows the position, and downloads nothing twice', async () => {
    const books = library();
    drive.put('a.pdf', 'a');
    books.put('b.pdf', 'b');
    const at = chosen('root', `sharepoint:${books.id}/root`);
    const first = await sources.list(at);
    expect(first.names).toEqual(['a.pdf', 'b.pdf']);
    drive.invalidateCursors();
    drive.put('c.pdf', 'c');
    books.put('d.pdf', 'd');
    const second = await sources.listFrom(first, at);
    expect(second).toMatchObject({ names: ['c.pdf', 'd.pdf'], error: undefined });
    expect((await sources.listFrom(second, { ...at, known: first.keys })).names).toEqual([]);
  });

  it('processes the other folders before it reports a missing one, and that one after it is restored', async () => {
    drive.put('A/a.pdf', 'a');
    drive.put('B/b.pdf', 'b');
    const at = chosen(valueOf('A'), valueOf('B'));
    drive.change(drive.folder('A').id, { isDeleted: true });
    const first = await sources.list(at);
    expect(first.names).toEqual(['b.pdf']);
    expect(first.error).toBeInstanceOf(SelectionNotFound);
    drive.items.get(drive.folder('A').id)!.isDeleted = false; // without an entry in the change list
    expect(await sources.listFrom(first, at)).toMatchObject({ names: ['a.pdf'], error: undefined });
  });

  it('reports a missing permission after all accessible folders', async () => {
    drive.put('a.pdf', 'a');
    const closed = library();
    closed.isClosed = true;
    const { names, error } = await sources.list(chosen(`sharepoint:${closed.id}/root`, 'root'));
    expect(names).toEqual(['a.pdf']);
    expect(error).toBeInstanceOf(PermissionMissing);
  });

  it('starts at midnight in the user’s time zone, by creation and change time', async () => {
    const at = (created: string, modified = created) => ({ createdDateTime: created, lastModifiedDateTime: modified });
    drive.put('before.pdf', '1', at('2026-11-18T22:59:59Z'));
    drive.put('midnight.pdf', '2', at('2026-11-18T23:00:00Z'));
    drive.put('moved.pdf', '3', at('2026-11-20T00:00:00Z', '2019-01-01T00:00:00Z'));
    const berlin = { fields: { time_zone: 'Europe/Berlin' }, startdate: '2026-11-19' };
    expect((await sources.list(berlin)).names).toEqual(['midnight.pdf', 'moved.pdf']);
    expect((await sources.list({ startdate: '2026-11-19' })).names).toEqual(['moved.pdf']);
  });

  it('applies patterns to paths below the selected folder, and counts excluded files', async () => {
    for (const path of ['In/a.pdf', 'In/alt/b.pdf', 'In/c.txt']) drive.put(path, path);
    const { names, filteredBy } = await sources.list({ step2: { folders: [valueOf('In')], exclude: 'alt/**' } });
    expect(names).toEqual(['a.pdf']);
    expect(filteredBy).toEqual({ PATTERN: 1, TYPE: 1 });
  });

  it('lists nothing when SharePoint is selected without a library', async () => {
    drive.put('a.pdf', 'a');
    expect(await sources.list(chosen('sharepoint'))).toMatchObject({ names: [], error: undefined });
  });

  it('does not send its token to hosts in links', async () => {
    const asked: string[] = [];
    server.downloads.violations.length = 0;
    for (const link of [`${server.downloads.url}/v1.0/next`, 'https://graph.example/v1.0/x', 'file:///etc/passwd']) {
      server.fault = ({ pathname }) => {
        if (!pathname.endsWith('/delta')) return undefined;
        asked.push(pathname);
        return { status: 200, json: { value: [], '@odata.nextLink': link } };
      };
      expect((await sources.list()).error).toBeInstanceOf(UnexpectedResponse);
    }
    expect(asked).toHaveLength(3);
  });
});

describe('An error response of Graph', () => {
  it.each([
    ['a pause', 429, 'activityLimitReached', { 'retry-after': '17' }, RateLimited, 17],
    ['a pause without an end', 429, 'TooManyRequests', {}, RateLimited, 60],
    ['a pause of a service that is busy', 503, 'serviceNotAvailable', { 'retry-after': '120' }, RateLimited, 120],
    ['a bad moment', 503, 'serviceNotAvailable', {}, Transient, undefined],
    ['a locked site', 423, 'resourceLocked', {}, Transient, undefined],
    ['a right that is missing', 403, 'accessDenied', {}, PermissionMissing, undefined],
    ['what nobody has described', 400, 'invalidRequest', {}, UnexpectedResponse, undefined],
  ])('is classified: %s', async (_, status, code, headers, expected, seconds) => {
    server.fault = ({ pathname }) => (pathname === '/v1.0/me' ? refused(status, code, headers) : undefined);
    const error: unknown = await microsoftDrive.check(sources.open()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(expected);
    expect((error as Partial<RateLimited>).retryAfterSeconds).toBe(seconds);
    expect(String(error)).toContain(code);
  });

  it('renews an expired access token, and revokes the authorization after a second rejection', async () => {
    const asked: (string | undefined)[] = [];
    const stale = 'stale';
    const accessToken = (ended?: string) => {
      asked.push(ended);
      return Promise.resolve(ended === stale ? account.token : stale);
    };
    expect(await microsoftDrive.check(sources.open({ accessToken }))).toMatchObject({ display: 'anna@example.com' });
    expect(asked).toEqual([undefined, stale]);
    server.entra.withdraw('anna@example.com');
    await expect(microsoftDrive.check(sources.open({ accessToken }))).rejects.toThrow(AuthorizationRevoked);
  });
});
