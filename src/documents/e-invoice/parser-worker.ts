import { parentPort } from 'node:worker_threads';
import { limitAllocations } from './pdf/allocation-limit';
import type { DescribedInvoice } from './fields-to-metadata';
import { isRenditionOf } from './pdf/rendition';
import { readXmlInvoice } from './xml/read-xml-invoice';
import { needsPassword, readZugferd } from './pdf/zugferd';

// The entry point of a parser worker (see parser-worker-pool.ts): one message in, one message out, nothing is kept.

/** What a reading thread is asked: what a document says about itself, or whether a PDF is the picture of an XML invoice. */
export type ParserRequest =
  | { readonly kind: 'xml' | 'pdf'; readonly bytes: Uint8Array }
  | { readonly kind: 'picture'; readonly bytes: Uint8Array; readonly invoice: Uint8Array };

/** What it answers: null when the document says nothing about itself or is no picture, or is broken or refused. */
export type ParserResponse = DescribedInvoice | null;
export type RenditionResponse = true | null;

limitAllocations(32, 128);

async function answer(request: ParserRequest): Promise<ParserResponse | RenditionResponse> {
  const { kind, bytes } = request;
  try {
    if (kind === 'picture') return (await isRenditionOf(bytes, request.invoice)) || null;
    return (kind === 'pdf' ? await readZugferd(bytes) : readXmlInvoice(bytes)) ?? null;
  } catch (error) {
    if (kind === 'pdf' && needsPassword(error)) return { metadata: { encrypted: true } };
    return null; // a broken document says nothing about itself; it is still passed on
  }
}

parentPort?.on('message', (request: ParserRequest) => {
  void answer(request).then((found) => parentPort?.postMessage(found));
});
parentPort?.postMessage('ready');
