import { FakeFtpServer, HOME as FTP_HOME } from '../fakes/ftp/fake-ftp-server';
import { FakeGmail } from '../fakes/gmail/fake-gmail';
import { DOCUMENT } from '../fakes/google-drive/drive-state';
import { FakeGoogleDrive } from '../fakes/google-drive/fake-google-drive';
import { DriveState } from '../fakes/microsoft-graph/drive-state';
import { FakeMicrosoftGraph } from '../fakes/microsoft-graph/fake-microsoft-graph';
import { FakeImapServer } from '../fakes/imap/fake-imap-server';
import { FakeS3Server } from '../fakes/s3/fake-s3-server';
import { FakeSevdesk } from '../fakes/sevdesk/fake-sevdesk';
import { FakeSftpServer, HOME } from '../fakes/sftp/fake-sftp-server';
import { FakeStripe } from '../fakes/stripe/fake-stripe';
import { FakeDavServer } from '../fakes/webdav/fake-dav-server';
import { invoiceMail } from '../interop/imap/invoice-mails';
import { aMail } from '../builders/mail-builder';
import { ublInvoice } from '../builders/an-invoice';
import type { Counterpart } from './counterpart';
import { box, dropbox } from './cloud-counterparts';

export type { Counterpart };

const MAILS = 130;

async function mailbox(): Promise<Counterpart> {
  const server = await FakeImapServer.start({
    users: [{ user: 'anna', password: 'right' }],
    folders: ['Büro & Co', 'Büro & Co/2026'],
  });
  for (let n = 0; n < MAILS; n++) server.append(n % 2 ? 'INBOX' : 'Büro & Co/2026', invoiceMail(`${n}.pdf`).build());
  // The same mail in two folders is one document; two attachments of one mail are two.
  server.append('INBOX', invoiceMail('first.pdf', 'second.pdf').messageId('<two@example.com>').build());
  server.append('Büro & Co/2026', invoiceMail('first.pdf', 'second.pdf').messageId('<two@example.com>').build());
  const xml = { content: ublInvoice(), filename: 'xrechnung.xml', mimeType: 'application/xml' };
  server.append('INBOX', aMail().attach(xml).build());
  const fields = {
    provider: 'other',
    host: 'localhost',
    port: server.port,
    security: 'NONE',
    user: 'anna',
    password: 'right',
  };
  return {
    fields,
    step2: { folders: ['INBOX', 'Büro & Co/2026'] },
    refused: { ...fields, password: 'wrong' },
    documents: MAILS + 3,
    deliver() {
      server.append('INBOX', invoiceMail('one more.pdf').build());
      return fields;
    },
    connections: () => server.connections,
    stop: () => server.stop(),
  };
}

function portal(): Promise<Counterpart> {
  const fields = { user: 'contract', password: 'right', documents: 230, new_per_fetch: 0, document_size_kb: 4 };
  return Promise.resolve({
    fields,
    step2: {},
    refused: { ...fields, password: 'wrong' },
    documents: 230,
    deliver: () => ({ ...fields, new_per_fetch: 1 }),
    stop: () => Promise.resolve(),
  });
}

const FILES = 230;

