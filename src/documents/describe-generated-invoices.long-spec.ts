import { type Invoice, InvoiceService } from '@e-invoice-eu/core';
import { pdfWith } from '../../test/samples/e-invoices/pdf-with';
import { describeDocument } from './extraction/describe-document';
import type { Metadata } from './metadata';
import { ParserWorkerPool } from './extraction/parser-worker-pool';

/** A silent logger: the warnings would report the parts that a format omits, which is the subject of the test. */
const silent = { log: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Console;
const generator = new InvoiceService(silent);

type Parts = Partial<Invoice['ubl:Invoice']>;

const VAT = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };
const PERIOD = { 'cbc:StartDate': '2026-02-01', 'cbc:EndDate': '2026-02-28' };
const STANDARD = { 'cbc:ID': 'S', 'cbc:Percent': '19', ...VAT } as const;

/** Every part of EN 16931 that our metadata contain. */
function invoice(parts: Parts = {}): Invoice {
  return {
    'ubl:Invoice': {
      'cbc:ID': 'RE/2026-0815',
      'cbc:IssueDate': '2026-03-02',
      'cbc:DueDate': '2026-03-16',
      'cbc:InvoiceTypeCode': '380',
      'cbc:DocumentCurrencyCode': 'EUR',
      'cbc:BuyerReference': '04011000-12345-34',
      'cac:InvoicePeriod': PERIOD,
      'cac:OrderReference': { 'cbc:ID': 'PO-77' },
      'cac:BillingReference': [{ 'cac:InvoiceDocumentReference': { 'cbc:ID': 'RE/2026-0700' } }],
      'cac:AccountingSupplierParty': {
        'cac:Party': {
          'cbc:EndpointID': 'rechnung@mueller.example',
          'cbc:EndpointID@schemeID': 'EM',
          'cac:PostalAddress': {
            'cbc:StreetName': 'Hafenstraße 7',
            'cbc:CityName': 'Hamburg',
            'cbc:PostalZone': '20457',
            'cac:Country': { 'cbc:IdentificationCode': 'DE' },
          },
          'cac:PartyTaxScheme': [
            { 'cbc:CompanyID': 'DE123456788', ...VAT },
            { 'cbc:CompanyID': '22/815/08154', 'cac:TaxScheme': { 'cbc:ID': 'FC' } },
          ],
          'cac:PartyLegalEntity': { 'cbc:RegistrationName': 'Müller & Söhne <GmbH>' },
          'cac:Contact': {
            'cbc:Name': 'Erika Müller',
            'cbc:Telephone': '+49 40 1234567',
            'cbc:ElectronicMail': 'rechnung@mueller.example',
          },
        },
      },
      'cac:AccountingCustomerParty': {
        'cac:Party': {
          'cbc:EndpointID': 'eingang@beispiel.example',
          'cbc:EndpointID@schemeID': 'EM',
          'cac:PostalAddress': {
            'cbc:StreetName': 'Ring 1',
            'cbc:CityName': 'Wien',
            'cbc:PostalZone': '1010',
            'cac:Country': { 'cbc:IdentificationCode': 'AT' },
          },
          'cac:PartyTaxScheme': { 'cbc:CompanyID': 'ATU12345678', ...VAT },
          'cac:PartyLegalEntity': { 'cbc:RegistrationName': 'Beispiel AG' },
          'cac:Contact': { 'cbc:ElectronicMail': 'eingang@beispiel.example' },
        },
      },
      'cac:Delivery': { 'cbc:ActualDeliveryDate': '2026-02-28' },
      'cac:PaymentMeans': [
        { 'cbc:PaymentMeansCode': '58', 'cac:PayeeFinancialAccount': { 'cbc:ID': 'DE89370400440532013000' } },
      ],
      'cac:TaxTotal': [
        {
          'cbc:TaxAmount': '190.00',
          'cbc:TaxAmount@currencyID': 'EUR',
          'cac:TaxSubtotal': [
            {
              'cbc:TaxableAmount': '1000.00',
              'cbc:TaxableAmount@currencyID': 'EUR',
              'cbc:TaxAmount': '190.00',
              'cbc:TaxAmount@currencyID': 'EUR',
              'cac:TaxCategory': STANDARD,
            },
          ],
        },
      ],
      'cac:LegalMonetaryTotal': {
        'cbc:LineExtensionAmount': '1000.00',
        'cbc:LineExtensionAmount@currencyID': 'EUR',
        'cbc:TaxExclusiveAmount': '1000.00',
        'cbc:TaxExclusiveAmount@currencyID': 'EUR',
        'cbc:TaxInclusiveAmount': '1190.00',
        'cbc:TaxInclusiveAmount@currencyID': 'EUR',
        'cbc:PrepaidAmount': '190.00',
        'cbc:PrepaidAmount@currencyID': 'EUR',
        'cbc:PayableAmount': '1000.00',
        'cbc:PayableAmount@currencyID': 'EUR',
      },
      'cac:InvoiceLine': [
        {
          'cbc:ID': '1',
          'cbc:InvoicedQuantity': '4',
          'cbc:InvoicedQuantity@unitCode': 'HUR',
          'cbc:LineExtensionAmount': '1000.00',
          'cbc:LineExtensionAmount@currencyID': 'EUR',
          'cac:Item': { 'cbc:Name': 'Beratung', 'cac:ClassifiedTaxCategory': STANDARD },
          'cac:Price': { 'cbc:PriceAmount': '250.00', 'cbc:PriceAmount@currencyID': 'EUR' },
        },
      ],
      ...parts,
    },
  };
}

