import { totalFiltered } from '../core/filter-reason';
import { buffer } from 'node:stream/consumers';
import { type DropboxAnswer, refused, tooMany } from '../../../test/fakes/dropbox/dropbox-endpoints';
import type { DropboxState } from '../../../test/fakes/dropbox/dropbox-state';
import { FakeDropbox, type Fault, type Request } from '../../../test/fakes/dropbox/fake-dropbox';
import { OAuthSessions } from '../../../test/harness/connectors/oauth-sessions';
import { rejectionOf } from '../../../test/harness/rejection-of';
import type { OpenSession } from '../core/session/open-session';
import type { Json } from '../core/source-document';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  PermissionMissing,
  RateLimited,
  Transient,
} from '../core/source-errors';
import { dropbox } from './dropbox';

let server: FakeDropbox;
let files: DropboxState;
let sessions: OAuthSessions;
const session: OAuthSessions['open'] = (...given) => sessions.open(...given);
const fetched: OAuthSessions['fetched'] = (...given) => sessions.fetched(...given);
const asked = (route: string): Request[] => server.requests.filter((request) => request.route === route);
const CONTINUE = 'files/list_folder/continue';

beforeEach(async () => {
  server = await FakeDropbox.start();
  files = server.files();
  sessions = new OAuthSessions(dropbox, server);
});
afterEach(async () => {
  await sessions.close();
  await server.stop();
  expect(server.violations).toEqual([]);
});

describe('The account of a Dropbox', () => {
  it('has a stable id and is displayed by its address', async () => {
    expect(await dropbox.check(session())).toEqual({ id: files.account, display: 'anna@example.com' });
  });

  it('distinguishes errors that the user has to fix from transient ones', async () => {
    const scopes = ['files.metadata.read', 'files.content.read'];
    expect(await rejectionOf(dropbox.check(session({}, { scopes })))).toMatchObject({ reason: 'SCOPE_MISSING' });
    const suspended = { answer: refused(401, 'user_suspended') };
    const faults: [Fault, unknown][] = [
      [suspended, AuthorizationRevoked],
      [{ answer: refused(403, 'paper_access_denied/paper_disabled') }, PermissionMissing],
      [{ answer: tooMany(17) }, RateLimited],
      [{ answer: tooMany(17), headers: { 'retry-after': '17' } }, RateLimited],
      [{ answer: { status: 429, text: 'Slow down.' } }, RateLimited],
      [{ answer: { status: 500, text: 'Oops.' } }, Transient],
      [{ answer: { status: 503, text: 'Away.' } }, Transient],
      [{ answer: { status: 400, text: 'What?' } }, UnexpectedResponse],
      [{ cutAfter: 10 }, Transient],
    ];
    for (const [fault, expected] of faults) {
      server.fault = () => fault;
      const error = await rejectionOf(dropbox.check(session()));
      expect([fault, error]).toEqual([fault, expect.any(expected as () => unknown)]);
      if (error instanceof RateLimited) expect(error.retryAfterSeconds).toBe(fault.answer?.json ? 17 : 60);
    }
  });
});

