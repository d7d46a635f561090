import { getDocumentProxy } from 'unpdf';
import { readXmlInvoice } from '../../../../documents/e-invoice/xml/read-xml-invoice';
import { readZugferd } from '../../../../documents/e-invoice/pdf/zugferd';
import { fixtureDocument, metadataOf } from '../fixture-document';
import { renderHybrid } from './render-hybrid';
import { renderUbl } from './render-ubl';

const TYPES = ['invoice', 'credit_note'] as const;

describe.each(TYPES)('the e-invoices of the sandbox: %s', (documentType) => {
  const made = (format: 'XML' | 'HYBRID') => fixtureDocument('demo', 7, '2026-11-20', { documentType, format });
  /** The metadata of the portal's list that the document itself contains. */
  const listed = (format: 'XML' | 'HYBRID') => {
    const { source: _, ...metadata } = metadataOf(made(format));
    return metadata;
  };

  it('are XRechnungen that match the list', () => {
    const xml = renderUbl(made('XML'), 1);
    expect(readXmlInvoice(xml)).toMatchObject({
      documentType,
      metadata: { ...listed('XML'), e_invoice: { format: 'XRECHNUNG', profile: 'XRECHNUNG', valid: true } },
    });
  });

  // BR-DE-1, 2, 5, 6, 7, 15, BT-34 and BT-49: the requirements of XRechnung beyond EN 16931.
  it.each([
    ['payment means', /<cac:PaymentMeans>\s*<cbc:PaymentMeansCode>58</],
    [
      "the seller's contact",
      /<cac:Contact>\s*<cbc:Name>[^<]+<\/cbc:Name>\s*<cbc:Telephone>[^<]+<\/cbc:Telephone>\s*<cbc:E/,
    ],
    ['a buyer reference', /<cbc:BuyerReference>[\w-]+</],
    ['electronic addresses', /<cbc:EndpointID schemeID="EM">[^<]+@[\s\S]+<cbc:EndpointID schemeID="EM">[^<]+@/],
  ])('name %s', (_, pattern) => {
    expect(renderUbl(made('XML'), 1).toString()).toMatch(pattern);
  });

  it('are ZUGFeRD PDFs whose XML matches the list', async () => {
    const pdf = await renderHybrid(made('HYBRID'), 1);
    expect(await readZugferd(pdf)).toMatchObject({
      documentType,
      metadata: { ...listed('HYBRID'), e_invoice: { format: 'FACTURX', profile: 'EN16931', valid: true } },
    });
  });

  it('are PDF/A-3 with embedded fonts, and describe their content in the metadata', async () => {
    const pdf = await renderHybrid(made('HYBRID'), 1);
    const text = pdf.toString('latin1');
    expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(text).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>');
    expect(text).toContain('/AFRelationship /Alternative');
    expect(text).toMatch(/\/AF \[/);
    expect(text).toContain('/FontFile2');
    expect(text).not.toContain('/BaseFont /Helvetica');
    expect((await getDocumentProxy(new Uint8Array(pdf))).numPages).toBe(1);
  });

  it('have identical bytes every time, and different bytes when rendered again', async () => {
    const [first, again, rerendered] = await Promise.all([1, 1, 2].map((n) => renderHybrid(made('HYBRID'), n)));
    expect(again!.equals(first!)).toBe(true);
    expect(rerendered!.equals(first!)).toBe(false);
  });
});