const EVERYTHING: Metadata = {
  number: 'RE/2026-0815',
  date: '2026-03-02',
  due_date: '2026-03-16',
  amount: '1190.00',
  amount_net: '1000.00',
  amount_tax: '190.00',
  amount_due: '1000.00',
  currency: 'EUR',
  service_start: '2026-02-01',
  service_end: '2026-02-28',
  supplier: {
    name: 'Müller & Söhne <GmbH>',
    vat_id: 'DE123456788',
    tax_number: '22/815/08154',
    iban: 'DE89370400440532013000',
    country: 'DE',
    email: 'rechnung@mueller.example',
  },
  customer: { name: 'Beispiel AG', vat_id: 'ATU12345678', country: 'AT', email: 'eingang@beispiel.example' },
  order_reference: 'PO-77',
  preceding_invoice: 'RE/2026-0700',
  payment: { status: 'PARTIAL', method: 'SEPA_CREDIT_TRANSFER' },
};

/** Fields that this program omits although they are given: BT-25 in CII, BT-13 in one of its profiles. */
const NEVER_WRITTEN: Readonly<Record<string, readonly (keyof Metadata)[]>> = {
  CII: ['preceding_invoice'],
  'XRECHNUNG-CII': ['preceding_invoice'],
  'Factur-X-EN16931': ['preceding_invoice', 'order_reference'],
  'Factur-X-Extended': ['preceding_invoice'],
  'Factur-X-XRechnung': ['preceding_invoice'],
};

describe('an invoice of another program', () => {
  const threads = new ParserWorkerPool(1, 30_000);
  afterAll(() => threads.close());

  const verdict = { valid: true, errors: 0, warnings: 0 };
  const valid = { ...verdict, ruleset: { name: 'EN 16931', version: 'CEN 1.3.16' } };
  const german = { ...verdict, ruleset: { name: 'XRechnung', version: 'KoSIT 2.5.0, CEN 1.3.16' } };

  async function described(data: Invoice, format: string) {
    const buffer = await pdfWith({});
    const pdf = { buffer, filename: 'rechnung.pdf', mimetype: 'application/pdf' };
    const options = { format, lang: 'de-de', noWarnings: true, ...(format.startsWith('Factur') && { pdf }) };
    const made = await generator.generate(data, options);
    const bytes = Buffer.from(made);
    const whole = () => Promise.resolve(bytes);
    const head = bytes.subarray(0, 4096);
    return describeDocument({ head, size: bytes.length, filename: 'r', marked: true, readsText: true, whole }, threads);
  }

  it.each([
    ['UBL', 'application/xml', { format: 'UBL', profile: 'EN16931', ...valid }],
    ['CII', 'application/xml', { format: 'CII', profile: 'EN16931', ...valid }],
    ['XRECHNUNG-UBL', 'application/xml', { format: 'XRECHNUNG', profile: 'XRECHNUNG', ...german }],
    ['XRECHNUNG-CII', 'application/xml', { format: 'XRECHNUNG', profile: 'XRECHNUNG', ...german }],
    ['Factur-X-EN16931', 'application/pdf', { format: 'FACTURX', profile: 'EN16931', ...valid }],
    ['Factur-X-Extended', 'application/pdf', { format: 'FACTURX', profile: 'EXTENDED' }],
    ['Factur-X-XRechnung', 'application/pdf', { format: 'ZUGFERD', profile: 'XRECHNUNG', ...german }],
  ] as const)('in %s is described completely', async (format, mimeType, e_invoice) => {
    const expected: Metadata = { ...EVERYTHING, e_invoice };
    for (const key of NEVER_WRITTEN[format] ?? []) delete expected[key];
    expect(await described(invoice(), format)).toEqual({
      mimeType,
      documentType: 'invoice',
      metadata: expected,
      from: 'E_INVOICE',
      ...('ruleset' in e_invoice && {
        validation: { ruleset: e_invoice.ruleset, errors: 0, warnings: 0, findings: [] },
      }),
    });
  });

  it.each(['BASIC', 'BASIC_WL', 'MINIMUM'])(
    'in the profile %s is described with the available fields',
    async (profile) => {
      const format = `Factur-X-${profile.replace('_', '-')}`;
      const { documentType, metadata } = await described(invoice(), format);
      expect(documentType).toBe('invoice');
      expect(metadata).toMatchObject({
        number: 'RE/2026-0815',
        date: '2026-03-02',
        amount: '1190.00',
        amount_net: '1000.00',
        amount_tax: '190.00',
        amount_due: '1000.00',
        currency: 'EUR',
        supplier: { name: 'Müller & Söhne <GmbH>', vat_id: 'DE123456788', country: 'DE' },
        customer: { name: 'Beispiel AG' },
        e_invoice: { format: 'FACTURX', profile },
      });
    },
  );

  it.each([
    ['381', 'credit_note'],
    ['384', 'invoice'],
    ['389', 'invoice'],
    ['326', 'invoice'],
    ['875', 'invoice'],
  ] as const)('of the type %s is a(n) %s', async (code, documentType) => {
    for (const format of ['UBL', 'CII', 'Factur-X-EN16931']) {
      const found = await described(invoice({ 'cbc:InvoiceTypeCode': code }), format);
      expect([format, found.documentType]).toEqual([format, documentType]);
      expect(found.metadata.amount).toBe('1190.00');
    }
  });

  it('with wrong sums is described and marked as not valid', async () => {
    const totals = { ...invoice()['ubl:Invoice']['cac:LegalMonetaryTotal'], 'cbc:TaxInclusiveAmount': '1191.00' };
    for (const format of ['UBL', 'CII', 'Factur-X-EN16931']) {
      const { metadata } = await described(invoice({ 'cac:LegalMonetaryTotal': totals }), format);
      expect(metadata).toMatchObject({ amount: '1191.00', e_invoice: { valid: false } });
    }
  });
});