describe('The folders of a Dropbox', () => {
  const folders = (opened: OpenSession, parent?: string) => dropbox.options!(opened, 'folders', parent);

  it('are loaded level by level, including shared ones', async () => {
    server.endpoints.page = 2;
    for (const path of ['Büro/2026', 'Ärzte', 'Geteilt', 'Zu', '10', '9']) files.folder(path);
    files.folder('Geteilt').sharedFolderId = '84528192421';
    files.folder('Zu').hasNoAccess = true;
    files.put('datei.pdf', '%PDF');
    const opened = session();
    const [root] = await folders(opened);
    expect(root).toMatchObject({ value: 'root', hasChildren: true });
    const first = await folders(opened, root!.value);
    expect(first.map(({ label }) => label)).toEqual(['9', '10', 'Ärzte', 'Büro', 'Geteilt']);
    const inner = await folders(opened, first.find(({ label }) => label === 'Büro')!.value);
    expect(inner).toEqual([{ value: files.folder('Büro/2026').id, label: '2026', hasChildren: true }]);
    const ids = ['root', inner[0]!.value, files.folder('Zu').id, 'id:unknown', 'nonsense'];
    expect(await dropbox.resolve!(opened, 'folders', ids)).toEqual([
      root,
      { value: inner[0]!.value, label: 'Büro/2026' },
      null,
      null,
      null,
    ]);
  });

  it('include the team space for its members', async () => {
    files.put('eigene.pdf', '%PDF eigene');
    files.becomeTeam('Anna Beispiel');
    files.put('Team Finanzen/geteilt.pdf', '%PDF geteilt');
    const opened = session();
    expect((await folders(opened, 'root')).map(({ label }) => label)).toEqual(['Anna Beispiel', 'Team Finanzen']);
    expect((await fetched(opened)).names).toEqual(['eigene.pdf', 'geteilt.pdf']);
    const team = await fetched(session({ folders: [files.folder('Team Finanzen').id] }));
    expect(team.documents).toEqual([]);
    expect(await buffer((await dropbox.download(opened, (await again('Team Finanzen'))[0]!)).stream)).toHaveLength(12);
  });

  const again = async (folder: string) => {
    sessions.recorded.clear();
    return (await fetched(session({ folders: [files.folder(folder).id] }))).documents;
  };
});

