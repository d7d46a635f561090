import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { imap } from '../../../src/integrations/imap/imap';
import { InvalidCredentials, SelectionNotFound } from '../../../src/integrations/core/source-errors';
import { aMail } from '../../builders/mail-builder';
import { FaultProxy } from '../../fakes/fault-proxy';
import { Cyrus } from './cyrus';
import { append, type CyrusAccount, replaceFolder, share, stateOf } from './cyrus-account';
import { invoiceMail, pdfBytes } from './invoice-mails';
import { MAIL_SHAPES } from './mail-shapes';
import { listAll, mailboxSession, type MailboxSession, read, sha256 } from './mailbox-session';
import { rejectionOf } from '../../harness/rejection-of';

/** Each as a folder of the first level, and as one below it. */
const ODD_NAMES = [
  'Büro & mehr',
  '2026.11 (neu)',
  '日本語 📎',
  "it's a [mess]?",
  'a&-b',
  'a*b',
  ' x ',
  'NIL',
  '#x',
  '~x',
];
/** Cyrus stores no mail with such headers. */
const NOT_STORED = 'headers that are none, and an unknown character set';

describe('The IMAP connector with Cyrus', () => {
  const systemAuthorities = getCACertificates('default');
  const sessions: MailboxSession[] = [];
  let cyrus: Cyrus;
  let account: CyrusAccount;

  beforeAll(async () => {
    cyrus = await Cyrus.start();
  });
  beforeEach(async () => {
    account = await cyrus.newAccount();
  });
  afterEach(async () => {
    for (const each of sessions.splice(0)) await each.end();
    setDefaultCACertificates(systemAuthorities);
  });
  afterAll(() => cyrus?.stop());

  function session(step2: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): MailboxSession {
    const { user, password } = account;
    const login = { host: cyrus.host, port: cyrus.port, security: 'NONE', user, password };
    const opened = mailboxSession({ fields: { ...login, ...fields }, step2 });
    sessions.push(opened);
    return opened;
  }

  it('fetches the whole mailbox with unchanged bytes and does not modify it', async () => {
    const expected = new Map<string, string>();
    for (let n = 0; n < 60; n++) {
      const content = pdfBytes(`Nr. ${n}`, 1_000 + n * 997);
      expected.set(`${n}.pdf`, sha256(content));
      const flags = [[], ['\\Seen'], ['\\Flagged', '$Forwarded']][n % 3]!;
      await append(account, n % 2 ? 'INBOX' : 'Büro/Ablage', invoiceMail([`${n}.pdf`, content]).build(), { flags });
    }
    const states = async () => [await stateOf(account, 'INBOX'), await stateOf(account, 'Büro/Ablage')];
    const before = await states();
    const opened = session({ folders: ['INBOX', 'Büro/Ablage'] });
    const { documents } = await listAll(imap, opened);
    const contents = await Promise.all(documents.map((ref) => read(imap, opened, ref)));
    await opened.end();
    expect(new Map(documents.map(({ filename }, n) => [filename, sha256(contents[n]!)]))).toEqual(expected);
    expect(await states()).toEqual(before);
  });

  it('fetches only new documents, and finds the same documents in a folder that was replaced', async () => {
    const folders = ['Rechnungen'];
    await append(account, 'Rechnungen', invoiceMail('1.pdf', '1.pdf').build());
    await append(account, 'Rechnungen', invoiceMail('2.pdf').messageId(null).build());
    const first = await listAll(imap, session({ folders }));
    expect(first.documents.map(({ filename }) => filename)).toEqual(['1.pdf', '1 (2).pdf', '2.pdf']);
    expect(await listAll(imap, session({ folders }), first.cursor)).toMatchObject({ documents: [], pages: 0 });
    await append(account, 'Rechnungen', invoiceMail('3.pdf').build());
    const second = await listAll(imap, session({ folders }), first.cursor);
    expect(second.documents.map(({ filename }) => filename)).toEqual(['3.pdf']);
    await replaceFolder(account, 'Rechnungen');
    const third = await listAll(imap, session({ folders }), second.cursor);
    const keys = [...first.documents, ...second.documents].map(({ dedupeKey }) => dedupeKey);
    expect(third.documents.map(({ dedupeKey }) => dedupeKey)).toEqual(keys);
  });

  it('lists and fetches folders with odd names, and not the trash', async () => {
    const folders = ODD_NAMES.flatMap((name) => [name, `${name}/${name}`]);
    for (const folder of [...folders, 'Papierkorb'])
      await append(account, folder, invoiceMail(`${folder.length}.pdf`).build());
    const opened = session({ folder_scope: 'all' });
    const tree = (await imap.step2!(opened)).find(({ id }) => id === 'folders');
    const labels = tree?.options?.map(({ value, label }) => [value, label]);
    expect(labels).toEqual(
      expect.arrayContaining([
        ['Papierkorb', { en: 'Trash', de: 'Papierkorb' }],
        ...ODD_NAMES.map((name) => [name, name]),
      ]),
    );
    for (const name of ODD_NAMES) {
      expect(await imap.options!(opened, 'folders', name)).toMatchObject([{ value: `${name}/${name}`, label: name }]);
    }
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ metadata }) => metadata.source?.path).sort()).toEqual([...folders].sort());
    const contents = await Promise.all(documents.map((ref) => read(imap, opened, ref)));
    expect(contents).toEqual(documents.map(({ filename }) => pdfBytes(filename)));
  });

  it('fetches a folder that another user shares', async () => {
    const owner = await cyrus.newAccount();
    await append(owner, 'Rechnungen', invoiceMail('geteilt.pdf').build());
    await share(owner, 'Rechnungen', account);
    const folder = `Other Users/${owner.user}/Rechnungen`;
    const opened = session({ folders: [folder] });
    const before = await stateOf(owner, 'Rechnungen');
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['geteilt.pdf']);
    expect(await read(imap, opened, documents[0]!)).toEqual(pdfBytes('geteilt.pdf'));
    expect(await stateOf(owner, 'Rechnungen')).toEqual(before);
  });

  it('finds the documents in real-world mails, including malformed ones', async () => {
    const shapes = MAIL_SHAPES.filter(({ title }) => title !== NOT_STORED);
    for (const [n, { mail }] of shapes.entries()) await append(account, `Form ${n}`, mail);
    const opened = session({ folders: shapes.map((_, n) => `Form ${n}`) });
    const { documents } = await listAll(imap, opened);
    for (const [n, { title, documents: expected }] of shapes.entries()) {
      const found = documents.filter(({ metadata }) => metadata.source?.path === `Form ${n}`);
      expect([title, ...found.map(({ filename }) => filename)]).toEqual([title, ...expected.map(({ name }) => name)]);
      for (const [index, ref] of found.entries()) {
        const bytes = await read(imap, opened, ref);
        const content = expected[index]!.content;
        if (content !== 'unchecked') expect([title, sha256(bytes)]).toEqual([title, sha256(content)]);
      }
    }
  });

  it.each(['7bit', 'base64', 'quoted-printable'] as const)(
    'yields the attachments of a mail in a mail, encoded as %s',
    async (encoding) => {
      const inner = invoiceMail(['Rechnung März.pdf', pdfBytes('large', 300_000)], ['b.pdf', pdfBytes('b')]);
      const content = encoding === '7bit' ? inner.build() : inner.text('Grüße').build();
      const outer = aMail().attach({ content, mimeType: 'message/rfc822', filename: 'Fwd.eml', encoding });
      await append(account, 'INBOX', outer.attach({ content: pdfBytes('c'), mimeType: 'application/pdf' }).build());
      const opened = session();
      const { documents } = await listAll(imap, opened);
      const contents = await Promise.all(documents.map((ref) => read(imap, opened, ref)));
      expect(contents).toEqual([pdfBytes('large', 300_000), pdfBytes('b'), pdfBytes('c')]);
    },
  );

  it('reads on with new connections when all are cut off in an attachment', async () => {
    const content = pdfBytes('groß', 4_000_000);
    await append(account, 'INBOX', invoiceMail(['groß.pdf', content]).build());
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: cyrus.port });
    try {
      const opened = session({}, { port: proxy.port });
      const { documents } = await listAll(imap, opened);
      const { stream } = await imap.download(opened, documents[0]!);
      const before = proxy.connections;
      const chunks: Buffer[] = [];
      for await (const chunk of stream) {
        if (chunks.push(chunk as Buffer) === 1) proxy.cutAll();
      }
      expect(sha256(Buffer.concat(chunks))).toBe(sha256(content));
      expect(proxy.connections).toBeGreaterThan(before);
    } finally {
      await proxy.stop();
    }
  });

  it('reports a folder that was deleted', async () => {
    await append(account, 'Rechnungen', invoiceMail('a.pdf').build());
    const { cursor } = await listAll(imap, session({ folders: ['Rechnungen'] }));
    await account.client.mailboxDelete('Rechnungen');
    expect(await rejectionOf(listAll(imap, session({ folders: ['Rechnungen'] }), cursor))).toBeInstanceOf(
      SelectionNotFound,
    );
  });

  it('logs in with STARTTLS, and distinguishes a wrong password', async () => {
    setDefaultCACertificates([...systemAuthorities, cyrus.ca]);
    expect(await imap.check(session({}, { security: 'STARTTLS' }))).toMatchObject({ display: account.user });
    expect(await rejectionOf(imap.check(session({}, { password: 'falsch' })))).toBeInstanceOf(InvalidCredentials);
  });
});
