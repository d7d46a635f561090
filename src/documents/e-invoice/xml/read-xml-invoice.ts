import { CII_ROOTS, readCii } from './cii';
import { fieldsToMetadata, type DescribedInvoice } from '../fields-to-metadata';
import type { InvoiceFields } from '../invoice-fields';
import { formatOfXml } from '../profile';
import { readUbl, UBL_ROOTS } from './ubl';
import { validateInvoice } from '../validation/validate-invoice';
import { parseXml, type XmlElement } from './xml';

interface Root {
  readonly namespace: string;
  readonly name: string;
}

/** Peppol's envelope around a document: UN/CEFACT Standard Business Document Header, version 1.3. */
const ENVELOPE: Root = {
  namespace: 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader',
  name: 'StandardBusinessDocument',
};

function isOneOf(roots: readonly Root[], root: XmlElement): boolean {
  return roots.some((each) => each.name === root.name && each.namespace === root.namespace);
}

/** The root element of the invoice, or the only invoice directly below an envelope; several are ambiguous. */
function invoiceIn(root: XmlElement): XmlElement | undefined {
  if (!isOneOf([ENVELOPE], root)) return root;
  const roots: readonly Root[] = [...UBL_ROOTS, ...CII_ROOTS];
  const held = roots.flatMap((each) => root.all(each.name).filter((child) => child.namespace === each.namespace));
  return held.length === 1 ? held[0] : undefined;
}

/** The root element and the syntax of an invoice; undefined when the XML is something else. Throws what `parseXml` throws. */
export function findInvoice(bytes: Uint8Array): { invoice: XmlElement; syntax: 'UBL' | 'CII' } | undefined {
  const invoice = invoiceIn(parseXml(bytes));
  if (invoice && isOneOf(UBL_ROOTS, invoice)) return { invoice, syntax: 'UBL' };
  if (invoice && isOneOf(CII_ROOTS, invoice)) return { invoice, syntax: 'CII' };
  return undefined;
}

/** The fields and the syntax of an invoice, like {@link findInvoice}. */
export function readInvoiceFields(bytes: Uint8Array): { fields: InvoiceFields; syntax: 'UBL' | 'CII' } | undefined {
  const found = findInvoice(bytes);
  if (!found) return undefined;
  const { invoice, syntax } = found;
  return { fields: syntax === 'UBL' ? readUbl(invoice) : readCii(invoice), syntax };
}

/**
 * Reads XRechnung and other EN 16931 invoices in UBL or CII, by root element and its namespace, also in Peppol's envelope. Undefined when the XML is
 * something else; throws `XmlRefused` or the parser's error when it cannot be read.
 */
export function readXmlInvoice(bytes: Uint8Array): DescribedInvoice | undefined {
  const read = readInvoiceFields(bytes);
  if (!read) return undefined;
  const { specification } = read.fields;
  return fieldsToMetadata(read.fields, formatOfXml(specification, read.syntax), validateInvoice(bytes, specification));
}
