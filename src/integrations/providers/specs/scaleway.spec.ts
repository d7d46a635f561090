import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const scaleway = useDeclaredFake('scaleway');

describe('The invoices of a Scaleway organization', () => {
  it('have amounts in units and billionths, and their billing period', async () => {
    const invoice = scaleway.account.add('2026-02-28', { type: 'periodic' });
    const credit = { currency_code: 'EUR', units: -3, nanos: -10_000_000 };
    scaleway.account.add('2026-03-01', { type: 'credit_note', total_taxed: credit });
    scaleway.account.add('2026-03-02', { type: 'purchase' });
    const { documents } = await scaleway.list();
    expect(documents.map(({ documentType }) => documentType)).toEqual(['invoice', 'credit_note', 'invoice']);
    expect(documents[0]).toMatchObject({ externalId: invoice.id, filename: '5000.pdf' });
    expect(documents[0]!.metadata).toEqual({
      number: '5000',
      date: '2026-02-28',
      due_date: '2026-02-28',
      service_start: '2026-02-01',
      service_end: '2026-02-28',
      currency: 'EUR',
      amount: '12.60',
      amount_net: '10.50',
      amount_tax: '2.10',
      supplier: { name: 'SCALEWAY SAS' },
      customer: { name: 'Müller & Söhne GmbH' },
      source: { kind: 'portal' },
    });
    expect(documents[1]!.metadata).toMatchObject({ amount: '3.01' });
    expect(documents[2]!.metadata.service_start).toBeUndefined();
    expect((await scaleway.read(documents[0]!)).equals(invoice.content)).toBe(true);
  });

  it('are fetched when they are final', async () => {
    const invoice = scaleway.account.add('2026-03-01', { issued_date: null });
    const first = await scaleway.list();
    expect(first.keys).toEqual([]);
    invoice.record['issued_date'] = '2026-04-02T06:00:00Z';
    expect((await scaleway.listFrom(first, { startdate: '2026-04-03' })).keys).toEqual([]);
    expect((await scaleway.listFrom(first, { startdate: '2026-04-02' })).keys).toEqual([invoice.id]);
  });

  it('belong to the organization of the form, also when it has none', async () => {
    const id = '11111111-2222-3333-4444-000000000001';
    expect(await scaleway.check()).toEqual({ id, display: id });
    scaleway.account.add('2026-03-01');
    expect(await scaleway.check()).toEqual({ id, display: 'Müller & Söhne GmbH' });
    for (let n = 0; n < 100; n++) scaleway.account.add('2026-03-01');
    scaleway.takeRequests();
    expect((await scaleway.list()).keys).toHaveLength(101);
    const list = `GET /billing/v2beta1/invoices?organization_id=${id}&order_by=start_date_asc&page_size=100`;
    expect(scaleway.takeRequests()).toEqual([`${list}&page=1`, `${list}&page=2`]);
  });
});
