import { readXmlInvoice } from './read-xml-invoice';
import { changed, sample, withoutVerdict } from '../../../../test/samples/e-invoices/sample';

const invoice = sample('ubl-invoice');
const creditNote = sample('ubl-credit-note');
const read = (xml: string) => withoutVerdict(readXmlInvoice(Buffer.from(xml)));

describe('a UBL invoice', () => {
  it('is read completely, with amounts in plain notation', () => {
    expect(read(invoice)).toEqual({
      documentType: 'invoice',
      metadata: {
        number: 'RE-2026-0042',
        date: '2026-11-02',
        due_date: '2026-12-02',
        amount: '1190.00',
        amount_net: '1000.00',
        amount_tax: '190.00',
        amount_due: '690.00',
        currency: 'EUR',
        service_start: '2026-10-01',
        service_end: '2026-10-31',
        supplier: {
          name: 'Mühle & Söhne GmbH',
          vat_id: 'DE123456789',
          tax_number: '257/123/45678',
          iban: 'DE89370400440532013000',
          country: 'DE',
          email: 'korn@muehle.example',
        },
        customer: { name: 'Backhaus KG', vat_id: 'ATU12345678', country: 'AT', email: 'eingang@backhaus.example' },
        order_reference: 'PO-7781',
        preceding_invoice: 'RE-2026-0017',
        payment: { status: 'PARTIAL', method: 'SEPA_CREDIT_TRANSFER' },
        e_invoice: { format: 'XRECHNUNG', profile: 'XRECHNUNG' },
      },
    });
  });

  it('has the tax in the invoice currency, in either order of the two', () => {
    const [first, second] = invoice.match(/ {2}<cac:TaxTotal>[\s\S]*?<\/cac:TaxTotal>\n/g) ?? [];
    const swapped = invoice.replace(`${first}${second}`, () => `${second}${first}`);
    expect(swapped).not.toBe(invoice);
    expect(read(swapped)).toEqual(read(invoice));
  });

  it('has a repeated tax total and its breakdown, unless the two differ', () => {
    const bare = (amount: string) =>
      `<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">${amount}</cbc:TaxAmount></cac:TaxTotal>`;
    const [, own = ''] = invoice.match(/ {2}<cac:TaxTotal>[\s\S]*?<\/cac:TaxTotal>\n/g) ?? [];
    const having = (totals: string) => read(changed(invoice, own, totals));
    for (const same of [bare('190.00') + own, own + bare('190'), own + own])
      expect(having(same)).toEqual(read(invoice));
    for (const different of [bare('190.01') + own, own + bare('0'), own + bare('190,00')]) {
      const found = having(different)?.metadata;
      expect(found).toMatchObject({ amount: '1190.00' });
      expect(found).not.toHaveProperty('amount_tax');
    }
  });

  it('omits unreadable values, keeps the readable ones and is then not valid', () => {
    let xml = changed(invoice, '>2026-11-02<', '>2026-02-30<');
    xml = changed(xml, '>1190.0000<', '>1.190,00<');
    xml = changed(xml, '>EUR<', '>Euro<');
    xml = changed(xml, 'DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 01');
    const { metadata } = read(xml) ?? { metadata: {} };
    expect(metadata).not.toHaveProperty('date');
    expect(metadata).not.toHaveProperty('amount');
    expect(metadata).not.toHaveProperty('currency');
    expect(metadata.supplier).not.toHaveProperty('iban');
    expect(metadata).toMatchObject({ number: 'RE-2026-0042', amount_due: '690.00' });
  });

  it('has only a format when it contains nothing else', () => {
    const xml = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>';
    expect(read(xml)).toEqual({ documentType: 'invoice', metadata: { e_invoice: { format: 'UBL' } } });
  });

  it('is not recognized in another namespace', () => {
    const namespace = '"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"';
    expect(read(changed(invoice, namespace, '"urn:example:invoices"'))).toBeUndefined();
  });

  it('is a credit note when its gross amount is negative, and its amounts are still positive', () => {
    const negative = invoice.replace(/(currencyID="EUR">)/g, '$1-');
    expect(read(negative)).toMatchObject({
      documentType: 'credit_note',
      metadata: { amount: '1190.00', amount_tax: '190.00', amount_due: '690.00' },
    });
  });

  it('omits a balance in favor of the payer, which is not a positive amount due', () => {
    let xml = changed(invoice, '>500.00<', '>1200.00<');
    xml = changed(xml, '>690.00<', '>-10.00<');
    const found = read(xml);
    expect(found).toMatchObject({
      documentType: 'invoice',
      metadata: { amount: '1190.00' },
    });
    expect(found?.metadata).not.toHaveProperty('amount_due');
  });

  it('is paid when the prepayment covers it', () => {
    const xml = changed(changed(invoice, '>500.00<', '>1190<'), '>690.00<', '>0<');
    expect(read(xml)?.metadata).toMatchObject({ amount_due: '0.00', payment: { status: 'PAID' } });
  });

  it('has no method when several are offered, and no status without a prepayment', () => {
    const second = '<cac:PaymentMeans><cbc:PaymentMeansCode>48</cbc:PaymentMeansCode></cac:PaymentMeans>';
    let xml = changed(invoice, '</cac:PaymentMeans>', `</cac:PaymentMeans>${second}`);
    xml = changed(xml, '<cbc:PrepaidAmount currencyID="EUR">500.00</cbc:PrepaidAmount>', '');
    expect(read(xml)?.metadata).not.toHaveProperty('payment');
  });

  it('is an invoice for every other type code of invoices, and a credit note for 81', () => {
    const types = ['384', '389', '326', '875', '876', '877', '386', '81', '325', '999'].map((code) => {
      return read(changed(invoice, '>380<', `>${code}<`))?.documentType;
    });
    expect(types).toEqual([...Array<string>(7).fill('invoice'), 'credit_note', 'document', 'invoice']);
  });

  it('is a credit note by its type code, although EN 16931 requires another root element for it', () => {
    const found = read(changed(invoice, '>380<', '>381<'));
    expect(found?.documentType).toBe('credit_note');
  });
});

