import type { Metadata } from '../../metadata';
import { fieldsToMetadata, type DescribedInvoice } from '../fields-to-metadata';
import { validateInvoice } from '../validation/validate-invoice';
import { readInvoiceFields } from '../xml/read-xml-invoice';
import { openPdf, type PdfDocument } from './open-pdf';

type Format = NonNullable<Metadata['e_invoice']>['format'];

/** The names under which the invoice is attached, newest standard first; compared without regard to case. */
const NAMES: ReadonlyMap<string, Format> = new Map([
  ['factur-x.xml', 'FACTURX'], // Factur-X, and ZUGFeRD from 2.1 on
  ['xrechnung.xml', 'ZUGFERD'], // ZUGFeRD's XRECHNUNG profile
  ['zugferd-invoice.xml', 'ZUGFERD'], // ZUGFeRD 2.0, and 1.0 as ZUGFeRD-invoice.xml
]);

/**
 * Reads the invoice in a ZUGFeRD or Factur-X PDF. The bytes are transferred unless they are a Buffer. Undefined when there is no
 * such attachment; throws when the PDF is broken or encrypted, or its XML cannot be read. Synchronous work of unknown duration on
 * untrusted input: outside tests it runs only in a parser worker.
 */
export async function readZugferd(bytes: Uint8Array): Promise<DescribedInvoice | undefined> {
  const { pdf } = await openPdf(bytes);
  try {
    return await readEmbedded(pdf);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** Like {@link readZugferd}, for an open PDF. Only an attachment with one of the standards' names is extracted. */
export async function readEmbedded(pdf: PdfDocument): Promise<DescribedInvoice | undefined> {
  const attachments = (await pdf.getAttachments()) ?? new Map<string, { filename: string }>();
  for (const [name, format] of NAMES) {
    for (const [id, attachment] of attachments) {
      if (attachment.filename.toLowerCase() !== name) continue;
      const content = contentOf(await pdf.getAttachmentContent(id));
      const read = content && readInvoiceFields(content);
      if (read) return fieldsToMetadata(read.fields, format, validateInvoice(content, read.fields.specification));
    }
  }
  return undefined;
}

/** The library's types leave the attachment's bytes open. */
function contentOf(answer: unknown): Uint8Array | undefined {
  return ArrayBuffer.isView(answer) ? new Uint8Array(answer.buffer, answer.byteOffset, answer.byteLength) : undefined;
}
