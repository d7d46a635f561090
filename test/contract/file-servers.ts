import { FakeFtpServer, HOME as FTP_HOME } from '../fakes/ftp/fake-ftp-server';
import { FakeS3Server } from '../fakes/s3/fake-s3-server';
import { FakeSftpServer, HOME } from '../fakes/sftp/fake-sftp-server';
import { FakeDavServer } from '../fakes/webdav/fake-dav-server';
import type { ConnectorTestServer } from './test-server';

const FILES = 230;

export async function sftp(): Promise<ConnectorTestServer> {
  const server = await FakeSftpServer.start();
  for (let n = 0; n < FILES; n++) server.put(n % 2 ? `Büro & Co/2026/${n}.pdf` : `Eingang/${n}.pdf`, `%PDF-1.7 ${n}`);
  // Neither is a document: an empty file, and one of an unselected kind.
  server.put('Eingang/leer.pdf', '');
  server.put('Eingang/programm.exe', 'MZ');
  server.files.makeFolder(`${HOME}/leer`);
  const login = { host: 'localhost', port: server.port, user: 'anna', password: 'right' };
  const fields = { ...login, trusted_fingerprint: server.fingerprint };
  return {
    fields,
    step2: { folders: ['Eingang', 'Büro & Co'] },
    refused: { ...fields, password: 'wrong' },
    documents: FILES,
    addDocument() {
      // Moved here with its change time, as usual.
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    openConnections: () => server.connections,
    stop: () => server.stop(),
  };
}

export async function ftp(): Promise<ConnectorTestServer> {
  const server = await FakeFtpServer.start();
  for (let n = 0; n < FILES; n++) server.put(n % 2 ? `Büro & Co/2026/${n}.pdf` : `Eingang/${n}.pdf`, `%PDF-1.7 ${n}`);
  server.put('Eingang/leer.pdf', '');
  server.put('Eingang/programm.exe', 'MZ');
  server.files.makeFolder(`${FTP_HOME}/Eingang/leer`);
  const fields = { host: 'localhost', port: server.port, security: 'NONE', user: 'anna', password: 'right' };
  return {
    fields,
    step2: { folders: ['Eingang', 'Büro & Co'] },
    refused: { ...fields, password: 'wrong' },
    documents: FILES,
    addDocument() {
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    openConnections: () => server.connections,
    stop: () => server.stop(),
  };
}

export async function s3(): Promise<ConnectorTestServer> {
  const server = await FakeS3Server.start();
  for (let n = 0; n < FILES; n++)
    server.put(n % 2 ? `Büro & Co/2026/${n}.pdf` : `Eingang/neu/${n}.pdf`, `%PDF-1.7 ${n}`);
  server.put('Eingang/leer.pdf', '');
  server.put('Eingang/programm.exe', 'MZ');
  const { fields } = server;
  return {
    fields,
    step2: { folders: ['Eingang', 'Büro & Co'] },
    refused: { ...fields, secret_key: 'wrong' },
    documents: FILES,
    addDocument() {
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    openConnections: () => server.connections,
    stop: () => server.stop(),
  };
}

export async function webdav(): Promise<ConnectorTestServer> {
  const server = await FakeDavServer.start({ isNextcloud: true });
  for (let n = 0; n < FILES; n++) server.put(n % 2 ? `Büro & Co/2026/${n}.pdf` : `Eingang/${n}.pdf`, `%PDF-1.7 ${n}`);
  server.put('Eingang/leer.pdf', '');
  server.put('Eingang/programm.exe', 'MZ');
  server.files.makeFolder('/home/leer');
  const fields = { url: server.origin + server.base, user: 'anna', password: 'right' };
  return {
    fields,
    step2: { folders: ['Eingang', 'Büro & Co'] },
    refused: { ...fields, password: 'wrong' },
    documents: FILES,
    addDocument() {
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    openConnections: () => server.connections,
    stop: () => server.stop(),
  };
}
