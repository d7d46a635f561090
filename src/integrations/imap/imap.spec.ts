import { FakeImapServer, type FakeImapOptions } from '../../../test/fakes/imap/fake-imap-server';
import { invoiceMail, pdfBytes } from '../../../test/interop/imap/invoice-mails';
import { MAIL_SHAPES } from '../../../test/interop/imap/mail-shapes';
import { listAll, mailboxSession, type MailboxSession, read, sha256 } from '../../../test/interop/imap/mailbox-session';
import { SelectionNotFound, DocumentUnavailable, Transient } from '../core/source-errors';
import { imap } from './imap';
import { rejectionOf } from '../../../test/harness/rejection-of';

const USER = { user: 'Anna@example.com', password: 'pass "with" \\ and ü' };

let server: FakeImapServer;
const sessions: MailboxSession[] = [];

async function start(options: Partial<FakeImapOptions> = {}): Promise<void> {
  server = await FakeImapServer.start({ users: [USER], ...options });
}

function session(step2: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): MailboxSession {
  const login = { host: 'localhost', port: server.port, security: 'NONE', ...USER };
  const opened = mailboxSession({ fields: { ...login, ...fields }, step2 });
  sessions.push(opened);
  return opened;
}

afterEach(async () => {
  for (const each of sessions.splice(0)) await each.end();
  await server.stop();
});

