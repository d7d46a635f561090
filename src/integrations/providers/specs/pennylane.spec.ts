import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const pennylane = useDeclaredFake('pennylane');
const RECEIVED = { kinds: ['received'] };
const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' });

describe('The documents of a Pennylane company', () => {
  it('are invoices and credit notes to customers and invoices of suppliers, with their amounts', async () => {
    const invoice = pennylane.account.add('2026-03-01');
    const received = pennylane.account.add('2026-03-02');
    const amounts = { currency_amount: '-120.0', currency_amount_before_tax: '-100.0', currency_tax: '-20.0' };
    pennylane.account.add('2026-03-03', { ...amounts, credited_invoice: { id: 1000 } });
    const { documents } = await pennylane.list();
    expect(documents.map(({ externalId, documentType, filename }) => [externalId, documentType, filename])).toEqual([
      ['customer_invoices/1000', 'invoice', 'Facture 0.pdf'],
      ['customer_invoices/1002', 'credit_note', 'Facture 2.pdf'],
      ['supplier_invoices/1001', 'invoice', 'Facture 1.pdf'],
    ]);
    const metadata = { currency: 'EUR', amount: '120.00', amount_net: '100.00', amount_tax: '20.00' };
    expect(documents[0]!.metadata).toEqual({
      ...metadata,
      number: 'F-0',
      date: '2026-03-01',
      due_date: '2026-03-01',
      payment: { status: 'OPEN' },
      source: { kind: 'accounting', modified_at: '2026-03-01T10:00:00.000Z' },
    });
    expect(documents[1]!.metadata).toMatchObject(metadata);
    expect(documents[2]!.metadata).toMatchObject({ ...metadata, number: 'F-1', payment: { status: 'OPEN' } });
    pennylane.takeRequests();
    expect((await pennylane.read(documents[0]!)).equals(invoice.content)).toBe(true);
    expect((await pennylane.read(documents[2]!)).equals(received.content)).toBe(true);
    expect(pennylane.takeRequests()).toEqual(['GET /customer_invoices/1000', 'GET /supplier_invoices/1001']);
  });

  it('are those of the last 60 days between listings of everything, and wait for their file', async () => {
    pennylane.account.add(daysAgo(90));
    const late = pennylane.account.add(daysAgo(90), { filename: null });
    const first = await pennylane.list({ step2: RECEIVED });
    expect(first.keys).toEqual([]);
    late.record['filename'] = 'Facture.pdf';
    pennylane.takeRequests();
    expect((await pennylane.listFrom(first, { step2: RECEIVED })).keys).toEqual([]);
    const list = (since: string) =>
      `GET /supplier_invoices?filter=[{"field":"date","operator":"gteq","value":"${since}"}]&sort=id&limit=100`;
    expect(pennylane.takeRequests()).toEqual([list(daysAgo(60))]);
    const cursor = {
      received: { ...(first.cursor as { received: object }).received, wholeAt: `${daysAgo(2)}T00:00:00Z` },
    };
    expect((await pennylane.list({ step2: RECEIVED, cursor })).keys).toEqual([`supplier_invoices/${late.id}`]);
    expect(pennylane.takeRequests()).toEqual([list('2000-01-01')]);
  });

  it('are read page by page, in the selected kinds', async () => {
    for (let n = 0; n < 202; n++) pennylane.account.add('2026-03-01');
    expect((await pennylane.list({ step2: { kinds: ['invoice'] } })).keys).toHaveLength(101);
    expect(pennylane.takeRequests()[1]).toContain('&limit=100&cursor=1198');
  });

  it('belong to the company of the token', async () => {
    expect(await pennylane.check()).toEqual({ id: '1', display: 'Müller SARL' });
  });
});
