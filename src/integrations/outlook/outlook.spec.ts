import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { refused } from '../../../test/fakes/microsoft-graph/answers';
import type { FakeMicrosoftGraph } from '../../../test/fakes/microsoft-graph/fake-microsoft-graph';
import type { MailState } from '../../../test/fakes/microsoft-graph/mail-state';
import { aMail } from '../../../test/builders/mail-builder';
import { useMicrosoft } from '../../../test/harness/connectors/use-microsoft';
import { invoiceMail, pdfBytes } from '../../../test/interop/imap/invoice-mails';
import {
  SelectionNotFound,
  DocumentRefused,
  DocumentUnavailable,
  PermissionMissing,
  RateLimited,
} from '../core/source-errors';
import { outlook } from './outlook';

const SHARED = 'rechnungen@example.com';

let server: FakeMicrosoftGraph;
let mailbox: MailState;
const account = useMicrosoft(outlook, (started) => {
  server = started;
  mailbox = started.mailbox();
});
const { sources } = account;

function sharedMailbox(): MailState {
  const made = server.mailbox(SHARED);
  made.sharedWith.add('anna@example.com');
  return made;
}

async function zip(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, text] of Object.entries(files)) archive.addBuffer(Buffer.from(text), path);
  archive.end();
  return buffer(archive.outputStream);
}

describe('The check', () => {
  it('returns an id that does not depend on the address', async () => {
    const { id, display } = await outlook.check(sources.open());
    expect(display).toBe('anna@example.com');
    expect(id).toMatch(/^[\da-f]{32}$/);
  });

  it('rejects an account without a mailbox', async () => {
    account.token = server.entra.accessToken('nobody@example.com');
    await expect(outlook.check(sources.open())).rejects.toThrow(SelectionNotFound);
  });
});

