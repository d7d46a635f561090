import { randomBytes } from 'node:crypto';
import { SEVDESK_NOW as NOW, useSevdesk } from '../../../../test/harness/connectors/use-sevdesk';

const sevdesk = useSevdesk();

const DAY_MS = 86_400_000;

describe('Listing a sevdesk account again', () => {
  it('covers the last weeks, and once a day everything', async () => {
    const known = [`Invoice/${sevdesk.books.invoice({ date: '2025-01-01' }).id}`];
    const first = await sevdesk.listed();
    expect(first.ids).toEqual(known);
    const recent = sevdesk.books.invoice({ date: '2026-10-01' });
    const old = sevdesk.books.invoice({ date: '2025-02-01' });
    sevdesk.now = new Date(NOW.getTime() + 3_600_000);
    const second = await sevdesk.listed(sevdesk.session({ known }), first.cursor);
    expect(second.ids).toEqual([`Invoice/${recent.id}`]);
    known.push(...(second.ids as string[]));
    sevdesk.now = new Date(NOW.getTime() + DAY_MS);
    expect((await sevdesk.listed(sevdesk.session({ known }), second.cursor)).ids).toEqual([`Invoice/${old.id}`]);
  });

  it('yields a draft after it is issued, however old it is', async () => {
    const draft = sevdesk.books.invoice({ date: '2026-01-05', status: '100' });
    const first = await sevdesk.listed();
    expect(first.ids).toEqual([]);
    Object.assign(draft, { status: '200', number: 'RE-9' });
    sevdesk.now = new Date(NOW.getTime() + 2 * DAY_MS);
    expect((await sevdesk.listed(sevdesk.session(), first.cursor)).ids).toEqual([`Invoice/${draft.id}`]);
  });

  it('loses nothing when the list changes while it is read', async () => {
    sevdesk.server.endpoints.page = 10;
    const numbered = (n: number) => ({ number: `RE-${String(n).padStart(4, '0')}` });
    const doomed = sevdesk.books.invoice(numbered(0));
    const draft = sevdesk.books.invoice({ status: '100' });
    for (let n = 1; n <= 35; n++) sevdesk.books.invoice(numbered(n));
    let lists = 0;
    sevdesk.server.endpoints.onList = () => {
      lists += 1;
      if (lists === 2) sevdesk.books.remove(doomed);
      if (lists === 4) Object.assign(draft, { status: '200', number: 'RE-9999' });
    };
    const { ids } = await sevdesk.listed();
    expect(new Set(ids)).toEqual(new Set([doomed, ...sevdesk.books.entries].map(({ id }) => `Invoice/${id}`)));
  });

  it('lists everything again when the list keeps changing', async () => {
    sevdesk.server.endpoints.page = 5;
    for (let n = 0; n < 30; n++) sevdesk.books.invoice();
    sevdesk.server.endpoints.onList = () =>
      void sevdesk.books.entries.forEach((entry) => (entry.number = `RE-${randomBytes(4).toString('hex')}`));
    const first = await sevdesk.listed();
    sevdesk.server.endpoints.onList = () => undefined;
    sevdesk.now = new Date(NOW.getTime() + 60_000);
    const second = await sevdesk.listed(sevdesk.session({ known: first.ids as string[] }), first.cursor);
    expect(new Set([...first.ids, ...second.ids])).toEqual(
      new Set(sevdesk.books.entries.map(({ id }) => `Invoice/${id}`)),
    );
    const partial = sevdesk.server.requests.filter(
      ({ path, query }) => path.endsWith('/Invoice') && query.has('startDate'),
    );
    expect(partial).toEqual([]);
  });
});
