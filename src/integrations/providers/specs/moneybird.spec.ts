import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const moneybird = useDeclaredFake('moneybird');
const CONTACT = { company_name: 'Läden B.V.', country: 'NL', tax_number: 'NL123456789B01', email: null };

describe('The documents of a Moneybird administration', () => {
  it('are issued and received ones, with their amounts', async () => {
    moneybird.account.add('2026-03-01', { contact: CONTACT });
    for (let n = 0; n < 4; n++) moneybird.account.add('2026-03-02', n === 1 ? { contact: CONTACT } : {});
    const { documents } = await moneybird.list();
    expect(documents.map(({ externalId, documentType, filename }) => [externalId, documentType, filename])).toEqual([
      ['sales_invoices/300000', 'invoice', '2026-0.pdf'],
      ['external_sales_invoices/300001/900001', 'invoice', 'Beleg 1.pdf'],
      ['purchase_invoices/300002/900002', 'invoice', 'Beleg 2.pdf'],
      ['receipts/300003/900003', 'receipt', 'Beleg 3.pdf'],
      ['general_documents/300004/900004', 'document', 'Beleg 4.pdf'],
    ]);
    const amounts = { currency: 'EUR', amount: '121.00', amount_net: '100.00', amount_tax: '21.00' };
    const party = { name: 'Läden B.V.', country: 'NL', vat_id: 'NL123456789B01' };
    expect(documents[0]!.metadata).toEqual({
      ...amounts,
      number: '2026-0',
      date: '2026-03-01',
      due_date: '2026-03-01',
      amount_due: '121.00',
      order_reference: 'R-0',
      payment: { status: 'OPEN' },
      customer: party,
      source: { kind: 'accounting', modified_at: '2026-03-01T10:00:00.000Z' },
    });
    expect(documents[2]!.metadata).toMatchObject({ ...amounts, number: 'R-2', date: '2026-03-02', supplier: party });
  });

  it('are credit notes when their total is negative', async () => {
    const credit = { total_price_incl_tax: '-121.0', total_price_excl_tax: '-100.0', total_unpaid: '-121.0' };
    moneybird.account.add('2026-03-01', credit);
    const { documents } = await moneybird.list();
    expect(documents).toMatchObject([
      { documentType: 'credit_note', metadata: { amount: '121.00', amount_net: '100.00', amount_tax: '21.00' } },
    ]);
    expect(documents[0]!.metadata.amount_due).toBeUndefined();
  });

  it('are those of all years, and later those that have changed', async () => {
    const old = moneybird.account.add('2019-03-01');
    const step2 = { administration: [moneybird.account.number === 1 ? '45802635691' : ''], kinds: ['invoice'] };
    const first = await moneybird.list({ step2 });
    expect(first.documents[0]!.externalId).toBe(`sales_invoices/${old.id}`);
    const draft = moneybird.account.put({
      ...old,
      id: '7',
      record: { ...old.record, id: '7', state: 'draft', invoice_id: null, updated_at: '2019-03-01T11:00:00.000Z' },
    });
    const second = await moneybird.listFrom(first, { step2 });
    expect(second.keys).toEqual([]);
    Object.assign(draft.record, { state: 'open', invoice_id: '2019-7', updated_at: '2019-06-01T11:00:00.000Z' });
    moneybird.takeRequests();
    expect((await moneybird.listFrom(second, { step2, known: first.keys })).documents[0]!.filename).toBe('2019-7.pdf');
    const filter = 'filter=period:20000101..20991231,state:all';
    expect(moneybird.takeRequests()).toEqual([
      `GET /45802635691/sales_invoices.json?${filter},updated_after:2019-03-01T10:00:00Z&per_page=100&page=1`,
      `GET /45802635691/external_sales_invoices.json?${filter}&per_page=100&page=1`,
    ]);
  });

  it('are downloaded from another host without the token', async () => {
    const entries = Array.from({ length: 5 }, () => moneybird.account.add('2026-03-01'));
    const { documents } = await moneybird.list();
    for (const [at, { content }] of entries.entries()) {
      expect((await moneybird.read(documents[at]!)).equals(content)).toBe(true);
    }
    expect(moneybird.server.downloads).toHaveLength(5);
  });

  it('belong to the first administration of the user', async () => {
    expect(await moneybird.check()).toEqual({ id: '45802635691', display: 'Müller & Söhne' });
  });
});
