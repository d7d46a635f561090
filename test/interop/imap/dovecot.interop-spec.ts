import { createHash } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { imap } from '../../../src/integrations/imap/imap';
import { InvalidCredentials, Transient } from '../../../src/integrations/core/source-errors';
import { FaultProxy } from '../../fakes/fault-proxy';
import { aMail } from '../../builders/mail-builder';
import { lazyBytes, type Piece } from '../../builders/mail-encoding';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { invoiceMail, pdfBytes } from './invoice-mails';
import { MAIL_SHAPES } from './mail-shapes';
import { listAll, mailboxSession, type MailboxSession, read, sha256 } from './mailbox-session';
import { rejectionOf } from '../../harness/rejection-of';

const FOLDER = 'Büro/Rechnungen & mehr';

let dovecot: Dovecot;
const sessions: MailboxSession[] = [];
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const trusted = getCACertificates('default');

function session(step2: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): MailboxSession {
  const login = { host: dovecot.host, port: dovecot.port, security: 'NONE', ...DOVECOT_USER };
  const opened = mailboxSession({ fields: { ...login, ...fields }, step2 });
  sessions.push(opened);
  return opened;
}

beforeEach(async () => {
  dovecot = await Dovecot.start();
});

afterEach(async () => {
  for (const each of sessions.splice(0)) await each.end();
  setDefaultCACertificates(trusted);
  await dovecot?.stop();
});

