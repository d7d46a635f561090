import { FakeBox } from '../fakes/box/fake-box';
import { FakeDropbox } from '../fakes/dropbox/fake-dropbox';
import type { Counterpart } from './counterpart';

const FILES = 230;

export async function box(): Promise<Counterpart> {
  const server = await FakeBox.start();
  server.endpoints.page = 60;
  const files = server.files();
  for (let n = 0; n < FILES; n++) files.put(n % 3 ? `Büro & Co/2026/${n}.pdf` : `Geteilt/${n}.pdf`, `%PDF-1.7 ${n}`);
  files.folder('Geteilt').isShared = true;
  // None of these is a document: empty, a note, a bookmark, of a kind that is not wanted, in a folder that is not chosen.
  files.put('Büro & Co/leer.pdf', '');
  files.put('Büro & Co/Notiz.boxnote', '{}');
  files.link('Lesezeichen');
  files.put('Büro & Co/programm.exe', 'MZ');
  files.put('Privat/1.pdf', '%PDF privat');
  const fields = {};
  const token = server.authorization.tokens().access_token;
  return {
    fields,
    step2: { folders: [files.folder('Büro & Co').id, files.folder('Geteilt').id] },
    refused: { time_zone: 'Europe/Berlin' },
    provider: (isRefused) => ({
      apiBaseUrl: server.url,
      accessToken: () => Promise.resolve(isRefused ? 'no token' : token),
    }),
    documents: FILES,
    deliver() {
      files.put('Geteilt/noch eine.pdf', '%PDF-1.7 noch eine', { modifiedAt: '2019-05-01T12:00:00+02:00' });
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

export async function dropbox(): Promise<Counterpart> {
  const server = await FakeDropbox.start();
  server.endpoints.page = 60;
  const files = server.files();
  for (let n = 0; n < FILES; n++) files.put(n % 3 ? `Büro & Co/2026/${n}.pdf` : `Geteilt/${n}.pdf`, `%PDF-1.7 ${n}`);
  files.folder('Geteilt').sharedFolderId = '84528192421';
  files.put('Büro & Co/Brief.paper', 'native', { exports: { export_as: 'html', export_options: ['markdown'] } });
  // None of these is a document: empty, of a kind that is not wanted, in a folder that is not chosen.
  files.put('Büro & Co/leer.pdf', '');
  files.put('Büro & Co/programm.exe', 'MZ');
  files.put('Privat/1.pdf', '%PDF privat');
  const fields = {};
  const token = server.authorization.tokens().access_token;
  return {
    fields,
    step2: {
      folders: [files.folder('Büro & Co').id, files.folder('Geteilt').id],
      file_types: ['pdf', 'xml', 'dropbox_paper'],
    },
    refused: { time_zone: 'Europe/Berlin' },
    provider: (isRefused) => ({
      apiBaseUrl: server.url,
      accessToken: () => Promise.resolve(isRefused ? 'no token' : token),
    }),
    documents: FILES + 1,
    deliver() {
      files.put('Geteilt/noch eine.pdf', '%PDF-1.7 noch eine');
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}
