import { ciiInvoice, pdfInvoice, ublInvoice, zugferdInvoice } from '../../test/builders/invoice-documents';
import { invoiceData, type InvoiceSpec } from '../../test/builders/invoice-data';
import { describeDocument } from './extraction/describe-document';
import type { Metadata } from './metadata';
import { ParserWorkerPool } from './extraction/parser-worker-pool';

const inEuros = (hundredths: number) => (hundredths / 100).toFixed(2);

/** The expected metadata of an invoice built from these values. */
function expected(spec: InvoiceSpec, e_invoice: Metadata['e_invoice']): Metadata {
  const { supplier, customer, ...invoice } = invoiceData(spec);
  return {
    number: invoice.number,
    date: invoice.date,
    due_date: invoice.dueDate,
    amount: inEuros(invoice.gross),
    amount_net: inEuros(invoice.net),
    amount_tax: inEuros(invoice.tax),
    amount_due: inEuros(invoice.gross),
    currency: invoice.currency,
    service_start: invoice.servicePeriod.start,
    service_end: invoice.servicePeriod.end,
    supplier: {
      name: supplier.name,
      vat_id: supplier.vatId,
      tax_number: supplier.taxNumber,
      iban: supplier.iban,
      country: supplier.country,
      email: supplier.email,
    },
    customer: { name: customer.name, vat_id: customer.vatId, country: customer.country, email: customer.email },
    ...(invoice.orderReference && { order_reference: invoice.orderReference }),
    ...(invoice.precedingInvoice && { preceding_invoice: invoice.precedingInvoice }),
    payment: { method: 'SEPA_CREDIT_TRANSFER' },
    e_invoice,
  };
}

/** What the text of its PDF proves: a number with spaces and a name with unusual characters may be something else. */
function provenByText(spec: InvoiceSpec): Metadata {
  const { supplier, ...all } = expected(spec, undefined);
  const { number, date, due_date, amount, amount_net, amount_tax, currency } = all;
  const { name, vat_id, iban } = supplier!;
  const proven = {
    ...(!number!.includes(' ') && { number }),
    supplier: { ...(!/["<>]/.test(name!) && { name }), vat_id, iban },
  };
  return { ...proven, date, due_date, amount, amount_net, amount_tax, currency };
}

const VERDICT = { ruleset: { name: 'EN 16931', version: 'CEN 1.3.16' }, errors: 0, warnings: 0 };
const GERMAN_VERDICT = { ...VERDICT, ruleset: { name: 'XRechnung', version: 'KoSIT 2.5.0, CEN 1.3.16' } };

describe('a built invoice is described completely', () => {
  const threads = new ParserWorkerPool(1, 30_000);
  afterAll(() => threads.close());

  const describeBytes = (bytes: Buffer) => {
    const whole = () => Promise.resolve(bytes);
    const head = bytes.subarray(0, 4096);
    return describeDocument({ head, size: bytes.length, filename: 'x', marked: true, readsText: true, whole }, threads);
  };

  it.each<[what: string, spec: InvoiceSpec]>([
    ['an invoice', { orderReference: 'PO-1', supplier: 'Ä & "Ö" <Ü> GmbH', amount: '0.03' }],
    ['a credit note', { type: 381, number: 'GS/2026 7', precedingInvoice: 'R-1', currency: 'CHF', amount: '99999.99' }],
    [
      'an invoice with several rates',
      {
        lines: [
          { name: 'Buch', quantity: 3, unitPrice: 9.99, vatRate: 7 },
          { name: 'Stunde', quantity: 1.25, unitPrice: 80.5, vatRate: 19 },
          { name: 'Ausfuhr', quantity: 1, unitPrice: 100, vatRate: 0 },
        ],
      },
    ],
  ])('%s', async (_what, spec) => {
    const documentType = spec.type === 381 ? 'credit_note' : 'invoice';
    const xrechnung = expected(spec, { format: 'XRECHNUNG', profile: 'XRECHNUNG', valid: true, ...GERMAN_VERDICT });
    expect(await describeBytes(ublInvoice(spec))).toEqual({
      mimeType: 'application/xml',
      documentType,
      metadata: xrechnung,
      from: 'E_INVOICE',
      validation: { ...GERMAN_VERDICT, findings: [] },
    });
    expect(await describeBytes(ciiInvoice(spec))).toEqual({
      mimeType: 'application/xml',
      documentType,
      metadata: xrechnung,
      from: 'E_INVOICE',
      validation: { ...GERMAN_VERDICT, findings: [] },
    });
    expect(await describeBytes(await zugferdInvoice(spec))).toEqual({
      mimeType: 'application/pdf',
      documentType,
      metadata: expected(spec, { format: 'FACTURX', profile: 'EN16931', valid: true, ...VERDICT }),
      from: 'E_INVOICE',
      validation: { ...VERDICT, findings: [] },
    });
    expect(await describeBytes(await pdfInvoice(spec))).toEqual({
      mimeType: 'application/pdf',
      documentType,
      metadata: provenByText(spec),
      from: 'TEXT',
    });
  });
});
