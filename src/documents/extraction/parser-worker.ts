import { parentPort } from 'node:worker_threads';
import { limitAllocations } from '../e-invoice/pdf/allocation-limit';
import { isRenditionOf } from '../e-invoice/pdf/rendition';
import { needsPassword } from '../e-invoice/pdf/open-pdf';
import { readReadableInvoice } from '../e-invoice/readable/read-readable-invoice';
import type { ReadableInvoice } from '../e-invoice/readable/readable-invoice';
import { readXmlInvoice } from '../e-invoice/xml/read-xml-invoice';
import { type ReadDocument, readPdf } from './read-pdf';

// The entry point of a parser worker (see parser-worker-pool.ts): one request, one response, no state.

/** How a document is read. */
export interface ReadingOptions {
  /** Whether the text layer of a PDF without an embedded invoice is read. */
  readonly readsText: boolean;
  /** Tried where a PDF opens with a password only. */
  readonly passwords: readonly string[];
}

/** A request to a parser worker: read the metadata or the whole of a document, or check whether a PDF is the rendition of an XML invoice. */
export type ParserRequest =
  | ({ readonly kind: 'xml' | 'pdf'; readonly bytes: Uint8Array } & ReadingOptions)
  | { readonly kind: 'readable'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'rendition';
      readonly bytes: Uint8Array;
      readonly invoice: Uint8Array;
      readonly passwords: readonly string[];
    };

/** The response: null when the document has no metadata or is not a rendition, or is broken or rejected. */
export type ParserResponse = ReadDocument | null;
export type RenditionResponse = true | null;
export type ReadableResponse = ReadableInvoice | null;

limitAllocations(32, 128);

async function answer(request: ParserRequest): Promise<ParserResponse | RenditionResponse | ReadableResponse> {
  const { kind, bytes } = request;
  try {
    if (kind === 'readable') return readReadableInvoice(bytes) ?? null;
    if (kind === 'rendition') return (await isRenditionOf(bytes, request.invoice, request.passwords)) || null;
    if (kind === 'pdf') return (await readPdf(bytes, request.readsText, request.passwords)) ?? null;
    const read = readXmlInvoice(bytes);
    return read ? { ...read, from: 'E_INVOICE' } : null;
  } catch (error) {
    if (kind === 'pdf' && needsPassword(error)) return { metadata: { encrypted: true } };
    return null; // a broken document has no metadata, but is still delivered
  }
}

parentPort?.on('message', (request: ParserRequest) => {
  void answer(request).then((found) => parentPort?.postMessage(found));
});
parentPort?.postMessage('ready');