async function fileServer(): Promise<Counterpart> {
  const server = await FakeSftpServer.start();
  for (let n = 0; n < FILES; n++) server.put(n % 2 ? `Büro & Co/2026/${n}.pdf` : `Eingang/${n}.pdf`, `%PDF-1.7 ${n}`);
  // Neither is a document: an empty file, and one of a kind that is not wanted.
  server.put('Eingang/leer.pdf', '');
  server.put('Eingang/programm.exe', 'MZ');
  server.files.makeFolder(`${HOME}/leer`);
  const fields = { host: 'localhost', port: server.port, user: 'anna', password: 'right' };
  return {
    fields,
    step2: { folders: ['Eingang', 'Büro & Co'] },
    refused: { ...fields, password: 'wrong' },
    documents: FILES,
    deliver() {
      // Moved here with the time of its last change kept, as files are.
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    connections: () => server.connections,
    stop: () => server.stop(),
  };
}

async function ftpServer(): Promise<Counterpart> {
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
    deliver() {
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    connections: () => server.connections,
    stop: () => server.stop(),
  };
}

async function bucket(): Promise<Counterpart> {
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
    deliver() {
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    connections: () => server.connections,
    stop: () => server.stop(),
  };
}

async function cloud(): Promise<Counterpart> {
  const server = await FakeDavServer.start({ isNextcloud: true });
  for (let n = 0; n < FILES; n++) server.put(n % 2 ? `Büro & Co/2026/${n}.pdf` : `Eingang/${n}.pdf`, `%PDF-1.7 ${n}`);
  server.put('Eingang/leer.pdf', '');
  server.put('Eingang/programm.exe', 'MZ');
  server.files.makeFolder('/home/leer');
  const fields = { provider: 'nextcloud', url: server.origin, user: 'anna', password: 'right' };
  return {
    fields,
    step2: { folders: ['Eingang', 'Büro & Co'] },
    refused: { ...fields, password: 'wrong' },
    documents: FILES,
    deliver() {
      server.put('Eingang/noch eine.pdf', '%PDF-1.7 noch eine', new Date('2019-05-01T12:00:00Z'));
      return fields;
    },
    connections: () => server.connections,
    stop: () => server.stop(),
  };
}

async function gmail(): Promise<Counterpart> {
  const server = await FakeGmail.start();
  server.endpoints.page = 40;
  const box = server.mailbox();
  const [parent, label] = [box.label('Büro & Co'), box.label('Büro & Co/2026')];
  const received = (n: number) => new Date(Date.UTC(2026, 0, 1, n));
  for (let n = 0; n < MAILS; n++) {
    box.deliver(invoiceMail(`${n}.pdf`).build(), [n % 2 ? 'INBOX' : label, 'UNREAD'], received(n));
  }
  // A mail with two labels is one, and its two attachments are two; so is a mail that came twice.
  const twice = invoiceMail('first.pdf', 'second.pdf').messageId('<two@example.com>').build();
  box.deliver(twice, ['INBOX', label]);
  box.deliver(twice, ['INBOX']);
  const xml = { content: ublInvoice(), filename: 'xrechnung.xml', mimeType: 'application/xml' };
  box.deliver(aMail().attach(xml).build());
  // None of these is a document: in spam, in the bin, a draft, without the labels, without an attachment.
  box.deliver(invoiceMail('spam.pdf').build(), ['SPAM', label]);
  box.deliver(invoiceMail('weg.pdf').build(), ['TRASH', 'INBOX']);
  box.deliver(invoiceMail('entwurf.pdf').build(), ['DRAFT', label]);
  box.deliver(invoiceMail('anderswo.pdf').build(), [parent]);
  box.deliver(aMail().build());
  const fields = {};
  const token = server.authorization.tokens().access_token;
  return {
    fields,
    step2: { labels: ['INBOX', label] },
    refused: { time_zone: 'Europe/Berlin' },
    provider: (isRefused) => ({
      apiBaseUrl: server.url,
      accessToken: () => Promise.resolve(isRefused ? 'no token' : token),
    }),
    documents: MAILS + 3,
    deliver() {
      box.deliver(invoiceMail('one more.pdf').build());
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

async function googleDrive(): Promise<Counterpart> {
  const server = await FakeGoogleDrive.start();
  server.endpoints.page = 60;
  const drive = server.drive();
  const shared = drive.sharedDrive('Team & Co');
  for (let n = 0; n < FILES; n++) {
    if (n % 3) drive.put(`Büro & Co/2026/${n}.pdf`, `%PDF-1.7 ${n}`);
    else drive.put(`Rechnungen/${n}.pdf`, `%PDF-1.7 ${n}`, { drive: shared });
  }
  drive.put('Büro & Co/Brief', 'native', { mimeType: DOCUMENT });
  // None of these is a document: empty, in the bin, of a kind that is not wanted, in a folder that is not chosen.
  drive.put('Büro & Co/leer.pdf', '');
  drive.put('Büro & Co/weg.pdf', '%PDF', { trashed: true });
  drive.put('Büro & Co/programm.exe', 'MZ');
  drive.put('Privat/1.pdf', '%PDF privat');
  drive.shared('Von Bernd', null);
  const fields = {};
  const token = server.authorization.tokens().access_token;
  return {
    fields,
    step2: { folders: [drive.folder('Büro & Co').id, shared], file_types: ['pdf', 'xml', 'google_docs'] },
    refused: { time_zone: 'Europe/Berlin' },
    provider: (isRefused) => ({
      apiBaseUrl: server.url,
      accessToken: () => Promise.resolve(isRefused ? 'no token' : token),
    }),
    documents: FILES + 1,
    deliver() {
      drive.put('Rechnungen/noch eine.pdf', '%PDF-1.7 noch eine', { drive: shared });
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

async function officeFiles(): Promise<Counterpart> {
  const server = await FakeMicrosoftGraph.start();
  server.page = 60;
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
  // None of these is a document: empty, in the bin, infected, of a kind that is not wanted, a notebook, in no chosen folder.
  own.put('Büro & Co/leer.pdf', '');
  own.put('Büro & Co/weg.pdf', '%PDF', { isDeleted: true });
  own.put('Büro & Co/virus.pdf', '%PDF', { hasMalware: true });
  own.put('Büro & Co/programm.exe', 'MZ');
  own.folder('Büro & Co/Notizen', 'package');
  own.put('Büro & Co/Notizen/Abschnitt.pdf', '%PDF notes');
  own.put('Privat/1.pdf', '%PDF privat');
  const fields = {};
  const token = server.entra.accessToken();
  const folders = [
    `${own.id}/${own.folder('Büro & Co').id}`,
    `sharepoint:${library.id}/root`,
    `${theirs.id}/${theirs.folder('Belege').id}`,
  ];
  return {
    fields,
    step2: { folders, file_types: ['pdf', 'xml'] },
    refused: { time_zone: 'Europe/Berlin' },
    provider: (isRefused) => ({
      apiBaseUrl: server.url,
      accessToken: () => Promise.resolve(isRefused ? 'no token' : token),
    }),
    documents: FILES,
    deliver() {
      library.put('Rechnungen/noch eine.pdf', '%PDF-1.7 noch eine');
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

async function officeMail(): Promise<Counterpart> {
  const server = await FakeMicrosoftGraph.start();
  server.page = 40;
  const own = server.mailbox();
  const shared = server.mailbox('rechnungen@example.com');
  shared.sharedWith.add(server.entra.account);
  const nested = own.folder('Büro & Co/2026');
  for (let n = 0; n < MAILS; n++) {
    if (n % 3 === 0) own.deliver([`${n}.pdf`]);
    else if (n % 3 === 1) own.deliver([`${n}.pdf`], {}, nested);
    else shared.deliver([`${n}.pdf`]);
  }
  // The same mail in two mailboxes is one document; two attachments of one mail are two, though called the same.
  shared.copy(own.deliver(['rechnung.pdf', 'rechnung.pdf']));
  own.deliver([{ name: 'xrechnung.xml', contentType: 'text/xml', content: Buffer.from(ublInvoice()) }]);
  // None of these is a document: a mail within the mail, a link, a picture in the text, a program, a mail in no chosen folder.
  const others = (['item', 'reference'] as const).map((type) => ({ type, name: `${type}.pdf`, contentType: null }));
  const picture = { name: 'logo.png', contentType: 'image/png', isInline: true };
  own.deliver([...others, picture, { name: 'setup.exe', contentType: 'application/octet-stream' }]);
  own.deliver([picture]);
  own.deliver(['archiviert.pdf'], {}, own.folder('Archiv'));
  const fields = {};
  const token = server.entra.accessToken();
  return {
    fields,
    step2: { folders: ['inbox', nested.id], shared_mailboxes: 'Rechnungen@example.com' },
    refused: { time_zone: 'Europe/Berlin' },
    provider: (isRefused) => ({
      apiBaseUrl: server.url,
      accessToken: () => Promise.resolve(isRefused ? 'no token' : token),
    }),
    documents: MAILS + 3,
    deliver() {
      shared.deliver(['noch eine.pdf']);
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

async function books(): Promise<Counterpart> {
  const server = await FakeSevdesk.start();
  server.endpoints.page = 60;
  const account = server.account();
  for (let n = 0; n < FILES; n++) {
    const date = `20${String(20 + (n % 6))}-0${1 + (n % 9)}-15`;
    if (n % 3) account.invoice({ date });
    else account.creditNote({ date });
  }
  // None of these has been issued: a draft, and the template of a recurring invoice.
  account.invoice({ status: '100' });
  account.invoice({ status: '50', type: 'WKR' });
  const fields = { api_token: account.token() };
  return {
    fields,
    step2: { kinds: ['invoice', 'credit_note'] },
    refused: { api_token: '0123456789abcdef0123456789abcdef' },
    provider: () => ({ apiBaseUrl: server.url, accessToken: noAccessToken }),
    documents: FILES,
    deliver() {
      account.invoice({ date: new Date().toISOString().slice(0, 10) });
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

async function shop(): Promise<Counterpart> {
  const server = await FakeStripe.start();
  const account = server.account();
  const day = 86_400;
  const start = Date.parse('2025-01-01T00:00:00Z') / 1000;
  for (let n = 0; n < FILES; n++) {
    if (n % 3) account.invoice(start + n * day);
    else account.creditNote(start + n * day);
  }
  account.draft(start);
  const fields = { api_key: account.key() };
  return {
    fields,
    step2: { kinds: ['invoice', 'credit_note'] },
    refused: { api_key: 'rk_live_0123456789abcdef' },
    provider: () => ({ apiBaseUrl: server.url, accessToken: noAccessToken }),
    documents: FILES,
    deliver() {
      account.invoice(Math.floor(Date.now() / 1000));
      return fields;
    },
    async stop() {
      await server.stop();
      expect(server.violations).toEqual([]);
    },
  };
}

/** For providers that users give a key of. */
const noAccessToken = (): Promise<string> => Promise.reject(new Error('Nobody has authorised us.'));

/** One line per connector, like the catalogue. A connector without a counterpart fails the suite. */
export const COUNTERPARTS: Readonly<Record<string, () => Promise<Counterpart>>> = {
  box,
  dropbox,
  ftp: ftpServer,
  gmail,
  google_drive: googleDrive,
  imap: mailbox,
  microsoft_drive: officeFiles,
  outlook: officeMail,
  s3: bucket,
  sandbox: portal,
  sevdesk: books,
  sftp: fileServer,
  stripe: shop,
  webdav: cloud,
};
