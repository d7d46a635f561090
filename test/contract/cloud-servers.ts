import { refused as boxRefused } from '../fakes/box/box-endpoints';
import { FakeBox } from '../fakes/box/fake-box';
import { tooMany } from '../fakes/dropbox/dropbox-endpoints';
import { FakeDropbox } from '../fakes/dropbox/fake-dropbox';
import { DOCUMENT } from '../fakes/google-drive/drive-state';
import { FakeGoogleDrive } from '../fakes/google-drive/fake-google-drive';
import { refused } from '../fakes/google/answers';
import { refused as graphRefused } from '../fakes/microsoft-graph/answers';
import { DriveState } from '../fakes/microsoft-graph/drive-state';
import { FakeMicrosoftGraph } from '../fakes/microsoft-graph/fake-microsoft-graph';
import { type ApiTestServer, withOAuth } from './test-server';

const FILES = 115;

export async function box(): Promise<ApiTestServer> {
  const server = await FakeBox.start();
  server.endpoints.page = 30;
  const files = server.files();
  for (let n = 0; n < FILES; n++) files.put(n % 3 ? `Büro & Co/2026/${n}.pdf` : `Geteilt/${n}.pdf`, `%PDF-1.7 ${n}`);
  files.folder('Geteilt').isShared = true;
  const last = files.put('Geteilt/zuletzt.pdf', '%PDF-1.7 last');
  // None of these is a document: empty, a note, a bookmark, of an unselected kind, in an unselected folder.
  files.put('Büro & Co/leer.pdf', '');
  files.put('Büro & Co/Notiz.boxnote', '{}');
  files.link('Lesezeichen');
  files.put('Büro & Co/programm.exe', 'MZ');
  files.put('Privat/1.pdf', '%PDF privat');
  return {
    ...withOAuth(
      server,
      () => server.authorization.tokens().access_token,
      () => server.authorization.expireAccessTokens(),
    ),
    step2: { folders: [files.folder('Büro & Co').id, files.folder('Geteilt').id] },
    documents: FILES + 1,
    addDocument() {
      files.put('Geteilt/noch eine.pdf', '%PDF-1.7 noch eine', { modifiedAt: '2019-05-01T12:00:00+02:00' });
      return {};
    },
    beforeEachRequest(beforeRequest) {
      server.fault = () => {
        const seconds = beforeRequest();
        return seconds === undefined
          ? undefined
          : { answer: boxRefused(429, 'too_many_requests', { 'retry-after': String(seconds) }) };
      };
    },
    removeDocument: () => files.remove(last),
  };
}

export async function dropbox(): Promise<ApiTestServer> {
  const server = await FakeDropbox.start();
  server.endpoints.page = 30;
  const files = server.files();
  for (let n = 0; n < FILES; n++) files.put(n % 3 ? `Büro & Co/2026/${n}.pdf` : `Geteilt/${n}.pdf`, `%PDF-1.7 ${n}`);
  files.folder('Geteilt').sharedFolderId = '84528192421';
  files.put('Büro & Co/Brief.paper', 'native', { exports: { export_as: 'html', export_options: ['markdown'] } });
  const last = files.put('Geteilt/zuletzt.pdf', '%PDF-1.7 last');
  // None of these is a document: empty, of an unselected kind, in an unselected folder.
  files.put('Büro & Co/leer.pdf', '');
  files.put('Büro & Co/programm.exe', 'MZ');
  files.put('Privat/1.pdf', '%PDF privat');
  return {
    ...withOAuth(
      server,
      () => server.authorization.tokens().access_token,
      () => server.authorization.expireAccessTokens(),
    ),
    step2: {
      folders: [files.folder('Büro & Co').id, files.folder('Geteilt').id],
      file_types: ['pdf', 'xml', 'dropbox_paper'],
    },
    documents: FILES + 2,
    addDocument() {
      files.put('Geteilt/noch eine.pdf', '%PDF-1.7 noch eine');
      return {};
    },
    beforeEachRequest(beforeRequest) {
      server.fault = () => {
        const seconds = beforeRequest();
        return seconds === undefined ? undefined : { answer: tooMany(seconds) };
      };
    },
    removeDocument: () => files.remove(last),
    invalidateCursors: () => files.invalidateCursors(),
  };
}

