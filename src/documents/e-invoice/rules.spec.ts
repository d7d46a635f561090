import { readXmlInvoice } from './xml/read-xml-invoice';
import { changed, sample } from '../../../test/samples/e-invoices/sample';

const ubl = sample('ubl-invoice');
const cii = sample('cii-invoice');
const valid = (xml: string) => readXmlInvoice(Buffer.from(xml))?.metadata.e_invoice?.valid;

describe('the rules of EN 16931 that make an invoice valid', () => {
  it.each<[rule: string, part: string, replacement: string]>([
    [
      'BR-01',
      '<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>',
      '',
    ],
    ['BR-02', '<cbc:ID>RE-2026-0042</cbc:ID>', '<cbc:ID> </cbc:ID>'],
    ['BR-03', '<cbc:IssueDate>2026-11-02</cbc:IssueDate>', ''],
    ['BR-04', '<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>', ''],
    ['BR-CL-01', '>380<', '>38<'],
    ['BR-05', '<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>', ''],
    ['BR-06', '<cbc:RegistrationName>Mühle &amp; Söhne GmbH</cbc:RegistrationName>', ''],
    ['BR-07', '<cbc:RegistrationName>Backhaus KG</cbc:RegistrationName>', ''],
    ['BR-09', '<cbc:IdentificationCode>DE</cbc:IdentificationCode>', ''],
    ['BR-11', '<cbc:IdentificationCode>AT</cbc:IdentificationCode>', ''],
    ['BR-12', '<cbc:LineExtensionAmount currencyID="EUR">1010.00</cbc:LineExtensionAmount>', ''],
    ['BR-13', '<cbc:TaxExclusiveAmount currencyID="EUR">1000.0</cbc:TaxExclusiveAmount>', ''],
    ['BR-14', '<cbc:TaxInclusiveAmount currencyID="EUR">1190.0000</cbc:TaxInclusiveAmount>', ''],
    ['BR-15', '<cbc:PayableAmount currencyID="EUR">690.00</cbc:PayableAmount>', ''],
    [
      'BR-CO-10',
      '<cbc:LineExtensionAmount currencyID="EUR">10.00<',
      '<cbc:LineExtensionAmount currencyID="EUR">10.01<',
    ],
    ['BR-CO-11', '<cbc:Amount currencyID="EUR">10.00<', '<cbc:Amount currencyID="EUR">9.99<'],
    ['BR-CO-13', '>1000.0<', '>1000.01<'],
    ['BR-CO-14', '<cbc:TaxAmount currencyID="EUR">190.00<', '<cbc:TaxAmount currencyID="EUR">189.99<'],
    ['BR-CO-15', '>1190.0000<', '>1190.0001<'],
    ['BR-CO-16', '>690.00<', '>690.01<'],
    ['BR-CO-16, prepaid', '>500.00<', '>five hundred<'],
  ])('%s is checked', (_rule, part, replacement) => {
    expect(valid(ubl)).toBe(true);
    expect(valid(changed(ubl, part, replacement))).toBe(false);
  });

  it('a country has two letters, or is 1A for Kosovo (BR-CL-14)', () => {
    const country = (code: string) => changed(ubl, '<cbc:IdentificationCode>DE<', `<cbc:IdentificationCode>${code}<`);
    expect(['1A', 'XI', 'D', '49', 'DEU', 'de'].map((code) => valid(country(code)))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    const kosovar = changed(country('1A'), '>DE 123456789<', '>1A 123456789<');
    const supplier = readXmlInvoice(Buffer.from(kosovar))?.metadata.supplier;
    expect(supplier).toMatchObject({ vat_id: '1A123456789' });
    expect(supplier).not.toHaveProperty('country'); // not a code of ISO 3166
  });

  it('BR-16 and BR-CO-18: a line and a VAT breakdown are required', () => {
    expect(valid(ubl.replace(/<cac:InvoiceLine>[\s\S]*<\/cac:InvoiceLine>/, ''))).toBe(false);
    expect(valid(ubl.replace(/<cac:TaxSubtotal>[\s\S]*<\/cac:TaxSubtotal>/, ''))).toBe(false);
  });

  it('BR-CO-12: charges add up', () => {
    expect(valid(cii)).toBe(true);
    expect(valid(changed(cii, '<ram:ActualAmount>10.00<', '<ram:ActualAmount>10.50<'))).toBe(false);
  });

  it('a CII invoice without tax may omit the total, a UBL one may not', () => {
    let free = changed(cii, '<ram:CalculatedAmount>17.10<', '<ram:CalculatedAmount>0<');
    free = changed(free, '<ram:TaxTotalAmount currencyID="EUR">17.10</ram:TaxTotalAmount>', '');
    free = changed(free, '<ram:GrandTotalAmount>107.10<', '<ram:GrandTotalAmount>90<');
    free = changed(free, '<ram:DuePayableAmount>107.10<', '<ram:DuePayableAmount>90<');
    expect(valid(free)).toBe(true);
    expect(valid(changed(ubl, '<cbc:TaxAmount currencyID="EUR">190</cbc:TaxAmount>', ''))).toBe(false);
  });

  it('sums of fractions of cents are compared after rounding half up', () => {
    const lines = (first: string, second: string) =>
      changed(
        changed(
          ubl,
          'currencyID="EUR">1000.00</cbc:LineExtensionAmount>',
          `currencyID="EUR">${first}</cbc:LineExtensionAmount>`,
        ),
        '<cbc:LineExtensionAmount currencyID="EUR">10.00<',
        `<cbc:LineExtensionAmount currencyID="EUR">${second}<`,
      );
    expect(valid(lines('999.998', '9.997'))).toBe(true); // 1009.995
    expect(valid(lines('999.998', '9.9969'))).toBe(false); // 1009.9949
    expect(valid(lines('1000.002', '10.002'))).toBe(true); // 1010.004
    expect(valid(lines('1000.002', '10.003'))).toBe(false); // 1010.005
  });
});