describe('list and open', () => {
  it('finds and downloads every document without changing the mailbox', async () => {
    await start({ folders: ['Büro/Rechnungen & mehr'] });
    const bytes = Array.from({ length: 180 }, (_, n) => pdfBytes(`Nr. ${n}`));
    bytes.forEach((content, n) => {
      const folder = n % 2 ? 'INBOX' : 'Büro/Rechnungen & mehr';
      server.append(folder, invoiceMail([`${n}.pdf`, content]).build());
    });
    const opened = session({ folders: ['INBOX', 'Büro/Rechnungen & mehr'] });
    const { documents, pages } = await listAll(imap, opened);
    expect(documents).toHaveLength(180);
    expect(pages).toBe(4);
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(180);
    const read12 = documents.slice(0, 12).concat(documents.slice(-12));
    const contents = await Promise.all(read12.map((ref) => read(imap, opened, ref)));
    read12.forEach(({ filename }, n) => {
      expect(sha256(contents[n] as Buffer)).toBe(sha256(bytes[parseInt(filename, 10)] as Buffer));
    });
    await opened.end();
    await server.waitForCommand('LOGOUT');
    expect(server.changes).toEqual([]);
    expect(server.commands).not.toContain('SELECT');
    expect(server.commands.at(-1)).toBe('LOGOUT');
  });

  it('returns the source metadata of a document', async () => {
    await start();
    const mail = invoiceMail('a.pdf').subject('Rechnung für März').from('Jo@shop.example', 'Müller, Jo').build();
    server.append('INBOX', mail, { internalDate: new Date('2026-11-20T09:30:15+01:00'), zoneMinutes: 60 });
    const { documents } = await listAll(imap, session());
    expect(documents).toMatchObject([
      {
        externalId: null,
        filename: 'a.pdf',
        metadata: {
          source: {
            kind: 'mail',
            path: 'INBOX',
            subject: 'Rechnung für März',
            sender: { name: 'Müller, Jo', address: 'Jo@shop.example' },
            received_at: '2026-11-20T08:30:15Z',
          },
        },
      },
    ]);
  });

  it('lists new mails since the cursor, and all mails of newly selected folders', async () => {
    await start({ folders: ['Archiv'] });
    server.append('INBOX', invoiceMail('1.pdf').build());
    server.append('Archiv', invoiceMail('alt.pdf').build());
    const first = await listAll(imap, session({ folders: ['INBOX'] }));
    expect(first.documents.map(({ filename }) => filename)).toEqual(['1.pdf']);
    const none = await listAll(imap, session({ folders: ['INBOX'] }), first.cursor);
    expect(none).toMatchObject({ documents: [], pages: 0 });
    server.append('INBOX', invoiceMail('2.pdf').build());
    const second = await listAll(imap, session({ folders: ['INBOX'] }), first.cursor);
    expect(second.documents.map(({ filename }) => filename)).toEqual(['2.pdf']);
    const third = await listAll(imap, session({ folders: ['INBOX', 'Archiv'] }), second.cursor);
    expect(third.documents.map(({ filename }) => filename)).toEqual(['alt.pdf']);
  });

  it('does not treat the newest old mail as new when the new ones are already deleted', async () => {
    await start();
    server.append('INBOX', invoiceMail('alt.pdf').build());
    const first = await listAll(imap, session());
    server.expunge('INBOX', server.append('INBOX', invoiceMail('neu.pdf').build()));
    const second = await listAll(imap, session(), first.cursor);
    expect(second.documents).toEqual([]);
    server.append('INBOX', invoiceMail('neuer.pdf').build());
    const third = await listAll(imap, session(), second.cursor);
    expect(third.documents.map(({ filename }) => filename)).toEqual(['neuer.pdf']);
  });

  it('fails a partial attachment when its mail is deleted in the meantime', async () => {
    await start();
    const uid = server.append('INBOX', invoiceMail(['gross.pdf', pdfBytes('gross', 8_000_000)]).build());
    const opened = session();
    const { documents } = await listAll(imap, opened);
    const { stream } = await imap.download(opened, documents[0]!);
    server.expunge('INBOX', uid);
    expect(await rejectionOf(stream.toArray())).toBeInstanceOf(DocumentUnavailable);
  });

  it('resumes from the cursor of every page without loss or repetition', async () => {
    await start();
    for (let n = 0; n < 310; n++) server.append('INBOX', invoiceMail(`${n}.pdf`).build());
    const names: string[] = [];
    for await (const page of imap.list(session(), null, null)) {
      names.push(...page.documents.map(({ filename }) => filename));
      const rest = await listAll(imap, session(), page.cursor);
      expect(names.length + rest.documents.length).toBe(310);
    }
    expect(new Set(names).size).toBe(310);
  });

  it('keeps the key of a document through a rebuild, a move and a copy in another folder', async () => {
    await start({ folders: ['Archiv'] });
    const withId = invoiceMail('a.pdf', 'a.pdf').build();
    const withoutId = invoiceMail('b.pdf').messageId(null).build();
    server.append('INBOX', withId);
    const moving = server.append('INBOX', withoutId);
    server.append('Archiv', withId);
    const first = await listAll(imap, session({ folders: ['INBOX', 'Archiv'] }));
    const keys = first.documents.map(({ dedupeKey }) => dedupeKey);
    expect(keys).toHaveLength(5);
    // Two equal attachments of one mail are two documents; the copy in the other folder adds none.
    expect(new Set(keys).size).toBe(3);
    server.rebuild('INBOX');
    const again = await listAll(imap, session({ folders: ['INBOX', 'Archiv'] }), first.cursor);
    expect(again.documents.map(({ dedupeKey }) => dedupeKey)).toEqual(keys.slice(0, 3));
    server.move('INBOX', moving + server.status('INBOX').uidNext - 3, 'Archiv');
    const moved = await listAll(imap, session({ folders: ['INBOX', 'Archiv'] }), again.cursor);
    expect(moved.documents.map(({ dedupeKey }) => dedupeKey)).toEqual([keys[2]]);
  });

  it.each([
    ['2026-11-19T23:59:59Z', 60, []],
    ['2026-11-20T00:00:00Z', 60, ['a.pdf']],
    ['2026-11-20T00:00:00Z', -600, ['a.pdf']],
    ['2026-11-19T23:59:59Z', 840, []],
  ])(
    'includes mail received at %s (zone %i) from the start date 2026-11-20 on: %j',
    async (received, zoneMinutes, names) => {
      await start();
      server.append('INBOX', invoiceMail('a.pdf').build(), { internalDate: new Date(received), zoneMinutes });
      const { documents, filteredBy } = await listAll(imap, session(), null, '2026-11-20');
      expect(documents.map(({ filename }) => filename)).toEqual(names);
      expect(filteredBy).toEqual(names.length === 0 ? { BEFORE_STARTDATE: 1 } : {});
    },
  );

  it('counts mails excluded by filters', async () => {
    await start();
    server.append('INBOX', invoiceMail('1.pdf').from('buero@MUELLER.example', 'Müller').build());
    server.append('INBOX', invoiceMail('2.pdf', '3.pdf').from('spam@x.example').build());
    server.append('INBOX', invoiceMail().from('spam@x.example').build());
    server.append('INBOX', invoiceMail('4.pdf').subject('Newsletter').from('x@y.example', 'müller').build());
    const step2 = { sender_filter: ' mueller.example , MÜLLER', subject_filter: 'INVOICE' };
    const { documents, filteredBy } = await listAll(imap, session(step2));
    expect(documents.map(({ filename }) => filename)).toEqual(['1.pdf']);
    expect(filteredBy).toEqual({ PATTERN: 3 });
  });

  it('processes the other folders before it reports a missing one', async () => {
    await start({ folders: ['Da'] });
    server.append('Da', invoiceMail('a.pdf').build());
    const names: string[] = [];
    const listing = async () => {
      for await (const page of imap.list(session({ folders: ['Weg', 'Da'] }), null, null)) {
        names.push(...page.documents.map(({ filename }) => filename));
      }
    };
    expect(await rejectionOf(listing())).toBeInstanceOf(SelectionNotFound);
    expect(names).toEqual(['a.pdf']);
  });

  it('completes an attachment after a broken connection', async () => {
    await start();
    const content = pdfBytes('gross', 5_000_000);
    server.append('INBOX', invoiceMail(['gross.pdf', content]).build());
    const opened = session();
    const { documents } = await listAll(imap, opened);
    const cut = server.fail({ on: 'FETCH', how: 'close', after: 2, times: 1, afterBytes: 300_000 });
    const bytes = await read(imap, opened, documents[0]!);
    expect(cut.hits).toBe(1);
    expect(sha256(bytes)).toBe(sha256(content));
  });

  it('fails the stream as transient when the server stays down', async () => {
    await start();
    server.append('INBOX', invoiceMail(['gross.pdf', pdfBytes('gross', 5_000_000)]).build());
    const opened = session();
    const { documents } = await listAll(imap, opened);
    server.fail({ on: 'FETCH', how: 'close', after: 2, afterBytes: 1000 });
    server.fail({ on: 'LOGIN', how: 'close' });
    expect(await rejectionOf(read(imap, opened, documents[0]!))).toBeInstanceOf(Transient);
  });

  it('reports the attachment of a deleted mail as permanently unavailable, of a rebuilt folder as temporarily', async () => {
    await start();
    const uid = server.append('INBOX', invoiceMail('weg.pdf').build());
    server.append('INBOX', invoiceMail('bleibt.pdf').build());
    const { documents } = await listAll(imap, session());
    server.expunge('INBOX', uid);
    const later = session();
    const [gone, kept] = await Promise.allSettled(documents.map((ref) => read(imap, later, ref)));
    expect(gone).toMatchObject({ reason: { permanent: true } });
    expect(kept).toMatchObject({ value: pdfBytes('bleibt.pdf') });
    server.rebuild('INBOX');
    const error = await rejectionOf(read(imap, session(), documents[1]!));
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect(error).toMatchObject({ permanent: false });
  });

  it('works with one connection if the provider allows no more', async () => {
    await start();
    for (let n = 0; n < 40; n++) server.append('INBOX', invoiceMail([`${n}.pdf`, pdfBytes(`${n}`, 1_500_000)]).build());
    server.fail({ on: 'LOGIN', how: 'no', code: 'LIMIT', after: 1 });
    const opened = session();
    const { documents } = await listAll(imap, opened);
    const contents = await Promise.all(documents.map((ref) => read(imap, opened, ref)));
    expect(contents.map(sha256)).toEqual(
      documents.map(({ filename }) => sha256(pdfBytes(`${parseInt(filename, 10)}`, 1_500_000))),
    );
  });

  it('lets many documents share a round trip', async () => {
    await start();
    for (let n = 0; n < 24; n++) server.append('INBOX', invoiceMail(`${n}.pdf`).build());
    const opened = session();
    const { documents } = await listAll(imap, opened);
    const before = server.commands.length;
    await Promise.all(documents.map((ref) => read(imap, opened, ref)));
    expect(server.commands.slice(before)).toEqual(['UID FETCH']);
  });

  it('stops a stream immediately when the session is aborted', async () => {
    await start();
    server.append('INBOX', invoiceMail(['gross.pdf', pdfBytes('gross', 5_000_000)]).build());
    const opened = session();
    const { documents } = await listAll(imap, opened);
    const hanging = server.fail({ on: 'FETCH', how: 'hang', after: 1 });
    const outcome = rejectionOf(read(imap, opened, documents[0]!));
    await hanging.struck();
    opened.controller.abort(new Error('shutting down'));
    expect(await outcome).toMatchObject({ message: 'shutting down' });
  });
});

describe('real-world mails', () => {
  it.each(MAIL_SHAPES)('$title', async ({ mail, documents: expected }) => {
    await start();
    server.append('INBOX', mail);
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(expected.map(({ name }) => name));
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(documents.length);
    for (const [n, ref] of documents.entries()) {
      const bytes = await read(imap, opened, ref);
      const content = expected[n]!.content;
      if (content !== 'unchecked') expect(sha256(bytes)).toBe(sha256(content));
    }
  });
});
