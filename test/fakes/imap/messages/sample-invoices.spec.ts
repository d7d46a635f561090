import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { extractText, getDocumentProxy } from 'unpdf';
import {
  EN16931,
  XRECHNUNG,
  ciiInvoice,
  logoPng,
  pdfInvoice,
  ublInvoice,
  zugferdInvoice,
} from '../../../builders/invoice-documents';
import { decimal, invoiceData, type InvoiceSpec } from '../../../builders/invoice-data';

type Tree = { readonly [key: string]: Tree };

function parse(xml: Buffer): Tree {
  expect(XMLValidator.validate(xml.toString())).toBe(true);
  const parser = new XMLParser({ removeNSPrefix: true, parseTagValue: false, isArray: (name) => LISTS.includes(name) });
  return parser.parse(xml.toString()) as Tree;
}

const LISTS = [
  'InvoiceLine',
  'CreditNoteLine',
  'IncludedSupplyChainTradeLineItem',
  'TaxSubtotal',
  'ApplicableTradeTax',
];
const list = (tree: Tree | undefined) => tree as unknown as readonly Tree[];
const hundredths = (value: unknown): number => {
  const text = typeof value === 'object' ? (value as { '#text': string })['#text'] : (value as string);
  expect(text).toMatch(/^\d+\.\d\d$/);
  return Math.round(Number(text) * 100);
};
const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

const MIXED: InvoiceSpec = {
  number: 'R-2026-4711',
  orderReference: 'PO-77',
  lines: [
    { name: 'Beratung <vor Ort> & "mehr"', quantity: 12.5, unitPrice: 95, vatRate: 19 },
    { name: 'Fachbuch', quantity: 3, unitPrice: 39.9, vatRate: 7 },
    { name: 'Auslagen', quantity: 1, unitPrice: 20, vatRate: 0 },
  ],
};
const CREDIT: InvoiceSpec = { type: 381, number: 'G-1', amount: '1234.57', precedingInvoice: 'R-2026-4711' };

