import { decodeXmlStart } from '../e-invoice/xml/decode-xml';
import { isEncryptedContainer } from '../detection/encrypted-container';
import { MAX_PDF_BYTES, MAX_TEXT_PDF_BYTES, MAX_XML_BYTES } from '../e-invoice/size-limits';
import { mimeTypeOf, PDF, XML } from '../detection/mime-type';
import { type ParserWorkerPool, parserWorkerPool } from './parser-worker-pool';
import type { ReadDocument } from './read-pdf';

/** A document in the content store. */
export interface DocumentContent {
  /** The first bytes: at least 4 KB, preferably 64 KB; all bytes of a shorter document. */
  readonly head: Buffer;
  /** All bytes. */
  readonly size: number;
  readonly filename: string;
  /** The type according to the source or a header; may be wrong or generic. */
  readonly declaredMimeType?: string;
  /** Whether `EInvoiceDetector` found an embedded invoice or encryption. Other PDFs are opened only to read their text. */
  readonly marked: boolean;
  /** Whether the text layer of a PDF without an embedded invoice is read. */
  readonly readsText: boolean;
  /** Tried where a PDF opens with a password only. */
  readonly passwords?: readonly string[];
  /** Loads the whole content. Called at most once, and only for XML and PDF within their size limits. */
  whole(): Promise<Buffer>;
}

/** Its `metadata` are empty, and it has no `documentType`, when the document contains none that can be read. */
export interface DocumentDescription extends ReadDocument {
  /** Detected from the content if possible, so it may differ from the declared type. */
  readonly mimeType: string;
}

/** The root elements of invoices, and of Peppol's envelope; their namespaces are checked when the whole is read. */
const INVOICE_ROOT =
  /<(?:[\w.-]+:)?(?:Invoice|CreditNote|CrossIndustryInvoice|CrossIndustryDocument|StandardBusinessDocument)[\s>]/;

/**
 * Describes a document: its MIME type by content, and the document type and metadata of its XML for e-invoices (decisions 4: UBL,
 * CII, ZUGFeRD, Factur-X), of its text for other PDFs. XML over 10 MiB and PDF over 25 MiB are not opened, and the text of a PDF
 * over 8 MiB is not read. A broken or malicious document has a type but no metadata, an encrypted one is marked as encrypted, with
 * the metadata of the opened one where a password fits; both are delivered. Rejects only with the error of `whole`, and when no parser worker can be started; both can be retried.
 */
export async function describeDocument(
  content: DocumentContent,
  readers: ParserWorkerPool = parserWorkerPool,
): Promise<DocumentDescription> {
  const mimeType = await mimeTypeOf(content.head, content.filename, content.declaredMimeType);
  const found = await readInvoice(mimeType, content, readers);
  const metadata = isEncryptedContainer(mimeType, content.head) ? ({ encrypted: true } as const) : {};
  return { mimeType, ...(found ?? { metadata }) };
}

function readInvoice(mimeType: string, content: DocumentContent, readers: ParserWorkerPool) {
  const load = () => (content.head.length >= content.size ? Promise.resolve(content.head) : content.whole());
  const isXml = mimeType === XML || mimeType.endsWith('+xml');
  if (isXml && content.size <= MAX_XML_BYTES && INVOICE_ROOT.test(decodeXmlStart(content.head))) {
    return readers.read('xml', load);
  }
  const readsText = content.readsText && content.size <= MAX_TEXT_PDF_BYTES;
  if (mimeType === PDF && (readsText || (content.marked && content.size <= MAX_PDF_BYTES))) {
    return readers.read('pdf', load, { readsText, passwords: content.passwords });
  }
  return null;
}
