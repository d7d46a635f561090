import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { ciiElement } from './cii-invoice';
import { invoiceData, type InvoiceSpec } from './invoice-data';
import { drawInvoice } from './invoice-page';
import { ublElement } from './ubl-invoice';
import { xmlDocument } from './xml-element';

export const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';
export const EN16931 = 'urn:cen.eu:en16931:2017';
const PEPPOL_BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

/** A one-page invoice or credit note as PDF 1.7. Identical bytes for identical input. */
export function pdfInvoice(spec: InvoiceSpec = {}): Promise<Buffer> {
  return pdf(spec);
}

/** An XRechnung 3.0 in UBL, UTF-8. */
export function ublInvoice(spec: InvoiceSpec = {}): Buffer {
  return xmlDocument(ublElement(invoiceData(spec), XRECHNUNG, PEPPOL_BILLING));
}

/** An XRechnung 3.0 in CII, UTF-8. */
export function ciiInvoice(spec: InvoiceSpec = {}): Buffer {
  return xmlDocument(ciiElement(invoiceData(spec), XRECHNUNG, PEPPOL_BILLING));
}

/**
 * The PDF of `pdfInvoice` with its data as an embedded `factur-x.xml` (ZUGFeRD 2, profile EN 16931) and the XMP that declares
 * it. It does not claim to be PDF/A-3: the standard fonts are not embedded.
 */
export function zugferdInvoice(spec: InvoiceSpec = {}): Promise<Buffer> {
  return pdf(spec, xmlDocument(ciiElement(invoiceData(spec), EN16931)));
}

async function pdf(spec: InvoiceSpec, xml?: Buffer): Promise<Buffer> {
  const invoice = invoiceData(spec);
  const date = new Date(`${invoice.date}T08:00:00Z`);
  const title = `${invoice.type === 381 ? 'Gutschrift' : 'Rechnung'} ${invoice.number.replace(/[^\w ./-]/g, '_')}`;
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: 'de',
    info: {
      Title: title,
      CreationDate: date,
      ModDate: date,
      Producer: 'Docfetch samples',
      Creator: 'Docfetch samples',
    },
  });
  const bytes = buffer(document);
  drawInvoice(document, invoice);
  if (xml) {
    const attachment = {
      name: 'factur-x.xml',
      type: 'text/xml',
      description: 'Factur-X/ZUGFeRD invoice data',
      relationship: 'Alternative',
      creationDate: date,
      modifiedDate: date,
    };
    document.file(xml, attachment);
    document.appendXML(FACTURX_XMP);
  }
  document.end();
  return bytes;
}

/** ZUGFeRD 2.3, 6.2.2: the properties of the embedded file and their description. */
const FACTURX_XMP = `
<rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>`;

/** A real PNG of 24 × 24 points: a white chevron on blue, for inline logos. */
export function logoPng(): Buffer {
  const size = 24;
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size * 3);
    for (let x = 0; x < size; x++) {
      const chevron = Math.abs(Math.abs(x - 11.5) - (y - 5)) < 2 && y < 18;
      row.set(chevron ? [255, 255, 255] : [31, 95, 191], 1 + x * 3);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Eight bits per channel, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