describe('sample invoices', () => {
  it.each([
    ['an invoice of three tax rates', MIXED, '1561.21'],
    ['a credit note', CREDIT, '1234.57'],
    ['an invoice over one cent', { amount: '0.01' }, '0.01'],
  ] as const)('have consistent sums in both syntaxes: %s', (_, spec, gross) => {
    const root = spec === CREDIT ? 'CreditNote' : 'Invoice';
    const ubl = parse(ublInvoice(spec))[root]!;
    const totals = ubl.LegalMonetaryTotal!;
    const lines = list(ubl[`${root}Line`]).map((line) => hundredths(line.LineExtensionAmount));
    const taxes = list(ubl.TaxTotal!.TaxSubtotal);
    const tax = total(taxes.map(({ TaxAmount }) => hundredths(TaxAmount)));
    expect(hundredths(totals.LineExtensionAmount)).toBe(total(lines));
    expect(total(taxes.map(({ TaxableAmount }) => hundredths(TaxableAmount)))).toBe(total(lines));
    expect(hundredths(ubl.TaxTotal!.TaxAmount)).toBe(tax);
    expect(hundredths(totals.TaxInclusiveAmount)).toBe(total(lines) + tax);
    expect(hundredths(totals.PayableAmount)).toBe(Math.round(Number(gross) * 100));
    for (const { TaxableAmount, TaxAmount, TaxCategory } of taxes) {
      const rate = Number(TaxCategory!.Percent);
      expect(hundredths(TaxAmount)).toBe(Math.round((hundredths(TaxableAmount) * rate) / 100));
    }
    const cii = parse(ciiInvoice(spec)).CrossIndustryInvoice!.SupplyChainTradeTransaction!;
    const { ApplicableHeaderTradeSettlement: settlement, IncludedSupplyChainTradeLineItem: items } = cii;
    const sums = settlement!.SpecifiedTradeSettlementHeaderMonetarySummation!;
    const itemTotals = list(items).map(
      (item) => item.SpecifiedLineTradeSettlement!.SpecifiedTradeSettlementLineMonetarySummation!.LineTotalAmount,
    );
    expect(itemTotals.map(hundredths)).toEqual(lines);
    expect(hundredths(sums.LineTotalAmount)).toBe(total(lines));
    expect(hundredths(sums.TaxTotalAmount)).toBe(tax);
    const ciiTaxes = list(settlement!.ApplicableTradeTax);
    expect(total(ciiTaxes.map(({ CalculatedAmount }) => hundredths(CalculatedAmount)))).toBe(tax);
    expect(hundredths(sums.GrandTotalAmount)).toBe(hundredths(totals.TaxInclusiveAmount));
    expect(hundredths(sums.DuePayableAmount)).toBe(hundredths(totals.PayableAmount));
  });

  it('have every requested gross amount', () => {
    for (let gross = 1; gross <= 3000; gross++) {
      const invoice = invoiceData({ amount: decimal(gross) });
      expect(invoice.gross).toBe(gross);
      expect(invoice.lines.every(({ net }) => net > 0)).toBe(true);
    }
    expect(() => invoiceData({ amount: '12' })).toThrow('two decimals');
  });

  it('contain the customization, type, number, parties and references', () => {
    const ubl = parse(ublInvoice(MIXED)).Invoice!;
    expect(ubl).toMatchObject({
      CustomizationID: XRECHNUNG,
      ID: 'R-2026-4711',
      IssueDate: '2026-03-02',
      DueDate: '2026-03-16',
    });
    expect(ubl).toMatchObject({ InvoiceTypeCode: '380', DocumentCurrencyCode: 'EUR', OrderReference: { ID: 'PO-77' } });
    const credit = parse(ublInvoice({ ...CREDIT, supplier: 'A & B', currency: 'CHF' })).CreditNote!;
    expect(credit).toMatchObject({ CreditNoteTypeCode: '381', DocumentCurrencyCode: 'CHF' });
    expect(credit.BillingReference).toEqual({ InvoiceDocumentReference: { ID: 'R-2026-4711' } });
    expect(credit.AccountingSupplierParty!.Party!.PartyLegalEntity).toEqual({ RegistrationName: 'A & B' });
    const cii = parse(ciiInvoice(CREDIT)).CrossIndustryInvoice!;
    expect(cii.ExchangedDocument).toMatchObject({ ID: 'G-1', TypeCode: '381' });
    expect(cii.ExchangedDocumentContext!.GuidelineSpecifiedDocumentContextParameter).toEqual({ ID: XRECHNUNG });
  });

  it('are PDFs of one page with their data as text, identical on every build', async () => {
    const pdf = await pdfInvoice({ ...MIXED, customer: { name: 'Käufer KG' } });
    expect(pdf.equals(await pdfInvoice({ ...MIXED, customer: { name: 'Käufer KG' } }))).toBe(true);
    const { totalPages, text } = await extractText(new Uint8Array(pdf), { mergePages: true });
    expect(totalPages).toBe(1);
    for (const words of ['R-2026-4711', '02.03.2026', '1.561,21 EUR', 'Müller & Söhne GmbH', 'Käufer KG', 'Rechnung']) {
      expect(text).toContain(words);
    }
  });

  it('embed the invoice data in a ZUGFeRD PDF as an alternative and declare it in the XMP', async () => {
    const pdf = await zugferdInvoice(CREDIT);
    expect(pdf.equals(await zugferdInvoice(CREDIT))).toBe(true);
    const proxy = await getDocumentProxy(new Uint8Array(pdf));
    const attachments = [...((await proxy.getAttachments()) ?? [])];
    expect(attachments.map(([, { filename }]) => filename)).toEqual(['factur-x.xml']);
    const xml = Buffer.from((await proxy.getAttachmentContent(attachments[0]![0]))!);
    expect(xml.toString()).toBe(
      ciiInvoice(CREDIT).toString().replace(XRECHNUNG, EN16931).replace(BUSINESS_PROCESS, ''),
    );
    expect(pdf.toString('latin1')).toMatch(/AFRelationship \/Alternative/);
    expect(pdf.toString('latin1')).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>');
  });

  it('have a PNG logo', () => {
    const png = logoPng();
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.subarray(-8, -4).toString()).toBe('IEND');
    expect(png.readUInt32BE(16)).toBe(24);
  });
});

const BUSINESS_PROCESS = /\s*<ram:BusinessProcess[^]*?<\/ram:BusinessProcess[^>]*>/;
