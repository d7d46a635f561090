import { getDocumentProxy } from 'unpdf';
import type { DescribedInvoice } from '../e-invoice/fields-to-metadata';
import { readEmbedded } from '../e-invoice/pdf/zugferd';
import { readTextInvoice } from '../text/read-text-invoice';

/** What was read from the content of a document, and from which part of it; from none for an encrypted one. */
export interface ReadDocument extends DescribedInvoice {
  readonly from?: 'E_INVOICE' | 'TEXT';
}

/**
 * Reads the embedded invoice of a PDF (ZUGFeRD, Factur-X); if there is none and `readsText`, its text layer. The bytes are
 * transferred unless they are a Buffer. Throws when the PDF is broken or encrypted, or its XML cannot be read. Synchronous work of
 * unknown duration on untrusted input: outside tests it runs only in a parser worker.
 */
export async function readPdf(bytes: Uint8Array, readsText: boolean): Promise<ReadDocument | undefined> {
  const pdf = await getDocumentProxy(Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : bytes, { verbosity: 0 });
  try {
    const embedded = await readEmbedded(pdf);
    if (embedded) return { ...embedded, from: 'E_INVOICE' };
    const read = readsText ? await readTextInvoice(pdf) : undefined;
    return read && { ...read, from: 'TEXT' };
  } finally {
    await pdf.loadingTask.destroy();
  }
}