describe('The IMAP connector with Dovecot', () => {
  it('fetches the whole mailbox with unchanged bytes and does not modify it', async () => {
    const expected = new Map<string, string>();
    for (let n = 0; n < 330; n++) {
      const content = pdfBytes(`Nr. ${n}`, 1_000 + n * 37);
      expected.set(`${n}.pdf`, sha256(content));
      await dovecot.deliver(n % 3 ? 'INBOX' : FOLDER, invoiceMail([`${n}.pdf`, content]).build());
    }
    const before = [await dovecot.files('INBOX'), await dovecot.files(FOLDER)];
    const opened = session({ folders: ['INBOX', FOLDER] });
    const { documents } = await listAll(imap, opened);
    const got = new Map<string, string>();
    for (let at = 0; at < documents.length; at += 12) {
      const batch = documents.slice(at, at + 12);
      const contents = await Promise.all(batch.map((ref) => read(imap, opened, ref)));
      batch.forEach(({ filename }, n) => got.set(filename, sha256(contents[n]!)));
    }
    await opened.end();
    expect(got).toEqual(expected);
    expect(before.flat().every((file) => file.startsWith('new/'))).toBe(true);
    expect([await dovecot.files('INBOX'), await dovecot.files(FOLDER)]).toEqual(before);
  });

  it('fetches only new documents, and finds the same documents after a rebuild', async () => {
    await dovecot.deliver('INBOX', invoiceMail('1.pdf', '1.pdf').build());
    await dovecot.deliver('INBOX', invoiceMail('2.pdf').messageId(null).build());
    const first = await listAll(imap, session());
    expect(first.documents.map(({ filename }) => filename)).toEqual(['1.pdf', '1 (2).pdf', '2.pdf']);
    expect(await listAll(imap, session(), first.cursor)).toMatchObject({ documents: [], pages: 0 });
    await dovecot.deliver('INBOX', invoiceMail('3.pdf').build());
    const second = await listAll(imap, session(), first.cursor);
    expect(second.documents.map(({ filename }) => filename)).toEqual(['3.pdf']);

    const keys = [...first.documents, ...second.documents].map(({ dedupeKey }) => dedupeKey);
    expect(new Set(keys).size).toBe(4);
    dovecot.rebuild('INBOX', 4_000_000_001);
    const rebuilt = await listAll(imap, session(), second.cursor);
    expect(rebuilt.documents.map(({ dedupeKey }) => dedupeKey)).toEqual(keys);
    dovecot.moveAll('INBOX', 'Papierkorb');
    const moved = await listAll(imap, session({ folders: ['Papierkorb'] }), rebuilt.cursor);
    expect(moved.documents.map(({ dedupeKey }) => dedupeKey).sort()).toEqual([...keys].sort());
  });

  it('finds one new mail without reading 100,000 old ones', async () => {
    await dovecot.deliverCopies('INBOX', invoiceMail('alt.pdf').build(), 100_000, new Date('2020-01-01T12:00:00Z'));
    // A response with every mail would exceed this limit and be cut off.
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: dovecot.port });
    proxy.faults(() => ({ cutAfter: 20_000 }));
    try {
      const first = await listAll(imap, session({}, { port: proxy.port }), null, '2026-01-01');
      expect(first.documents).toEqual([]);
      await dovecot.deliver('INBOX', invoiceMail('neu.pdf').build());
      const opened = session({}, { port: proxy.port });
      const second = await listAll(imap, opened, first.cursor, '2026-01-01');
      expect(second.documents.map(({ filename }) => filename)).toEqual(['neu.pdf']);
      expect(await read(imap, opened, second.documents[0]!)).toEqual(pdfBytes('neu.pdf'));
      expect(proxy.cuts).toBe(0);
    } finally {
      await proxy.stop();
    }
  }, 300_000);

  it('fetches 500 attachments of one mail, each with its own bytes', async () => {
    const names = Array.from({ length: 500 }, (_, n) => `${n}.pdf`);
    await dovecot.deliver('INBOX', invoiceMail(...names).build());
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(names);
    const contents = await Promise.all(documents.map((ref) => read(imap, opened, ref)));
    expect(contents.map(sha256)).toEqual(names.map((name) => sha256(pdfBytes(name))));
  });

  it('creates a document from the text of a mail, with its inline image', async () => {
    const image = Buffer.alloc(3_000, 'pixels');
    const inline = { content: image, filename: 'logo.png', mimeType: 'image/png', contentId: 'logo@x' };
    const mail = aMail()
      .subject('Rechnung 7')
      .text('7,00 €')
      .html('<p>7,00 €</p><img src="cid:logo@x">')
      .inline(inline);
    await dovecot.deliver('INBOX', mail.build());
    const opened = session({ take_texts: true });
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung 7.html']);
    const html = (await read(imap, opened, documents[0]!)).toString();
    expect(html).toContain('<p>7,00 €</p>');
    expect(html).toContain(image.toString('base64'));
  });

  it('lists mail from the start date on, to the second', async () => {
    await dovecot.deliver('INBOX', invoiceMail('alt.pdf').build(), new Date('2026-11-19T23:59:59Z'));
    await dovecot.deliver('INBOX', invoiceMail('neu.pdf').build(), new Date('2026-11-20T00:00:00Z'));
    const { documents } = await listAll(imap, session(), null, '2026-11-20');
    expect(documents.map(({ filename }) => filename)).toEqual(['neu.pdf']);
    expect(documents[0]?.metadata.source?.received_at).toBe('2026-11-20T00:00:00Z');
  });

  it('starts the start date at midnight in the time zone of the user', async () => {
    await dovecot.deliver('INBOX', invoiceMail('alt.pdf').build(), new Date('2026-11-19T22:59:59Z'));
    await dovecot.deliver('INBOX', invoiceMail('neu.pdf').build(), new Date('2026-11-19T23:00:00Z'));
    const opened = session({}, { time_zone: 'Europe/Berlin' });
    const { documents } = await listAll(imap, opened, null, '2026-11-20');
    expect(documents.map(({ filename }) => filename)).toEqual(['neu.pdf']);
  });

  it('lists the folder tree level by level', async () => {
    await dovecot.deliver(FOLDER, invoiceMail().build());
    const opened = session();
    const tree = (await imap.step2?.(opened))?.find(({ id }) => id === 'folders');
    expect(tree?.options).toEqual([
      { value: 'INBOX', label: { en: 'Inbox', de: 'Posteingang' }, hasChildren: false },
      { value: 'Papierkorb', label: { en: 'Trash', de: 'Papierkorb' }, hasChildren: false },
      { value: 'Büro', label: 'Büro', hasChildren: true, selectable: false },
    ]);
    expect(await imap.options?.(opened, 'folders', 'Büro')).toEqual([
      { value: FOLDER, label: 'Rechnungen & mehr', hasChildren: false },
    ]);
  });

  it.each(['TLS', 'STARTTLS'])('verifies the server’s certificate with %s', async (security) => {
    const port = security === 'TLS' ? dovecot.tlsPort : dovecot.port;
    expect(await rejectionOf(imap.check(session({}, { security, port })))).toBeInstanceOf(Transient);
    setDefaultCACertificates([...trusted, dovecot.ca]);
    await expect(imap.check(session({}, { security, port }))).resolves.toEqual({
      id: 'anna@example.com@localhost',
      display: 'anna@example.com',
    });
  });

  it('distinguishes a wrong password from an unavailable server', async () => {
    expect(await rejectionOf(imap.check(session({}, { password: 'falsch' })))).toBeInstanceOf(InvalidCredentials);
    const later = session();
    await dovecot.stop();
    expect(await rejectionOf(imap.check(later))).toBeInstanceOf(Transient);
  });

  it('finds the documents in real-world mails, including malformed ones', async () => {
    for (const [n, { mail }] of MAIL_SHAPES.entries()) await dovecot.deliver(`Form ${n}`, mail);
    const opened = session({ folders: MAIL_SHAPES.map((_, n) => `Form ${n}`) });
    const { documents } = await listAll(imap, opened);
    for (const [n, { title, documents: expected }] of MAIL_SHAPES.entries()) {
      const found = documents.filter(({ metadata }) => metadata.source?.path === `Form ${n}`);
      expect([title, ...found.map(({ filename }) => filename)]).toEqual([title, ...expected.map(({ name }) => name)]);
      for (const [index, ref] of found.entries()) {
        const bytes = await read(imap, opened, ref);
        const content = expected[index]!.content;
        if (content !== 'unchecked') expect([title, sha256(bytes)]).toEqual([title, sha256(content)]);
      }
    }
  });

  it('streams an attachment of 60 MB in constant memory', async () => {
    const size = 60_000_000;
    const content = lazyBytes(size, (offset) => (offset * 31 + (offset >> 8)) & 0xff);
    const hash = createHash('sha256');
    for (const chunk of content.chunks()) hash.update(chunk);
    const mail = aMail().attach({ content, filename: 'gross.pdf', mimeType: 'application/pdf' });
    await dovecot.deliver('INBOX', written(mail.pieces()));
    const opened = session();
    const [ref] = (await listAll(imap, opened)).documents;
    livingBytes();
    const start = livingBytes();
    const { stream } = await imap.download(opened, ref!);
    const got = createHash('sha256');
    let bytes = 0;
    let peak = 0;
    for await (const chunk of stream) {
      got.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      peak = Math.max(peak, livingBytes() - start);
    }
    expect(bytes).toBe(size);
    expect(got.digest('hex')).toBe(hash.digest('hex'));
    // A few chunks of one megabyte, in transit or decoded.
    expect(peak).toBeGreaterThan(500_000);
    expect(peak).toBeLessThan(16_000_000);
  });
});

/** The memory of all objects that are still referenced. */
function livingBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The pieces of a mail, each generated when it is written. */
function* written(pieces: readonly Piece[]): Generator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* piece.chunks();
  }
}
