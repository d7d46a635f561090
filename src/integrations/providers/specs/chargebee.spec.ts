import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { InvalidCredentials } from '../../core/source-errors';

const chargebee = useDeclaredFake('chargebee');

/** Adds an invoice with changed members. */
const add = (day: string, changes: Readonly<Record<string, unknown>>) => {
  const entry = chargebee.account.add(day);
  Object.assign(entry.record['invoice'] as object, changes);
  return entry;
};

describe('The invoices of a Chargebee site', () => {
  it('have amounts in the smallest unit of their currency, and the days of the time zone', async () => {
    add('2026-03-01', {
      po_number: 'B-7',
      vat_number: 'DE123456789',
      billing_address: { first_name: 'Anna', last_name: 'Müller', country: 'DE', email: 'anna@example.com' },
    });
    const late = Date.parse('2026-03-02T23:30:00Z') / 1000;
    add('2026-03-02', { status: 'paid', end_date: late, paid_on: late, currency_code: 'JPY', amount: 500, tax: 0 });
    const { documents } = await chargebee.list();
    expect(documents[0]).toMatchObject({ externalId: 'INV-0', documentType: 'invoice', filename: 'INV-0.pdf' });
    expect(documents[0]!.metadata).toEqual({
      number: 'INV-0',
      date: '2026-03-01',
      currency: 'EUR',
      amount: '119.00',
      amount_net: '100.00',
      amount_tax: '19.00',
      amount_due: '119.00',
      payment: { status: 'OPEN' },
      order_reference: 'B-7',
      customer: { name: 'Anna Müller', vat_id: 'DE123456789', country: 'DE', email: 'anna@example.com' },
      source: { kind: 'portal' },
    });
    expect(documents[1]!.metadata).toMatchObject({
      date: '2026-03-03',
      amount: '500',
      payment: { status: 'PAID', date: '2026-03-03' },
    });
  });

  it('are listed by the token of the page before, and once more when they are closed', async () => {
    for (let n = 0; n < 100; n++) chargebee.account.add('2026-03-01');
    const pending = add('2026-03-02', { status: 'pending' });
    add('2026-03-02', { status: 'voided' });
    const first = await chargebee.list();
    expect(first.keys).toHaveLength(100);
    expect(chargebee.takeRequests()).toEqual(['GET /invoices?limit=100', 'GET /invoices?limit=100&offset=["INV-99"]']);
    Object.assign(pending.record['invoice'] as object, { status: 'payment_due' });
    expect((await chargebee.listFrom(first)).keys).toEqual(['INV-100']);
  });

  it('are downloaded from another host without the key, by an address that is requested just before', async () => {
    const { content } = chargebee.account.add('2026-03-01');
    const { documents } = await chargebee.list();
    chargebee.takeRequests();
    expect((await chargebee.read(documents[0]!)).equals(content)).toBe(true);
    expect(chargebee.takeRequests()).toEqual(['POST /invoices/INV-0/pdf']);
    expect(chargebee.server.downloads).toHaveLength(1);
  });

  it('belong to the site, whose address the field begins', async () => {
    expect(await chargebee.check()).toEqual({ id: 'acme-1', display: 'acme-1' });
    expect(chargebee.integration.apiBaseUrl).toBe('https://{$site}.chargebee.com/api/v1');
    const wrong = chargebee.sources.open({ fields: { site: 'acme-1', api_key: 'wrong', time_zone: 'UTC' } });
    await expect(chargebee.integration.check(wrong)).rejects.toThrow(InvalidCredentials);
  });
});