describe('A listing', () => {
  it('returns source metadata and unique names', async () => {
    const bare = { name: '', contentType: 'application/pdf' };
    mailbox.deliver(['RE/1.pdf', 're_1.pdf', bare], { subject: 'Rechnung November' }, mailbox.folder('Büro/2026'));
    const { documents, names } = await sources.list({ step2: { folders: [mailbox.folder('Büro/2026').id] } });
    expect(names).toEqual(['RE_1.pdf', 'Rechnung November.pdf', 're_1 (2).pdf']);
    expect(documents[0]!.externalId).toBeNull();
    expect(documents[0]!.metadata.source).toEqual({
      kind: 'mail',
      path: 'Büro/2026',
      subject: 'Rechnung November',
      sender: { name: 'Müller & Söhne', address: 'billing@supplier.example' },
      received_at: '2026-11-02T08:00:00Z',
    });
  });

  it('extracts archives', async () => {
    const content = await zip({ 'a.pdf': '%PDF a', 'b.xml': '<b/>', 'c.exe': 'MZ' });
    mailbox.deliver([{ name: 'alle.zip', contentType: 'application/x-zip-compressed', content }]);
    const first = await sources.list();
    expect(first.names).toEqual(['a.pdf', 'b.xml']);
    const pdf = first.documents.find(({ filename }) => filename === 'a.pdf')!;
    const { stream } = await outlook.download(sources.open(), pdf);
    expect(String(await buffer(stream))).toBe('%PDF a');
    mailbox.deliver([{ name: 'kaputt.zip', contentType: 'application/zip', content: content.subarray(0, 60) }]);
    expect((await sources.listFrom(first)).names).toEqual(['kaputt.zip']);
  });

  it('links a PDF to the e-invoices of its mail that it may render', async () => {
    mailbox.deliver(['rechnung.pdf', { name: 'rechnung.xml', contentType: 'application/xml' }]);
    mailbox.deliver(['allein.pdf']);
    const { documents } = await sources.list();
    const shown = documents.map(({ filename, renditionOf }) => [filename, renditionOf?.map((each) => each.filename)]);
    expect(shown.sort()).toEqual([
      ['allein.pdf', undefined],
      ['rechnung.pdf', ['rechnung.xml']],
      ['rechnung.xml', undefined],
    ]);
  });

  it('excludes and counts inline images and links', async () => {
    const picture = { name: 'scan.jpg', contentType: 'image/jpeg' };
    const link = { type: 'reference', name: 'x.pdf', contentType: null } as const;
    mailbox.deliver([picture, { ...picture, name: 'logo.jpg', isInline: true }, link]);
    mailbox.deliver([{ name: 'inline.pdf', isInline: true }, 'b.pdf']);
    expect(await sources.list()).toMatchObject({
      names: ['b.pdf', 'inline.pdf', 'scan.jpg'],
      filteredBy: { INLINE_IMAGE: 1, LINK: 1 },
    });
  });

  it('opens attached mails, and numbers them on their own', async () => {
    const [content, empty] = [invoiceMail('a.pdf', 'b.pdf').build(), aMail().text('Danke!').build()];
    const item = { type: 'item', name: 'WG: Rechnung', contentType: null } as const;
    mailbox.deliver([
      { ...item, content },
      { ...item, content: empty },
      { name: 'WG: Rechnung', contentType: '' },
    ]);
    const { names, documents, filteredBy } = await sources.list();
    expect(names).toEqual(['WG_ Rechnung.pdf', 'a.pdf', 'b.pdf']);
    expect(filteredBy).toEqual({ ATTACHED_MAIL: 1 });
    const [, inner] = documents.toSorted((a, b) => (a.filename < b.filename ? -1 : 1));
    expect(await buffer((await outlook.download(sources.open(), inner!)).stream)).toEqual(pdfBytes('a.pdf'));
  });

  it('lists no document twice when its mail is read, moved or copied, and lists new mails', async () => {
    const archive = mailbox.folder('Archiv');
    const [a, b, c] = [
      mailbox.deliver(['a.pdf', 'a.pdf']),
      mailbox.deliver(['b.pdf']),
      mailbox.deliver(['c.pdf'], {}, archive),
    ];
    const step2 = { folders: ['inbox'] };
    const first = await sources.list({ step2 });
    expect(first.names).toEqual(['a (2).pdf', 'a.pdf', 'b.pdf']);
    mailbox.read(a);
    mailbox.move(b, archive);
    mailbox.copy(b);
    mailbox.move(c, mailbox.inbox);
    expect((await sources.listFrom(first, { step2 })).names).toEqual(['c.pdf']);
    const [moved] = first.documents.filter(({ filename }) => filename === 'b.pdf');
    await buffer((await outlook.download(sources.open(), moved!)).stream); // by the immutable id
  });

  it('distinguishes mails with a reused Message-ID, and those without', async () => {
    const internetMessageId = '<always@the-same>';
    mailbox.deliver(['a.pdf'], { internetMessageId });
    mailbox.deliver(['a.pdf'], { internetMessageId, sentDateTime: '2026-11-03T07:00:00Z' });
    mailbox.deliver(['a.pdf'], { internetMessageId: null });
    mailbox.deliver(['a.pdf'], { internetMessageId: null });
    expect(new Set((await sources.list()).keys).size).toBe(4);
  });

  it('starts again in a folder whose position Graph no longer knows, and downloads nothing twice', async () => {
    const theirs = sharedMailbox();
    const step2 = { folders: ['inbox'], shared_mailboxes: SHARED };
    mailbox.deliver(['a.pdf']);
    theirs.deliver(['b.pdf']);
    const first = await sources.list({ step2 });
    expect(first.names).toEqual(['a.pdf', 'b.pdf']);
    mailbox.invalidateCursors();
    mailbox.deliver(['c.pdf']);
    theirs.deliver(['d.pdf']);
    const second = await sources.listFrom(first, { step2 });
    expect(second).toMatchObject({ names: ['c.pdf', 'd.pdf'], error: undefined });
    expect((await sources.listFrom(second, { step2, known: first.keys })).names).toEqual([]);
  });

  it('lists all mails of a folder that exceeds the limit of date filters', async () => {
    for (let n = 0; n < 350; n++) mailbox.deliver(n % 7 ? [] : [`${n}.pdf`]);
    server.page = 30;
    const { documents } = await sources.list({ startdate: '2026-11-01' });
    expect(documents).toHaveLength(50);
    expect(server.requests.filter((request) => request.includes('$filter'))).toEqual([]);
    expect(server.requests.filter((request) => request.includes('/attachments'))).toHaveLength(50);
  });

  it('starts at midnight in the user’s time zone', async () => {
    mailbox.deliver(['before.pdf'], { receivedDateTime: '2026-11-18T22:59:59Z' });
    mailbox.deliver(['midnight.pdf'], { receivedDateTime: '2026-11-18T23:00:00Z' });
    const berlin = { fields: { time_zone: 'Europe/Berlin' }, startdate: '2026-11-19' };
    expect((await sources.list(berlin)).names).toEqual(['midnight.pdf']);
    expect((await sources.list({ startdate: '2026-11-19' })).names).toEqual([]);
  });

  it('applies sender and subject filters, and starts again when they change', async () => {
    mailbox.deliver(['a.pdf'], { subject: 'Ihre RECHNUNG', from: { name: 'Bahn', address: 'noreply@bahn.example' } });
    mailbox.deliver(['b.pdf'], { subject: 'Newsletter' });
    const first = await sources.list({ step2: { subject_filter: 'rechnung', sender_filter: 'bahn' } });
    expect(first).toMatchObject({ names: ['a.pdf'], filteredBy: { PATTERN: 1 } });
    expect((await sources.listFrom(first, { step2: {} })).names).toEqual(['b.pdf']);
  });

  it('processes the other folders before it reports a missing or inaccessible one', async () => {
    const theirs = sharedMailbox();
    const gone = mailbox.folder('Weg');
    mailbox.removeFolder(gone);
    theirs.deliver(['b.pdf']);
    const step2 = { folders: [gone.id], shared_mailboxes: SHARED };
    const first = await sources.list({ step2 });
    expect(first.names).toEqual(['b.pdf']);
    expect(first.error).toBeInstanceOf(SelectionNotFound);
    theirs.sharedWith.clear();
    mailbox.deliver(['a.pdf']);
    const closed = await sources.list({ step2: { folders: [`${SHARED}/inbox`, 'inbox'], shared_mailboxes: SHARED } });
    expect(closed.names).toEqual(['a.pdf']);
    expect(closed.error).toBeInstanceOf(PermissionMissing);
  });

  it('continues after a deleted mail, and stops when Graph requests a pause', async () => {
    const mail = mailbox.deliver(['a.pdf']);
    mailbox.deliver(['b.pdf']);
    server.fault = ({ pathname }) => {
      if (pathname.includes(encodeURIComponent(mail.id))) mailbox.mails.delete(mail.id);
      return undefined;
    };
    expect(await sources.list()).toMatchObject({ names: ['b.pdf'], error: undefined });
    server.fault = ({ pathname }) =>
      pathname.endsWith('/delta') ? refused(429, 'ApplicationThrottled', { 'retry-after': '9' }) : undefined;
    const { error } = await sources.list();
    expect(error).toBeInstanceOf(RateLimited);
    expect(error).toMatchObject({ retryAfterSeconds: 9, scope: 'connection' });
  });
});

