import { useSevdesk } from '../../../../test/harness/connectors/use-sevdesk';

const sevdesk = useSevdesk();

describe('The documents of a sevdesk account', () => {
  it('are its issued invoices and credit notes, with metadata', async () => {
    sevdesk.books.invoice({
      number: 'RE-1',
      date: '2026-11-02',
      status: '1000',
      paid: 119,
      more: { payDate: '2026-11-09T00:00:00+01:00' },
    });
    sevdesk.books.invoice({
      number: 'RE-2',
      status: '750',
      paid: 19,
      more: { deliveryDateUntil: '2026-11-30T00:00:00+01:00' },
    });
    const foreign = { gross: '1190.5', net: '1000', tax: '190.5' };
    const person = { id: '8', name: null, surename: 'Ærne', familyname: 'Ødegård' };
    sevdesk.books.invoice({ number: 'RE-3', currency: 'CHF', foreign, contact: person });
    sevdesk.books.invoice({ number: 'RE-4', type: 'SR', gross: '-119', net: '-100', tax: '-19', contact: null });
    sevdesk.books.creditNote({ number: 'GU/5', gross: '59.5', net: '50', tax: '9.5' });
    const draft = sevdesk.books.invoice({ status: '100' });
    sevdesk.books.invoice({ status: '50', type: 'WKR' });
    const { documents } = await sevdesk.listed();
    expect(documents.map(({ documentType, externalId }) => [documentType, externalId])).toEqual([
      ['invoice', expect.stringMatching(/^Invoice\/\d+$/)],
      ['invoice', expect.any(String)],
      ['invoice', expect.any(String)],
      ['credit_note', expect.stringMatching(/^Invoice\/\d+$/)],
      ['credit_note', expect.stringMatching(/^CreditNote\/\d+$/)],
    ]);
    const customer = { name: 'Müller & Söhne GmbH', vat_id: 'DE123456789' };
    const sums = { amount: '119.00', amount_net: '100.00', amount_tax: '19.00', currency: 'EUR' };
    const source = { kind: 'accounting', modified_at: '2026-11-02T08:30:00.000Z' };
    const dates = { date: '2026-11-02', service_start: '2026-11-02' };
    const due_date = '2026-11-16';
    expect(documents.map(({ metadata }) => metadata)).toEqual([
      {
        number: 'RE-1',
        ...dates,
        due_date,
        ...sums,
        amount_due: '0.00',
        customer,
        source,
        payment: { status: 'PAID', date: '2026-11-09' },
      },
      {
        number: 'RE-2',
        ...dates,
        due_date,
        ...sums,
        amount_due: '100.00',
        customer,
        source,
        service_end: '2026-11-30',
        payment: { status: 'PARTIAL' },
      },
      {
        number: 'RE-3',
        ...dates,
        due_date,
        currency: 'CHF',
        amount: '1190.50',
        amount_net: '1000.00',
        amount_tax: '190.50',
        customer: { name: 'Ærne Ødegård' },
        source,
        payment: { status: 'OPEN' },
      },
      { number: 'RE-4', ...dates, ...sums, source, payment: { status: 'OPEN' } },
      {
        number: 'GU/5',
        ...dates,
        ...sums,
        amount: '59.50',
        amount_net: '50.00',
        amount_tax: '9.50',
        customer,
        source,
        payment: { status: 'OPEN' },
      },
    ]);
    expect(documents[4]!.filename).toBe('GU/5.pdf');
    expect(draft.isSent).toBe(false);
  });

  it('have no sums in euros beside a foreign currency', async () => {
    const foreign = { gross: '1190.5', net: '1000', tax: '190.5' };
    const more = { sumNetForeignCurrency: null, sumTaxForeignCurrency: undefined };
    sevdesk.books.invoice({ currency: 'CHF', foreign, more });
    const [document] = (await sevdesk.listed()).documents;
    expect(document!.metadata).toMatchObject({ currency: 'CHF', amount: '1190.50' });
    for (const name of ['amount_net', 'amount_tax', 'amount_due']) expect(document!.metadata).not.toHaveProperty(name);
  });

  it.each([['0'], ['0.00'], [0], [null]])('have the amount due without a foreign sum: %p', async (none) => {
    const more = { sumGrossForeignCurrency: none, sumNetForeignCurrency: none, sumTaxForeignCurrency: none };
    sevdesk.books.invoice({ paid: 19, more });
    const [document] = (await sevdesk.listed()).documents;
    const sums = { amount: '119.00', amount_net: '100.00', amount_tax: '19.00', amount_due: '100.00' };
    expect(document!.metadata).toMatchObject(sums);
  });

  it('omit amounts that would be misinterpreted', async () => {
    sevdesk.books.invoice({ gross: '-10', net: '-10', tax: '0' });
    const [document] = (await sevdesk.listed()).documents;
    expect(document).toMatchObject({ documentType: 'invoice' });
    expect(document!.metadata).not.toHaveProperty('amount');
    expect(document!.metadata).not.toHaveProperty('amount_net');
  });

  it('are of the selected kinds, and of others after these are selected', async () => {
    const invoice = sevdesk.books.invoice();
    const cancellation = sevdesk.books.invoice({ type: 'SR', gross: '-1' });
    const note = sevdesk.books.creditNote();
    const invoices = await sevdesk.listed(sevdesk.session({ kinds: ['invoice'] }));
    expect(invoices.ids).toEqual([`Invoice/${invoice.id}`]);
    const notes = await sevdesk.listed(sevdesk.session({ kinds: ['credit_note'] }), invoices.cursor);
    expect(notes.ids).toEqual([`Invoice/${cancellation.id}`, `CreditNote/${note.id}`]);
  });

  it('are dated on or after the start date in Berlin, or were created since with an earlier date', async () => {
    sevdesk.books.invoice({ date: '2026-09-30' });
    const first = sevdesk.books.invoice({ date: '2026-10-01' });
    const late = sevdesk.books.invoice({ date: '2026-09-29', createdAt: '2026-10-01T00:30:00+02:00' });
    sevdesk.books.invoice({ date: '2026-09-29', createdAt: '2026-09-30T23:30:00+02:00' });
    const { ids } = await sevdesk.listed(sevdesk.session(), null, '2026-10-01');
    expect(ids.sort()).toEqual([first, late].map(({ id }) => `Invoice/${id}`).sort());
  });
});
