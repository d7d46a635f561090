import { parentPort } from 'node:worker_threads';
import { limitAllocations } from './allocation-limit';
import type { DescribedInvoice } from './facts-to-metadata';
import { readXmlInvoice } from './read-xml-invoice';
import { readZugferd } from './zugferd';

// The entry point of a reading thread (see reading-threads.ts): one message in, one message out, nothing is kept.

/** What a reading thread is asked. */
export interface ReadingRequest {
  readonly kind: 'xml' | 'pdf';
  readonly bytes: Uint8Array;
}

/** What it answers: null when the document is no e-invoice, or broken, encrypted or refused. */
export type ReadingAnswer = DescribedInvoice | null;

limitAllocations(32, 128);

async function answer({ kind, bytes }: ReadingRequest): Promise<ReadingAnswer> {
  try {
    return (kind === 'pdf' ? await readZugferd(bytes) : readXmlInvoice(bytes)) ?? null;
  } catch {
    return null; // a broken document says nothing about itself; it is still passed on
  }
}

parentPort?.on('message', (request: ReadingRequest) => {
  void answer(request).then((found) => parentPort?.postMessage(found));
});
parentPort?.postMessage('ready');
