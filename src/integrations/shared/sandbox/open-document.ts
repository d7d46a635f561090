import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../../core/source-document';
import { DocumentUnavailable, Transient } from '../../core/source-errors';
import { renderHybrid } from './e-invoice/render-hybrid';
import { renderUbl } from './e-invoice/render-ubl';
import type { SandboxLocator } from './listing';
import type { PortalLogin } from './login';
import { type FixtureDocument, fixtureDocument } from './fixture-document';
import { renderPdf, stretchPdf } from './render-pdf';

/**
 * The content of a document (`Integration.download`), generated chunk by chunk while it is read.
 * @throws DocumentUnavailable for the document that the scenario breaks
 */
export async function openDocument({ session, user }: PortalLogin, ref: DocumentRef): Promise<SourceDocument> {
  const { index, date, rendering, ordered, isFragile = false } = ref.locator as SandboxLocator;
  const { scenario, document_size_kb } = session.fields;
  const broken = isFragile ? scenario : '';
  if (broken === 'broken_document') throw new DocumentUnavailable('The sandbox answers 500 for this document.', false);
  if (broken === 'unreadable_document')
    throw new DocumentUnavailable('The sandbox answers 404 for this document.', true);

  const document = fixtureDocument(user, index, date, ordered);
  const { size, chunks } = await render(document, rendering, Math.floor(document_size_kb * 1024));
  const half = Math.floor(size / 2);
  const bytes =
    broken === 'broken_download'
      ? upTo(half, chunks, new Transient('The sandbox closed the connection within a document.'))
      : broken === 'damaged_document'
        ? upTo(half, chunks)
        : chunks;
  return {
    stream: Readable.from(bytes, { objectMode: false, signal: session.signal }),
    filename: ref.filename,
    mimeType: document.format === 'XML' ? 'application/xml' : 'application/pdf',
    size: broken === 'damaged_document' ? half : size,
  };
}

/** `pdfSize`: the size of a plain PDF in bytes; e-invoices have their natural size. */
async function render(
  document: FixtureDocument,
  rendering: number,
  pdfSize: number,
): Promise<{ size: number; chunks: Iterable<Buffer> }> {
  if (document.format === 'PDF') return stretchPdf(await renderPdf(document, rendering), pdfSize);
  const file = document.format === 'XML' ? renderUbl(document, rendering) : await renderHybrid(document, rendering);
  return { size: file.length, chunks: [file] };
}

/** Yields the first `length` bytes, then throws the error, if any. */
function* upTo(length: number, chunks: Iterable<Buffer>, error?: Error): Generator<Buffer> {
  let left = length;
  for (const chunk of chunks) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left);
      if (error) throw error;
      return;
    }
    left -= chunk.length;
    yield chunk;
  }
}
