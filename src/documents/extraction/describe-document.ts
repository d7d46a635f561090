import { decodeXmlStart } from '../e-invoice/xml/decode-xml';
import { isEncryptedContainer } from '../detection/encrypted-container';
import { MAX_PDF_BYTES, MAX_XML_BYTES } from '../e-invoice/size-limits';
import type { DocumentType, Metadata } from '../metadata';
import { mimeTypeOf, PDF, XML } from '../detection/mime-type';
import { type ParserWorkerPool, parserWorkerPool } from './parser-worker-pool';

/** A document in the content store. */
export interface DocumentContent {
  /** The first bytes: at least 4 KB, preferably 64 KB; all bytes of a shorter document. */
  readonly head: Buffer;
  /** All bytes. */
  readonly size: number;
  readonly filename: string;
  /** The type according to the source or a header; may be wrong or generic. */
  readonly declaredMimeType?: string;
  /** Whether `EInvoiceDetector` found an embedded invoice or encryption; other PDFs are not opened. */
  readonly marked: boolean;
  /** Loads the whole content. Called at most once, and only for XML and PDF within their size limits. */
  whole(): Promise<Buffer>;
}

export interface DocumentDescription {
  /** Detected from the content if possible, so it may differ from the declared type. */
  readonly mimeType: string;
  /** Only when the document contains it. */
  readonly documentType?: DocumentType;
  /** Empty when the document contains no readable metadata. */
  readonly metadata: Metadata;
}

/** The root elements of invoices, and of Peppol's envelope; their namespaces are checked when the whole is read. */
const INVOICE_ROOT =
  /<(?:[\w.-]+:)?(?:Invoice|CreditNote|CrossIndustryInvoice|CrossIndustryDocument|StandardBusinessDocument)[\s>]/;

/**
 * Describes a document: its MIME type by content, and for e-invoices (decisions 4: UBL, CII, ZUGFeRD, Factur-X) the document type
 * and metadata of its XML. XML over 10 MiB and PDF over 25 MiB are not opened. A broken or malicious document has a type but no
 * metadata, an encrypted one is marked as encrypted; both are delivered. Rejects only with the error of `whole`, and when no
 * parser worker can be started; both can be retried.
 */
export async function describeDocument(
  content: DocumentContent,
  readers: ParserWorkerPool = parserWorkerPool,
): Promise<DocumentDescription> {
  const mimeType = await mimeTypeOf(content.head, content.filename, content.declaredMimeType);
  const found = await readInvoice(mimeType, content, readers);
  return {
    mimeType,
    ...(found?.documentType && { documentType: found.documentType }),
    metadata: found?.metadata ?? (isEncryptedContainer(mimeType, content.head) ? { encrypted: true } : {}),
  };
}

function readInvoice(mimeType: string, content: DocumentContent, readers: ParserWorkerPool) {
  const load = () => (content.head.length >= content.size ? Promise.resolve(content.head) : content.whole());
  const isXml = mimeType === XML || mimeType.endsWith('+xml');
  if (isXml && content.size <= MAX_XML_BYTES && INVOICE_ROOT.test(decodeXmlStart(content.head))) {
    return readers.read('xml', load);
  }
  if (mimeType === PDF && content.marked && content.size <= MAX_PDF_BYTES) {
    return readers.read('pdf', load);
  }
  return null;
}
