import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const fortnox = useDeclaredFake('fortnox');
const ISSUED = { kinds: ['invoice', 'credit_note'] };
const RECEIVED = { kinds: ['received'] };
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe('The documents of a Fortnox company', () => {
  it('are booked invoices, credit notes and the files of supplier invoices, with their amounts', async () => {
    const invoice = fortnox.account.add('2026-03-01');
    const received = fortnox.account.add('2026-03-02', { FinalPayDate: '2026-03-10' });
    const credit = fortnox.account.add('2026-03-03', { Total: -125, Balance: -125 });
    const { documents } = await fortnox.list();
    expect(documents.map(({ externalId, documentType, filename }) => [externalId, documentType, filename])).toEqual([
      ['invoices/1', 'invoice', '1.pdf'],
      ['invoices/3', 'credit_note', '3.pdf'],
      ['files/file-2', 'invoice', 'Faktura.pdf'],
    ]);
    expect(documents[0]!.metadata).toEqual({
      number: '1',
      date: '2026-03-01',
      due_date: '2026-03-01',
      currency: 'SEK',
      amount: '125.00',
      amount_due: '125.00',
      customer: { name: 'Müller AB' },
      source: { kind: 'accounting' },
    });
    expect(documents[1]!.metadata).toMatchObject({ amount: '125.00' });
    expect(documents[2]!.metadata).toMatchObject({
      number: 'L-1',
      date: '2026-03-02',
      amount: '250.00',
      payment: { status: 'PAID', date: '2026-03-10' },
      supplier: { name: 'Läden AB' },
    });
    fortnox.takeRequests();
    for (const [at, { content }] of [invoice, credit, received].entries())
      expect((await fortnox.read(documents[at]!)).equals(content)).toBe(true);
    expect(fortnox.takeRequests()).toEqual([
      'GET /3/invoices/1/preview',
      'GET /3/invoices/3/preview',
      'GET /3/archive/file-2',
    ]);
  });

  it('are later those that have changed, and invoices as soon as they are booked', async () => {
    const draft = fortnox.account.add(daysAgo(1), { Booked: false });
    const first = await fortnox.list({ step2: ISSUED });
    expect(first.keys).toEqual([]);
    draft.record['Booked'] = true;
    fortnox.takeRequests();
    expect((await fortnox.listFrom(first, { step2: ISSUED })).keys).toEqual(['invoices/1']);
    expect(fortnox.takeRequests()).toEqual([
      expect.stringMatching(
        /^GET \/3\/invoices\?lastmodified=\d{4}-\d\d-\d\d\+\d\d:\d\d:\d\d&sortby=documentnumber&limit=500&page=1$/,
      ),
    ]);
  });

  it('are looked for at the supplier invoices of the last 60 days between listings of everything', async () => {
    for (let n = 0; n < 6; n++) fortnox.account.add(daysAgo(n < 4 ? 90 : 10));
    const first = await fortnox.list({ step2: RECEIVED });
    expect(first.keys).toEqual(['files/file-2', 'files/file-4', 'files/file-6']);
    fortnox.takeRequests();
    await fortnox.listFrom(first, { step2: RECEIVED });
    expect(fortnox.takeRequests()).toEqual([
      'GET /3/supplierinvoices?limit=500&page=1',
      'GET /3/supplierinvoicefileconnections?supplierinvoicenumber=6&limit=500',
    ]);
  });

  it('belong to the company that the user has chosen at Fortnox', async () => {
    expect(await fortnox.check()).toEqual({ id: '1', display: 'Müller AB' });
  });
});
