import type { DescribedInvoice } from '../e-invoice/fields-to-metadata';
import { openPdf, type PdfDocument } from '../e-invoice/pdf/open-pdf';
import { readEmbedded } from '../e-invoice/pdf/zugferd';
import { readTextInvoice } from '../text/read-text-invoice';

/** What was read from the content of a document, and from which part of it; from none for an encrypted one. */
export interface ReadDocument extends DescribedInvoice {
  readonly from?: 'E_INVOICE' | 'TEXT';
}

/**
 * Reads the embedded invoice of a PDF (ZUGFeRD, Factur-X); if there is none and `readsText`, its text layer. A PDF that opens only
 * with one of the passwords is marked as encrypted, because it is delivered as it is. The bytes are transferred unless they are a
 * Buffer or passwords are given. Throws when the PDF is broken, or encrypted with another password, or its XML cannot be read.
 * Synchronous work of unknown duration on untrusted input: outside tests it runs only in a parser worker.
 */
export async function readPdf(
  bytes: Uint8Array,
  readsText: boolean,
  passwords: readonly string[] = [],
): Promise<ReadDocument | undefined> {
  const { pdf, isEncrypted } = await openPdf(bytes, passwords);
  try {
    if (!isEncrypted) return await readOpened(pdf, readsText);
    // Whatever its content is, it is encrypted.
    const read = await readOpened(pdf, readsText).catch(() => undefined);
    return { ...read, metadata: { ...read?.metadata, encrypted: true } };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function readOpened(pdf: PdfDocument, readsText: boolean): Promise<ReadDocument | undefined> {
  const embedded = await readEmbedded(pdf);
  if (embedded) return { ...embedded, from: 'E_INVOICE' };
  const read = readsText ? await readTextInvoice(pdf) : undefined;
  return read && { ...read, from: 'TEXT' };
}