describe('The files of a Dropbox', () => {
  it('are selected by kind, pattern, size and upload date', async () => {
    files.put('Büro/Rechnung Ü.pdf', '%PDF ü', { clientModified: '2019-05-01T12:00:00Z' });
    files.put('Büro/Entwurf.pdf', '%PDF');
    files.put('Büro/leer.pdf', '');
    files.put('Büro/programm.exe', 'MZ');
    files.put('Büro/alt.pdf', '%PDF alt', { serverModified: '2026-01-31T22:59:59Z' });
    files.put('anderswo.pdf', '%PDF');
    const step2 = { folders: [files.folder('Büro').id], exclude: 'entwurf*' };
    const { documents, filteredBy } = await fetched(session(step2, { zone: 'Europe/Berlin' }), null, '2026-02-01');
    const [item] = [...files.in(files.folder('Büro'))];
    expect(documents).toEqual([
      {
        dedupeKey: expect.stringMatching(/^file:/),
        isSameByContent: true,
        externalId: item!.id,
        filename: 'Rechnung Ü.pdf',
        metadata: { source: { kind: 'file', path: 'Rechnung Ü.pdf', modified_at: '2019-05-01T12:00:00Z' } },
        locator: { id: item!.id, format: null, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        size: 7,
      },
    ]);
    expect(filteredBy).toEqual({ BEFORE_STARTDATE: 1, EMPTY: 1, PATTERN: 1, TYPE: 1 });
  });

  it('are listed once each when selected folders are nested', async () => {
    files.put('A/b/1.pdf', '%PDF 1');
    const step2 = { folders: [files.folder('A/b').id, files.folder('A').id] };
    const { documents } = await fetched(session(step2));
    expect(documents.map(({ metadata }) => metadata.source?.path)).toEqual(['b/1.pdf']);
  });

  it('are not listed again after renaming or moving, but after changes', async () => {
    const [a, b] = [files.put('A/a.pdf', '%PDF a'), files.put('A/b.pdf', '%PDF b')];
    files.put('A/unter/c.pdf', '%PDF c');
    const first = await fetched();
    expect(first.names).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    files.move(a, a.parent!, 'umbenannt.pdf');
    files.move(b, files.folder('B'));
    files.move(files.folder('A/unter'), files.folder('B'));
    const second = await fetched(session(), first.cursor);
    expect(second.names).toEqual([]);
    files.put('B/b.pdf', '%PDF b, changed');
    files.remove(files.put('B/kurz.pdf', '%PDF kurz'));
    files.put('B/neu.pdf', '%PDF neu');
    const third = await fetched(session(), second.cursor);
    expect(third.names).toEqual(['b.pdf', 'neu.pdf']);
    expect(third.documents[0]!.externalId).toBe(b.id);
    expect(asked('files/list_folder')).toHaveLength(1);
  });

  it('are resumed after an interrupted listing', async () => {
    server.endpoints.page = 10;
    for (let n = 0; n < 35; n++) files.put(`${n}.pdf`, `%PDF ${n}`);
    const names: string[] = [];
    let cursor: Json = null;
    let pages = 0;
    server.fault = ({ route }) => (route === CONTINUE && ++pages === 2 ? { answer: { status: 503, text: '' } } : {});
    const listing = async () => {
      for await (const page of dropbox.list(session(), cursor, null)) {
        names.push(...page.documents.map(({ filename }) => filename));
        cursor = page.cursor;
      }
    };
    await expect(listing()).rejects.toBeInstanceOf(Transient);
    expect(names).toHaveLength(20);
    await listing();
    expect(names).toHaveLength(35);
    expect(new Set(names).size).toBe(35);
    expect(asked('files/list_folder')).toHaveLength(1);
  });

  it.each<[string, DropboxAnswer]>([
    ['takes it back', refused(409, 'reset')],
    ['knows nothing of it', { status: 400, text: 'Invalid "cursor" parameter' }],
  ])(
    'are listed again from the middle without loss or repetition when Dropbox has returned a cursor and %s',
    async (_, answer) => {
      server.endpoints.page = 10;
      for (let n = 0; n < 35; n++) files.put(`${n}.pdf`, `%PDF ${n}`);
      files.put('programm.exe', 'MZ');
      let pages = 0;
      server.fault = ({ route }) => (route === CONTINUE && ++pages === 2 ? { answer } : undefined);
      const { names, filteredBy, cursor } = await fetched();
      expect(names).toHaveLength(35);
      expect(totalFiltered(filteredBy)).toBeLessThanOrEqual(1);
      expect(asked('files/list_folder')).toHaveLength(2);
      // The same between two fetches.
      files.invalidateCursors();
      files.put('neu.pdf', '%PDF neu');
      expect((await fetched(session(), cursor)).names).toEqual(['neu.pdf']);
    },
  );

  it('fail as transient when Dropbox resets every cursor', async () => {
    server.endpoints.page = 1;
    for (const name of ['a', 'b']) files.put(`${name}.pdf`, `%PDF ${name}`);
    server.fault = ({ route }) => (route === CONTINUE ? { answer: refused(409, 'reset') } : undefined);
    expect(await rejectionOf(fetched())).toBeInstanceOf(Transient);
  });

  it('are found in a moved folder; a deleted one is reported', async () => {
    files.put('A/1.pdf', '%PDF 1');
    files.put('B/2.pdf', '%PDF 2');
    const folder = files.folder('A');
    const step2 = { folders: [folder.id, files.folder('B').id] };
    const { cursor } = await fetched(session(step2));
    files.move(folder, files.folder('Archiv'), 'Anders');
    files.put('Archiv/Anders/3.pdf', '%PDF 3');
    const moved = await fetched(session(step2), cursor);
    expect(moved.names).toEqual(['3.pdf']);
    files.remove(folder);
    files.put('B/4.pdf', '%PDF 4');
    const names: string[] = [];
    const listing = async () => {
      for await (const page of dropbox.list(session(step2), moved.cursor, null)) {
        names.push(...page.documents.map(({ filename }) => filename));
      }
    };
    await expect(listing()).rejects.toBeInstanceOf(SelectionNotFound);
    expect(names).toEqual(['4.pdf']);
  });

  it('are listed again when the user has joined a team', async () => {
    files.put('1.pdf', '%PDF 1');
    const { cursor } = await fetched();
    files.becomeTeam();
    files.put('Team/2.pdf', '%PDF 2');
    expect((await fetched(session(), cursor)).names).toEqual(['2.pdf']);
    // The next session reads the new root.
    server.fault = ({ route }) =>
      route === 'files/list_folder' ? { answer: refused(422, 'invalid_root') } : undefined;
    expect(await rejectionOf(fetched())).toBeInstanceOf(Transient);
  });
});