describe('a UBL credit note', () => {
  it('has the day of delivery even when its period only determines when the tax becomes due', () => {
    const period = (inside: string) =>
      read(changed(creditNote, '<a:Delivery>', `<a:InvoicePeriod>${inside}</a:InvoicePeriod><a:Delivery>`))?.metadata;
    const taxPoint = '<b:DescriptionCode>35</b:DescriptionCode>';
    expect(period(taxPoint)).toEqual(read(creditNote)?.metadata);
    const started = period(`<b:StartDate>2026-10-01</b:StartDate>${taxPoint}`);
    expect(started).toMatchObject({ service_start: '2026-10-01' });
    expect(started).not.toHaveProperty('service_end');
  });

  it('is read with any prefixes, ignoring other namespaces', () => {
    expect(read(creditNote)).toEqual({
      documentType: 'credit_note',
      metadata: {
        number: 'GS-9',
        date: '2026-11-03',
        due_date: '2026-11-17',
        amount: '11.91',
        amount_net: '10.01',
        amount_tax: '1.90',
        amount_due: '11.95',
        currency: 'EUR',
        service_end: '2026-10-20',
        supplier: { name: 'Holz & Span', country: 'DE' },
        customer: { name: 'Tischlerei Nut', country: 'DE', iban: 'GB82WEST12345698765432' },
        payment: { method: 'SEPA_DIRECT_DEBIT' },
        e_invoice: { format: 'UBL', profile: 'EN16931' },
      },
    });
  });

  it('is a credit note regardless of its type code, so that it is not paid', () => {
    for (const code of ['380', '384', '325', '999']) {
      const found = read(changed(creditNote, '>381<', `>${code}<`));
      expect([code, found?.documentType]).toEqual([code, 'credit_note']);
    }
    for (const code of '81 83 261 262 296 308 381 396 420 458 502 503 532'.split(' ')) {
      const found = read(creditNote.replace('>381<', `>${code}<`));
      expect([code, found?.documentType]).toEqual([code, 'credit_note']);
    }
  });

  it('with a negative amount is an invoice', () => {
    const negative = creditNote.replace(/(currencyID="EUR">)/g, '$1-');
    expect(read(negative)).toMatchObject({
      documentType: 'invoice',
      metadata: { amount: '11.91', amount_due: '11.95' },
    });
  });
});
