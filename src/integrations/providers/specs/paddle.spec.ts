import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const paddle = useDeclaredFake('paddle');
const INVOICES = { kinds: ['invoice'] };

describe('The documents of a Paddle account', () => {
  it('are invoices and credit notes, with amounts in the smallest unit of their currency', async () => {
    const invoice = paddle.account.add('2026-03-01', {
      billing_details: { payment_terms: { interval: 'day', frequency: 14 }, purchase_order_number: 'B-7' },
      billing_period: { starts_at: '2026-03-01T00:00:00Z', ends_at: '2026-03-31T00:00:00Z' },
      business: { name: 'Läden GmbH', tax_identifier: 'DE123456789' },
      customer: { name: 'Anna', email: 'anna@example.com' },
      address: { country_code: 'DE' },
    });
    paddle.account.add('2026-03-02');
    const totals = { subtotal: '500', tax: '0', total: '500', balance: '500' };
    const manual = { collection_mode: 'manual', status: 'billed', currency_code: 'JPY', details: { totals } };
    paddle.account.add('2026-03-03', manual);
    const { documents } = await paddle.list();
    expect(documents.map(({ documentType }) => documentType)).toEqual(['invoice', 'invoice', 'credit_note']);
    expect(documents[0]).toMatchObject({ externalId: invoice.id, filename: '123-0.pdf' });
    expect(documents[0]!.metadata).toEqual({
      number: '123-0',
      date: '2026-03-01',
      service_start: '2026-03-01',
      service_end: '2026-03-31',
      currency: 'EUR',
      amount: '119.00',
      amount_net: '100.00',
      amount_tax: '19.00',
      amount_due: '0.00',
      payment: { status: 'PAID' },
      order_reference: 'B-7',
      customer: { name: 'Läden GmbH', vat_id: 'DE123456789', country: 'DE', email: 'anna@example.com' },
      source: { kind: 'portal', modified_at: '2026-03-01T10:00:00.000Z' },
    });
    expect(documents[1]!.metadata).toMatchObject({ currency: 'JPY', amount: '500', payment: { status: 'OPEN' } });
    expect(documents[2]!.metadata).toMatchObject({ amount: '11.90', amount_net: '10.00', amount_tax: '1.90' });
    expect((await paddle.read(documents[0]!)).equals(invoice.content)).toBe(true);
    expect(paddle.server.downloads).toHaveLength(1);
  });

  it('are later those that have changed: paid ones, and once more those whose customer was corrected', async () => {
    const open = paddle.account.add('2026-03-01', { status: 'billed' });
    paddle.account.add('2026-03-01'); // an adjustment, of a kind that is not selected
    const other = paddle.account.add('2026-03-02');
    const first = await paddle.list({ step2: INVOICES });
    expect(first.keys).toEqual([other.id]);
    Object.assign(open.record, { status: 'completed', updated_at: '2026-03-05T10:00:00Z' });
    Object.assign(other.record, { revised_at: '2026-03-06T10:00:00Z', updated_at: '2026-03-06T10:00:00Z' });
    paddle.takeRequests();
    const second = await paddle.listFrom(first, { step2: INVOICES });
    expect(second.keys).toEqual([open.id, `${other.id}@2026-03-06T10:00:00Z`]);
    expect(second.documents.every(({ isSameByContent }) => isSameByContent)).toBe(true);
    expect(paddle.takeRequests()).toEqual([
      'GET /transactions?status=billed,completed&updated_at[GTE]=2026-03-02T09:50:00Z&order_by=updated_at[ASC]&include=customer,address,business&per_page=30',
    ]);
  });

  it('belong to the account of the first transaction', async () => {
    const first = paddle.account.add('2026-03-01');
    paddle.account.add('2026-03-02');
    expect(await paddle.check()).toEqual({ id: first.id, display: 'Paddle' });
    paddle.account.add('2026-03-03');
    expect(await paddle.check()).toMatchObject({ id: first.id });
  });
});
