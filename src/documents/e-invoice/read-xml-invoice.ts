import { CII_ROOTS, readCii } from './cii';
import { describeFacts, type DescribedInvoice } from './facts-to-metadata';
import type { InvoiceFacts } from './invoice-facts';
import { formatOfXml } from './profile';
import { readUbl, UBL_ROOTS } from './ubl';
import { parseXml, type XmlElement } from './xml';

function isOneOf(roots: readonly { namespace: string; name: string }[], root: XmlElement): boolean {
  return roots.some((each) => each.name === root.name && each.namespace === root.namespace);
}

/** An invoice's facts and its syntax; undefined when the XML is something else. Throws what `parseXml` throws. */
export function readInvoiceFacts(bytes: Uint8Array): { facts: InvoiceFacts; syntax: 'UBL' | 'CII' } | undefined {
  const root = parseXml(bytes);
  if (isOneOf(UBL_ROOTS, root)) return { facts: readUbl(root), syntax: 'UBL' };
  if (isOneOf(CII_ROOTS, root)) return { facts: readCii(root), syntax: 'CII' };
  return undefined;
}

/**
 * Reads XRechnung and other EN 16931 invoices in UBL or CII, by root element and its namespace. Undefined when the XML is
 * something else; throws `XmlRefused` or the parser's error when it cannot be read.
 */
export function readXmlInvoice(bytes: Uint8Array): DescribedInvoice | undefined {
  const read = readInvoiceFacts(bytes);
  return read && describeFacts(read.facts, formatOfXml(read.facts.specification, read.syntax));
}
