import type { FakeGmail } from '../../../test/fakes/gmail/fake-gmail';
import type { GmailState } from '../../../test/fakes/gmail/gmail-state';
import { refused } from '../../../test/fakes/google/answers';
import { type GmailSessionInput, sortedFilenames, useGmail } from '../../../test/harness/connectors/use-gmail';
import { invoiceMail } from '../../../test/interop/imap/invoice-mails';
import { SelectionNotFound, CursorInvalid } from '../core/source-errors';
import type { GmailCursor } from './list-documents';

const { at, pagesOf, asked } = useGmail();
let server: FakeGmail;
let box: GmailState;
beforeEach(() => {
  ({ server, box } = at());
});

describe('A listing', () => {
  const receives = (filename: string, time: string, labels = ['INBOX']) =>
    box.deliver(invoiceMail(filename).build(), labels, new Date(time));

  it('starts at midnight in the user’s time zone', async () => {
    receives('a.pdf', '2026-11-18T22:59:59Z');
    receives('b.pdf', '2026-11-18T23:00:00Z');
    receives('c.pdf', '2026-11-19T00:00:00Z');
    const from = (zone: string) => pagesOf({ zone }, null, '2026-11-19');
    expect(sortedFilenames((await from('Europe/Berlin')).documents)).toEqual(['b.pdf', 'c.pdf']);
    expect(sortedFilenames((await from('UTC')).documents)).toEqual(['c.pdf']);
    expect(asked(/\/messages$/)[0]!.query.get('q')).toBe(`after:${Date.parse('2026-11-18T23:00:00Z') / 1000 - 1}`);
  });

  it('excludes spam, trash and drafts', async () => {
    receives('a.pdf', '2026-03-02T10:00:00Z');
    for (const label of ['SPAM', 'TRASH', 'DRAFT']) receives(`${label}.pdf`, '2026-03-02T10:00:00Z', [label, 'INBOX']);
    expect(sortedFilenames((await pagesOf()).documents)).toEqual(['a.pdf']);
    expect(sortedFilenames((await pagesOf({ labels: ['ALL_MAIL'] })).documents)).toEqual(['a.pdf']);
  });

  it('includes mails without labels when all mail is selected', async () => {
    receives('archived.pdf', '2026-03-02T10:00:00Z', []);
    receives('sent.pdf', '2026-03-02T10:00:00Z', ['SENT']);
    const first = await pagesOf({ labels: ['ALL_MAIL', 'INBOX'] });
    expect(sortedFilenames(first.documents)).toEqual(['archived.pdf', 'sent.pdf']);
    receives('later.pdf', '2026-03-03T10:00:00Z', []);
    expect(sortedFilenames((await pagesOf({ labels: ['ALL_MAIL'] }, first.cursor)).documents)).toEqual(['later.pdf']);
  });

  it('excludes and counts mails that do not pass the filters', async () => {
    box.deliver(invoiceMail('a.pdf').from('billing@shop.example', 'Shop').subject('Rechnung 1').build());
    box.deliver(invoiceMail('b.pdf', 'c.pdf').from('news@shop.example').subject('Rechnung 2').build());
    box.deliver(invoiceMail('d.pdf').from('billing@shop.example').subject('Werbung').build());
    const found = await pagesOf({ step2: { sender_filter: 'BILLING@', subject_filter: 'rechnung' } });
    expect([sortedFilenames(found.documents), found.filteredBy]).toEqual([['a.pdf'], { PATTERN: 3 }]);
  });

  it('needs one request per mail, and none for an unchanged mailbox', async () => {
    for (let n = 0; n < 30; n++) receives(`${n}.pdf`, '2026-03-02T10:00:00Z');
    const { cursor } = await pagesOf();
    expect(asked(/\/messages\/[^/]+$/)).toHaveLength(30);
    server.requests.length = 0;
    await pagesOf({}, cursor);
    expect(server.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['labels', 'history']);
  });

  it('processes the other labels before it reports a missing one, and labels that are selected later', async () => {
    const label = box.label('Rechnungen');
    receives('a.pdf', '2026-03-02T10:00:00Z');
    const cut = await pagesOf({ labels: ['Label_77', 'INBOX'] });
    expect([sortedFilenames(cut.documents), cut.error]).toEqual([['a.pdf'], expect.any(SelectionNotFound)]);
    receives('b.pdf', '2026-03-02T10:00:00Z', [label]);
    const chosen = await pagesOf({ labels: [label, 'INBOX'] }, cut.cursor);
    // The history shows it as well.
    expect([new Set(sortedFilenames(chosen.documents)), chosen.error]).toEqual([new Set(['b.pdf']), undefined]);
  });

  it('skips mails that are deleted during the listing', async () => {
    receives('a.pdf', '2026-03-02T10:00:00Z');
    const gone = receives('b.pdf', '2026-03-02T10:00:00Z');
    server.fault = ({ path }) => (path.endsWith(gone) ? { answer: refused(404, 'notFound') } : undefined);
    expect(sortedFilenames((await pagesOf()).documents)).toEqual(['a.pdf']);
  });

  it('starts again when the stored page token has expired', async () => {
    server.endpoints.page = 2;
    for (let n = 0; n < 5; n++) receives(`${n}.pdf`, '2026-03-02T10:00:00Z');
    const [first] = (await pagesOf()).pages;
    expect((first!.cursor as GmailCursor).listing).toMatchObject({ label: 'INBOX' });
    server.endpoints.forgetsPages = true;
    expect((await pagesOf({}, first!.cursor)).error).toBeInstanceOf(CursorInvalid);
  });
});

