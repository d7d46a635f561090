import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changed } from '../sample';
import { PEPPOL_VARIANTS } from './peppol-variants';

const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';
const EXTENSION = `${XRECHNUNG}#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0`;
const CLEAN_VEHICLES = `${XRECHNUNG}#compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9`;

const SUB_LINE = `<cac:SubInvoiceLine><cbc:ID>1.1</cbc:ID><cbc:InvoicedQuantity unitCode="HUR">2</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="EUR">200.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Mahlarbeit</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID="EUR">100.00</cbc:PriceAmount></cac:Price></cac:SubInvoiceLine>`;
const PREPAID = `<cac:PrepaidPayment><cbc:ID>F-1</cbc:ID><cbc:PaidAmount currencyID="EUR">19.00</cbc:PaidAmount><cbc:InstructionID>Fremde Forderung</cbc:InstructionID></cac:PrepaidPayment>`;
const END_OF_LINE = '</cac:InvoiceLine>\n  <cac:InvoiceLine>\n    <cbc:ID>2</cbc:ID>';

/** A sample with other content for a profile: its sample, its specification identifier and the replaced parts. */
const VARIANTS: Readonly<
  Record<string, [sample: string, specification: string, ...parts: (readonly [string, string])[]]>
> = {
  ...PEPPOL_VARIANTS,
  'ubl-full': ['ubl-full', ''],
  'cii-full': ['cii-full', ''],
  'ubl-xrechnung': ['ubl-full', XRECHNUNG],
  'cii-xrechnung': ['cii-full', XRECHNUNG],
  'ubl-extension': [
    'ubl-full',
    EXTENSION,
    ['<cac:LegalMonetaryTotal>', `${PREPAID}<cac:LegalMonetaryTotal>`],
    ['>301.00<', '>320.00<'],
    ['<cbc:ID schemeID="0160">', '<cbc:ID schemeID="XR01">'],
    ['mimeCode="text/csv"', 'mimeCode="application/xml"'],
    [END_OF_LINE, `${SUB_LINE}${END_OF_LINE}`],
  ],
  'cii-basic-wl': ['cii-full', 'urn:factur-x.eu:1p0:basicwl'],
  'cii-minimum': ['cii-full', 'urn:factur-x.eu:1p0:minimum'],
  'cii-vehicles': [
    'cii-full',
    CLEAN_VEHICLES,
    [
      '<ram:Description>Feinheit</ram:Description><ram:Value>405<',
      '<ram:Description>cva</ram:Description><ram:Value>clean<',
    ],
    ['<ram:ClassCode listID="STI" listVersionID="1">12345<', '<ram:ClassCode listID="CVD">M1<'],
  ],
};

const LINES = /<ram:IncludedSupplyChainTradeLineItem>[^]*<\/ram:IncludedSupplyChainTradeLineItem>/;

/** The text and the specification identifier of a variant; the identifier is undefined for the rules of EN 16931 alone. */
export function variant(name: string): { xml: string; specification: string | undefined } {
  const [sample, specification, ...parts] = VARIANTS[name]!;
  let xml = readFileSync(join(__dirname, `${sample}.xml`), 'utf8');
  for (const [part, replacement] of parts) xml = changed(xml, part, replacement);
  if (specification && specification !== XRECHNUNG) xml = xml.replace(`>${XRECHNUNG}<`, () => `>${specification}<`);
  if (specification.startsWith('urn:factur-x.eu')) xml = xml.replace(LINES, '');
  return { xml, specification: specification || undefined };
}
