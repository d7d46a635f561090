import { readXmlInvoice } from './read-xml-invoice';
import { changed, sample, withoutVerdict } from '../../../../test/samples/e-invoices/sample';

const invoice = sample('cii-invoice');
const read = (xml: string) => withoutVerdict(readXmlInvoice(Buffer.from(xml)));

describe('a CII invoice', () => {
  it('is read completely', () => {
    expect(read(invoice)).toEqual({
      documentType: 'invoice',
      metadata: {
        number: 'F-1001',
        date: '2026-11-05',
        due_date: '2026-12-05',
        amount: '107.10',
        amount_net: '90.00',
        amount_tax: '17.10',
        amount_due: '107.10',
        currency: 'EUR',
        service_end: '2026-10-31',
        supplier: {
          name: 'Fischer Réseaux SARL',
          vat_id: 'FR11999999998',
          tax_number: '201/113/40209',
          iban: 'FR1420041010050500013M02606',
          country: 'FR',
          email: 'compta@fischer.example',
        },
        customer: { name: 'Netz AG', country: 'DE', email: 'rechnungen@netz.example' },
        order_reference: 'B-55',
        preceding_invoice: 'F-0990',
        payment: { method: 'CREDIT_TRANSFER' },
        e_invoice: { format: 'CII', profile: 'EN16931' },
      },
    });
  });

  it('is a credit note for every type code of credit notes', () => {
    for (const code of '81 83 261 262 296 308 381 396 420 458 502 503 532'.split(' ')) {
      expect([code, read(changed(invoice, '>380<', `>${code}<`))]).toMatchObject([
        code,
        { documentType: 'credit_note', metadata: { amount: '107.10' } },
      ]);
    }
  });

  it('has the tax in the invoice currency regardless of position and repetition, unless two differ', () => {
    const total = '<ram:TaxTotalAmount currencyID="EUR">17.10</ram:TaxTotalAmount>';
    const tax = (...totals: string[]) => read(changed(invoice, total, totals.join('')))?.metadata.amount_tax;
    const of = (amount: string, currency?: string) => total.replace('EUR', currency ?? 'EUR').replace('17.10', amount);
    const bare = (amount: string) => `<ram:TaxTotalAmount>${amount}</ram:TaxTotalAmount>`;
    expect(tax(total, of('425.79', 'CZK'))).toBe('17.10');
    expect(tax(of('425.79', 'CZK'), total)).toBe('17.10');
    expect(tax(total, total)).toBe('17.10');
    expect(tax(total, of('17.1'), of('425.79', 'CZK'))).toBe('17.10');
    expect(tax(bare('17.10'))).toBe('17.10');
    expect(tax(bare('17.10'), of('425.79', 'CZK'))).toBe('17.10');
    expect(tax(bare('425.79'), total)).toBe('17.10');
    for (const contradiction of [
      [total, of('17.11')],
      [bare('17.10'), bare('425.79')],
      [of('425.79', 'CZK')],
      [total, of('17,10')],
    ])
      expect(tax(...contradiction)).toBeUndefined();
  });

  it('has no type for an unknown code', () => {
    const found = read(changed(invoice, '>380<', '>4711<'));
    expect(found).not.toHaveProperty('documentType');
    expect(found?.metadata).toMatchObject({ number: 'F-1001' });
  });

  it('has no date in another format than 102, and none that does not exist', () => {
    const inMonths = changed(invoice, 'format="102">20261105<', 'format="610">202611<');
    expect(read(inMonths)?.metadata).not.toHaveProperty('date');
    const november31st = changed(invoice, '>20261105<', '>20261131<');
    expect(read(november31st)?.metadata).not.toHaveProperty('date');
    expect(read(november31st)?.metadata).toMatchObject({ due_date: '2026-12-05' });
  });

  it('has no due date when it is paid in installments', () => {
    const second =
      '<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20270105</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>';
    const xml = changed(invoice, '</ram:SpecifiedTradePaymentTerms>', `</ram:SpecifiedTradePaymentTerms>${second}`);
    expect(read(xml)?.metadata).not.toHaveProperty('due_date');
  });

  it('names XRechnung and the ZUGFeRD profiles', () => {
    const detectedType = (specification: string) =>
      read(changed(invoice, '>urn:cen.eu:en16931:2017<', `>${specification}<`))?.metadata.e_invoice;
    expect(detectedType('urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0')).toEqual({
      format: 'XRECHNUNG',
      profile: 'XRECHNUNG',
    });
    expect(detectedType('urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic')).toEqual({
      format: 'CII',
      profile: 'BASIC',
    });
    expect(detectedType('urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0')).toEqual({
      format: 'XRECHNUNG',
      profile: 'XRECHNUNG_EXTENSION',
    });
    for (const [specification, profile] of [
      ['urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended', 'EXTENDED'],
      ['urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:extended', 'EXTENDED'],
      ['urn:cen.eu:en16931:2017:compliant:factur-x.eu:1p0:extended', 'EXTENDED'],
      ['urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basicwl', 'BASIC_WL'],
      ['urn:factur-x.eu:1p0:minimum', 'MINIMUM'],
      ['urn:factur-x.eu:1p0:basicwl', 'BASIC_WL'],
      ['urn:example:house-rules', 'urn:example:house-rules'],
    ] as const) {
      expect(detectedType(specification)).toEqual({ format: 'CII', profile });
    }
  });

  it('is also read as ZUGFeRD 1.0', () => {
    expect(read(sample('zugferd-1'))).toEqual({
      documentType: 'invoice',
      metadata: {
        number: '2014-77',
        date: '2014-07-11',
        amount: '119.00',
        amount_net: '100.00',
        amount_tax: '19.00',
        currency: 'EUR',
        supplier: { name: 'Altbau GmbH' },
        customer: { name: 'Denkmal eG' },
        order_reference: 'A-12',
        e_invoice: { format: 'CII', profile: 'COMFORT' },
      },
    });
  });
});
