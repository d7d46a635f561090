import { readFileSync } from 'node:fs';
import type { FixtureDocument } from '../fixture-document';
import { bytesOf, creationDate, startPdf, write } from '../render-pdf';
import { renderCii } from './render-cii';

/** PDF/A requires embedded fonts. */
const FONT = require.resolve('@expo-google-fonts/pt-sans/400Regular/PTSans_400Regular.ttf');
let font: Buffer | null = null;

/** The name of the XML in ZUGFeRD 2 and Factur-X. */
const NAME = 'factur-x.xml';

/**
 * The document as a ZUGFeRD PDF of the profile EN 16931: PDF/A-3b with embedded XML in UN/CEFACT CII.
 * @param rendering 1 for the original; another number changes bytes, not content.
 */
export async function renderHybrid(document: FixtureDocument, rendering: number): Promise<Buffer> {
  const created = creationDate(document, rendering);
  const pdf = await startPdf(document, rendering, { pdfVersion: '1.7', subset: 'PDF/A-3b', lang: 'de-DE' });
  pdf.font((font ??= readFileSync(FONT)));
  write(pdf, document, rendering);
  const attachment = { name: NAME, type: 'text/xml', creationDate: created, modifiedDate: created };
  pdf.file(renderCii(document), {
    ...attachment,
    description: 'Rechnung als XML',
    relationship: 'Alternative',
  } as object);
  (pdf as unknown as { appendXML(xml: string): void }).appendXML(FACTUR_X);
  return bytesOf(pdf);
}

const FX = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** The XMP properties of Factur-X and their extension schema, which PDF/A requires. */
const FACTUR_X = `
<rdf:Description rdf:about="" xmlns:fx="${FX}">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>${NAME}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
    xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>${FX}</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>
      ${property('DocumentFileName', 'name of the embedded XML invoice file')}
      ${property('DocumentType', 'INVOICE')}
      ${property('Version', 'version of the Factur-X XML schema')}
      ${property('ConformanceLevel', 'conformance level of the embedded Factur-X data')}
    </rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;

function property(name: string, description: string): string {
  return [
    '<rdf:li rdf:parseType="Resource">',
    `<pdfaProperty:name>${name}</pdfaProperty:name>`,
    '<pdfaProperty:valueType>Text</pdfaProperty:valueType>',
    '<pdfaProperty:category>external</pdfaProperty:category>',
    `<pdfaProperty:description>${description}</pdfaProperty:description>`,
    '</rdf:li>',
  ].join('');
}