describe('A document', () => {
  it('is permanently unavailable when its mail is deleted', async () => {
    const mail = mailbox.deliver(['a.pdf']);
    const { documents } = await sources.list();
    mailbox.remove(mail);
    const error: unknown = await outlook.download(sources.open(), documents[0]!).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect(error).toMatchObject({ permanent: true });
  });

  it('is requested as bytes, not as text in JSON', async () => {
    mailbox.deliver([{ name: 'a.pdf', content: Buffer.alloc(3_000_000, 'pdf') }]);
    const { documents } = await sources.list();
    const { stream, size } = await outlook.download(sources.open(), documents[0]!);
    expect(size).toBe(3_000_000);
    expect(await buffer(stream)).toHaveLength(3_000_000);
    const asked = server.requests.filter((request) => request.includes('/attachments'));
    expect(asked).toEqual([expect.stringContaining('select=id%2Cname'), expect.stringMatching(/\/\$value$/)]);
  });

  it('is requested again after a broken connection, also with an expired token', async () => {
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, n) => `%PDF ${n}\n`).join(''));
    mailbox.deliver([{ name: 'a.pdf', content }]);
    const { documents } = await sources.list();
    let left = 2;
    server.fault = ({ pathname }) => {
      if (!pathname.endsWith('/$value') || left-- <= 0) return undefined;
      server.entra.expireAccessTokens();
      return { status: 200, bytes: content, mimeType: 'application/pdf', cutAfter: (2 - left) * 300_000 };
    };
    const accessToken = (ended?: string) => {
      if (ended !== undefined) account.token = server.entra.accessToken();
      return Promise.resolve(account.token);
    };
    const { stream, size } = await outlook.download(sources.open({ accessToken }), documents[0]!);
    expect(size).toBe(content.length);
    expect((await buffer(stream)).equals(content)).toBe(true);
    expect(left).toBeLessThan(0);
  });

  it('with malware fails permanently', async () => {
    mailbox.deliver(['a.pdf']);
    const { documents } = await sources.list();
    server.fault = ({ pathname }) => (pathname.endsWith('/$value') ? refused(403, 'malwareDetected') : undefined);
    const error: unknown = await outlook.download(sources.open(), documents[0]!).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DocumentRefused);
  });
});
