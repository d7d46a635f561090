import { findInvoice } from '../xml/read-xml-invoice';
import { readReadableCii } from './read-readable-cii';
import { readReadableUbl } from './read-readable-ubl';
import type { ReadableInvoice } from './readable-invoice';

/**
 * Reads an e-invoice in UBL or CII for people. Undefined when the XML is something else; throws what `parseXml` throws. The result has
 * about a million characters at most. Synchronous work on untrusted input: outside tests it runs only in a parser worker.
 */
export function readReadableInvoice(bytes: Uint8Array): ReadableInvoice | undefined {
  const found = findInvoice(bytes);
  if (!found) return undefined;
  return found.syntax === 'UBL' ? readReadableUbl(found.invoice) : readReadableCii(found.invoice);
}