describe('The history of a mailbox', () => {
  const inbox: GmailSessionInput = { labels: ['INBOX'] };

  it('yields mails that arrive, get the label, or are moved out of spam or trash', async () => {
    const label = box.label('Rechnungen');
    const old = box.deliver(invoiceMail('old.pdf').build(), []);
    const spam = box.deliver(invoiceMail('spam.pdf').build(), [label, 'SPAM']);
    const given = { labels: [label] };
    const { cursor } = await pagesOf(given);
    box.addLabels(old, 'STARRED');
    box.deliver(invoiceMail('new.pdf').build(), [label, 'UNREAD']);
    box.deliver(invoiceMail('elsewhere.pdf').build(), ['INBOX']);
    expect(sortedFilenames((await pagesOf(given, cursor)).documents)).toEqual(['new.pdf']);
    box.addLabels(old, label);
    box.takeLabels(spam, 'SPAM');
    expect(sortedFilenames((await pagesOf(given, cursor)).documents)).toEqual(['new.pdf', 'old.pdf', 'spam.pdf']);
  });

  it('does not yield mails that are too old, deleted, or have lost the label', async () => {
    const { cursor } = await pagesOf(inbox, null, '2026-01-01');
    box.deliver(invoiceMail('old.pdf').build(), ['INBOX'], new Date('2025-12-31T23:59:59Z'));
    box.delete(box.deliver(invoiceMail('deleted.pdf').build(), ['INBOX']));
    box.takeLabels(box.deliver(invoiceMail('moved.pdf').build(), ['INBOX']), 'INBOX');
    box.deliver(invoiceMail('a.pdf').build(), ['INBOX']);
    expect(sortedFilenames((await pagesOf(inbox, cursor, '2026-01-01')).documents)).toEqual(['a.pdf']);
  });

  it('is read in pages, each with its next position, without loss or repetition after a crash', async () => {
    const { cursor } = await pagesOf(inbox);
    server.endpoints.page = 7;
    for (let n = 0; n < 40; n++) {
      box.takeLabels(box.deliver(invoiceMail(`${n}.pdf`).build(), ['INBOX', 'UNREAD']), 'UNREAD');
    }
    const whole = await pagesOf(inbox, cursor);
    expect(whole.documents).toHaveLength(40);
    expect(new Set(whole.pages.map((page) => (page.cursor as GmailCursor).historyId)).size).toBeGreaterThan(10);
    for (const [index, page] of whole.pages.entries()) {
      const before = whole.pages.slice(0, index + 1).flatMap(({ documents }) => documents);
      const after = (await pagesOf(inbox, page.cursor)).documents;
      expect(sortedFilenames([...new Map([...before, ...after].map((ref) => [ref.dedupeKey, ref])).values()])).toEqual(
        sortedFilenames(whole.documents),
      );
      // After a page without documents its cursor is committed.
      if (page.documents.length === 0) expect(before.length + after.length).toBe(40);
    }
  });

  it('is listed again with the same keys when the history id has expired', async () => {
    for (let n = 0; n < 5; n++) box.deliver(invoiceMail(`${n}.pdf`).build());
    const first = await pagesOf();
    box.invalidateHistory();
    box.deliver(invoiceMail('new.pdf').build());
    const lost = await pagesOf({}, first.cursor);
    expect([lost.documents, lost.error]).toEqual([[], expect.any(CursorInvalid)]);
    const keys = new Set((await pagesOf()).documents.map(({ dedupeKey }) => dedupeKey));
    for (const { dedupeKey } of first.documents) expect(keys).toContain(dedupeKey);
    expect(keys.size).toBe(6);
  });

  it('does not lose mails that arrive during the listing', async () => {
    server.endpoints.page = 2;
    for (let n = 0; n < 6; n++) box.deliver(invoiceMail(`${n}.pdf`).build());
    let comes = 0;
    server.fault = ({ path }) => {
      if (path.endsWith('/messages') && comes++ < 2) box.deliver(invoiceMail(`during ${comes}.pdf`).build());
      return undefined;
    };
    const { documents } = await pagesOf();
    expect(sortedFilenames(documents)).toEqual(
      expect.arrayContaining(['during 1.pdf', 'during 2.pdf', '0.pdf', '5.pdf']),
    );
  });
});
