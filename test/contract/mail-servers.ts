import { ublInvoice } from '../builders/invoice-documents';
import { aMail } from '../builders/mail-builder';
import { FakeGmail } from '../fakes/gmail/fake-gmail';
import { refused } from '../fakes/google/answers';
import { FakeImapServer } from '../fakes/imap/fake-imap-server';
import { refused as graphRefused } from '../fakes/microsoft-graph/answers';
import { FakeMicrosoftGraph } from '../fakes/microsoft-graph/fake-microsoft-graph';
import { MemoryInbox } from '../harness/connectors/memory-inbox';
import { invoiceMail } from '../interop/imap/invoice-mails';
import { type ApiTestServer, withOAuth, type ConnectorTestServer } from './test-server';

const MAILS = 130;

export async function imap(): Promise<ConnectorTestServer> {
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
    addDocument() {
      server.append('INBOX', invoiceMail('one more.pdf').build());
      return fields;
    },
    openConnections: () => server.connections,
    stop: () => server.stop(),
  };
}

export async function gmail(): Promise<ApiTestServer> {
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
  const last = box.deliver(aMail().attach(xml).build());
  // None of these is a document: in spam, in the trash, a draft, without the labels, without an attachment.
  box.deliver(invoiceMail('spam.pdf').build(), ['SPAM', label]);
  box.deliver(invoiceMail('weg.pdf').build(), ['TRASH', 'INBOX']);
  box.deliver(invoiceMail('entwurf.pdf').build(), ['DRAFT', label]);
  box.deliver(invoiceMail('anderswo.pdf').build(), [parent]);
  box.deliver(aMail().build());
  return {
    ...withOAuth(
      server,
      () => server.authorization.tokens().access_token,
      () => server.authorization.expireAccessTokens(),
    ),
    step2: { labels: ['INBOX', label] },
    documents: MAILS + 3,
    addDocument() {
      box.deliver(invoiceMail('one more.pdf').build());
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
    removeDocument: () => box.delete(last),
    invalidateCursors: () => box.invalidateHistory(),
  };
}

export async function outlook(): Promise<ApiTestServer> {
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
  // The same mail in two mailboxes is one document; two attachments of one mail are two, despite the same name.
  shared.copy(own.deliver(['rechnung.pdf', 'rechnung.pdf']));
  const last = own.deliver([{ name: 'xrechnung.xml', contentType: 'text/xml', content: Buffer.from(ublInvoice()) }]);
  // None of these is a document: a nested mail, a link, an inline image, a program, a mail in no selected folder.
  const others = (['item', 'reference'] as const).map((type) => ({
    type,
    name: `${type}.pdf`,
    contentType: null,
    content: Buffer.from('Subject: Danke!\r\n\r\nNothing is attached.\r\n'),
  }));
  const picture = { name: 'logo.png', contentType: 'image/png', isInline: true };
  const program = { name: 'setup.exe', contentType: 'application/octet-stream', content: Buffer.from('MZ') };
  own.deliver([...others, picture, program]);
  own.deliver([picture]);
  own.deliver(['archiviert.pdf'], {}, own.folder('Archiv'));
  return {
    ...withOAuth(
      server,
      () => server.entra.accessToken(),
      () => server.entra.expireAccessTokens(),
    ),
    step2: { folders: ['inbox', nested.id], shared_mailboxes: 'Rechnungen@example.com' },
    documents: MAILS + 3,
    addDocument() {
      shared.deliver(['noch eine.pdf']);
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
    removeDocument: () => own.remove(last),
    invalidateCursors: () => [own, shared].forEach((mailbox) => mailbox.invalidateCursors()),
  };
}

export function mailInbox(): Promise<ConnectorTestServer> {
  const inbox = new MemoryInbox();
  for (let n = 0; n < MAILS; n++) inbox.deliver(invoiceMail(`${n}.pdf`).build());
  // A mail that was delivered twice is one document for each attachment.
  const twice = invoiceMail('first.pdf', 'second.pdf').messageId('<two@example.com>').build();
  inbox.deliver(twice);
  inbox.deliver(twice);
  const xml = { content: ublInvoice(), filename: 'xrechnung.xml', mimeType: 'application/xml' };
  inbox.deliver(aMail().attach(xml).build());
  return Promise.resolve({
    fields: {},
    step2: {},
    refused: {},
    documents: MAILS + 3,
    providerAccess: () => ({
      apiBaseUrl: '',
      accessToken: () => Promise.reject(new Error('A mail server has no token.')),
      inbox,
    }),
    addDocument() {
      inbox.deliver(invoiceMail('one more.pdf').build());
      return {};
    },
    stop: () => Promise.resolve(),
  });
}