export async function googleDrive(): Promise<ApiTestServer> {
  const server = await FakeGoogleDrive.start();
  server.endpoints.page = 30;
  const drive = server.drive();
  const shared = drive.sharedDrive('Team & Co');
  for (let n = 0; n < FILES; n++) {
    if (n % 3) drive.put(`Büro & Co/2026/${n}.pdf`, `%PDF-1.7 ${n}`);
    else drive.put(`Rechnungen/${n}.pdf`, `%PDF-1.7 ${n}`, { drive: shared });
  }
  drive.put('Büro & Co/Brief', 'native', { mimeType: DOCUMENT });
  const last = drive.put('Rechnungen/zuletzt.pdf', '%PDF-1.7 last', { drive: shared });
  // None of these is a document: empty, in the trash, of an unselected kind, in an unselected folder.
  drive.put('Büro & Co/leer.pdf', '');
  drive.put('Büro & Co/weg.pdf', '%PDF', { trashed: true });
  drive.put('Büro & Co/programm.exe', 'MZ');
  drive.put('Privat/1.pdf', '%PDF privat');
  drive.shared('Von Bernd', null);
  return {
    ...withOAuth(
      server,
      () => server.authorization.tokens().access_token,
      () => server.authorization.expireAccessTokens(),
    ),
    step2: { folders: [drive.folder('Büro & Co').id, shared], file_types: ['pdf', 'xml', 'google_docs'] },
    documents: FILES + 2,
    addDocument() {
      drive.put('Rechnungen/noch eine.pdf', '%PDF-1.7 noch eine', { drive: shared });
      return {};
    },
    beforeEachRequest(beforeRequest) {
      server.fault = () => {
        const seconds = beforeRequest();
        return seconds === undefined
          ? undefined
          : { answer: refused(429, 'rateLimitExceeded'), headers: { 'retry-after': String(seconds) } };
      };
    },
    removeDocument: () => void drive.change(last.id, { trashed: true }),
    invalidateCursors: () => drive.invalidateCursors(),
  };
}

export async function microsoftDrive(): Promise<ApiTestServer> {
  const server = await FakeMicrosoftGraph.start();
  server.page = 30;
  const { own, sites, others } = server.files();
  const library = new DriveState('Dokumente', 'documentLibrary', 'https://contoso.sharepoint.com/sites/Finance/Docs');
  sites.push({ id: 'contoso.sharepoint.com,1,2', displayName: 'Finance', libraries: [library] });
  const theirs = new DriveState('OneDrive');
  theirs.isClosed = true;
  others.push(theirs);
  for (let n = 0; n < FILES; n++) {
    if (n % 3 === 0) library.put(`Rechnungen/${n}.pdf`, `%PDF-1.7 ${n}`);
    else if (n % 3 === 1) own.put(`Büro & Co/2026/${n}.pdf`, `%PDF-1.7 ${n}`);
    else theirs.put(`Belege/${n}.pdf`, `%PDF-1.7 ${n}`);
  }
  const last = library.put('Rechnungen/zuletzt.pdf', '%PDF-1.7 last');
  // None of these is a document: empty, in the trash, infected, of an unselected kind, a notebook, in no selected folder.
  own.put('Büro & Co/leer.pdf', '');
  own.put('Büro & Co/weg.pdf', '%PDF', { isDeleted: true });
  own.put('Büro & Co/virus.pdf', '%PDF', { hasMalware: true });
  own.put('Büro & Co/programm.exe', 'MZ');
  own.folder('Büro & Co/Notizen', 'package');
  own.put('Büro & Co/Notizen/Abschnitt.pdf', '%PDF notes');
  own.put('Privat/1.pdf', '%PDF privat');
  const folders = [
    `${own.id}/${own.folder('Büro & Co').id}`,
    `sharepoint:${library.id}/root`,
    `${theirs.id}/${theirs.folder('Belege').id}`,
  ];
  return {
    ...withOAuth(
      server,
      () => server.entra.accessToken(),
      () => server.entra.expireAccessTokens(),
    ),
    step2: { folders, file_types: ['pdf', 'xml'] },
    documents: FILES + 1,
    addDocument() {
      library.put('Rechnungen/noch eine.pdf', '%PDF-1.7 noch eine');
      return {};
    },
    beforeEachRequest(beforeRequest) {
      server.fault = () => {
        const seconds = beforeRequest();
        return seconds === undefined
          ? undefined
          : graphRefused(429, 'activityLimitReached', { 'retry-after': String(seconds) });
      };
    },
    removeDocument: () => void library.change(last.id, { isDeleted: true }),
    invalidateCursors: () => [own, library, theirs].forEach((drive) => drive.invalidateCursors()),
  };
}
