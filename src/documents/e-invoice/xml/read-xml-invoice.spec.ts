import { changed, sample } from '../../../../test/samples/e-invoices/sample';
import { isRenditionOf } from '../pdf/rendition';
import { readXmlInvoice } from './read-xml-invoice';
import { pdfInvoice, ublInvoice } from '../../../../test/builders/invoice-documents';

const SBDH = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader';
const read = (xml: string) => readXmlInvoice(Buffer.from(xml));
const body = (xml: string) => xml.replace(/^<\?xml.*\?>\s*/, '');

/** An envelope as forwarded by Peppol access points. */
const enveloped = (...payloads: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<sh:StandardBusinessDocument xmlns:sh="${SBDH}">
  <sh:StandardBusinessDocumentHeader>
    <sh:HeaderVersion>1.0</sh:HeaderVersion>
    <sh:Sender><sh:Identifier Authority="iso6523-actorid-upis">9930:de123456789</sh:Identifier></sh:Sender>
    <sh:DocumentIdentification><sh:Type>Invoice</sh:Type></sh:DocumentIdentification>
  </sh:StandardBusinessDocumentHeader>
  ${payloads.join('\n')}
</sh:StandardBusinessDocument>`;

describe('an invoice in the envelope of Peppol (SBDH)', () => {
  it.each(['ubl-invoice', 'ubl-credit-note', 'cii-invoice'])('is read like one without: %s', (name) => {
    const invoice = sample(name);
    expect(read(invoice)).toBeDefined();
    expect(read(enveloped(body(invoice)))).toEqual(read(invoice));
    const own = enveloped(body(invoice)).replaceAll('<sh:', '<').replaceAll('</sh:', '</').replace('xmlns:sh', 'xmlns');
    expect(read(own)).toEqual(read(invoice));
  });

  it('may use prefixes that the envelope declares', () => {
    const invoice = sample('cii-invoice');
    const [declarations = ''] = /(?:\s+xmlns:\w+="[^"]*")+/.exec(invoice) ?? [];
    const outside = changed(
      enveloped(body(changed(invoice, declarations, ''))),
      ` xmlns:sh="${SBDH}"`,
      ` xmlns:sh="${SBDH}"${declarations}`,
    );
    expect(read(outside)).toEqual(read(invoice));
  });

  it('has a rendition', async () => {
    const spec = { number: 'RE-9' };
    const xml = Buffer.from(enveloped(body(ublInvoice(spec).toString())));
    expect(await isRenditionOf(await pdfInvoice(spec), xml)).toBe(true);
    expect(await isRenditionOf(await pdfInvoice({ number: 'RE-10' }), xml)).toBe(false);
  });

  it('is not recognized when the envelope contains none or several, or is not an envelope', () => {
    const invoice = body(sample('ubl-invoice'));
    expect(read(enveloped())).toBeUndefined();
    expect(read(enveloped('<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>'))).toBeUndefined();
    expect(read(enveloped(`<o:Order xmlns:o="u">${invoice}</o:Order>`))).toBeUndefined();
    expect(read(enveloped(invoice, invoice))).toBeUndefined();
    expect(read(enveloped(invoice, body(sample('ubl-credit-note'))))).toBeUndefined();
    expect(read(enveloped(enveloped(invoice).replace(/^<\?xml.*\?>\s*/, '')))).toBeUndefined();
    expect(read(enveloped(invoice).replace(SBDH, 'urn:example'))).toBeUndefined();
  });

  it('is rejected with a document type, like any other', () => {
    const hostile = changed(
      enveloped(body(sample('ubl-invoice'))),
      '<sh:StandardBusinessDocument ',
      '<!DOCTYPE a><sh:StandardBusinessDocument ',
    );
    expect(() => read(hostile)).toThrow('document type');
  });
});
