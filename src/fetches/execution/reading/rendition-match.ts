import { hash } from 'node:crypto';
import { MAX_PDF_BYTES, MAX_XML_BYTES } from '../../../documents/e-invoice/size-limits';
import { PDF } from '../../../documents/detection/mime-type';
import { parserWorkerPool } from '../../../documents/extraction/parser-worker-pool';
import type { Integration, Session } from '../../../integrations/core/integration';
import type { DocumentRef } from '../../../integrations/core/source-document';
import { DocumentUnavailable } from '../../../integrations/core/source-errors';
import { contentKey } from './content-key';

/** A downloaded document. */
interface DownloadedDocument {
  readonly mimeType: string;
  readonly size: number;
  /** Tried where the PDF opens with a password only. */
  readonly passwords: readonly string[];
  readonly whole: () => Promise<Buffer>;
}

/**
 * Finds the e-invoice of which a PDF is another form, among the XML documents that came with it (ADR 18), and returns its dedupe key.
 * Rejects with the connector's error when one of them cannot be downloaded, because the PDF cannot be matched without it.
 */
export async function matchRendition(
  integration: Integration,
  session: Session,
  { renditionOf = [] }: DocumentRef,
  pdf: DownloadedDocument,
): Promise<string | undefined> {
  if (pdf.mimeType !== PDF || pdf.size > MAX_PDF_BYTES) return undefined;
  for (const candidate of renditionOf) {
    const xml = await readXml(integration, session, candidate);
    if (!xml || !(await parserWorkerPool.isRendition(xml, pdf.whole, pdf.passwords))) continue;
    return candidate.isSameByContent ? contentKey(hash('sha256', xml)) : candidate.dedupeKey;
  }
  return undefined;
}

/** Null when it is too large for an invoice or permanently unavailable. */
async function readXml(integration: Integration, session: Session, ref: DocumentRef): Promise<Buffer | null> {
  try {
    const { stream } = await integration.download(session, ref);
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of stream as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > MAX_XML_BYTES) return null;
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof DocumentUnavailable && error.permanent) return null;
    throw error;
  }
}
