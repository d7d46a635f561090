import { Readable } from 'node:stream';
import type { DocumentRef, SourceDocument } from '../source-document';
import { DocumentUnavailable, Temporary } from '../source-errors';
import type { SandboxSession } from './fields';
import type { SandboxLocator } from './listing';
import { logIn } from './login';
import { madeUpDocument } from './made-up-document';
import { renderPdf, stretchPdf } from './render-pdf';
import { renderUbl } from './render-ubl';

/** The document that cannot be read in the scenarios with one: of those that were there at the beginning, the newest. */
const BROKEN_INDEX = 0;

/**
 * The bytes of a document (`Integration.open`), made while they are read: a chunk at a time, whatever the size.
 * @throws DocumentUnavailable for the one that the scenario breaks, and what `logIn` throws.
 */
export async function openDocument(session: SandboxSession, ref: DocumentRef): Promise<SourceDocument> {
  await logIn(session);
  const { index, date, rendering } = ref.locator as SandboxLocator;
  const { user, scenario, document_size_kb } = session.fields;
  const broken = index === BROKEN_INDEX ? scenario : '';
  if (broken === 'broken_document') throw new DocumentUnavailable('The sandbox answers 500 for this document.', false);
  if (broken === 'unreadable_document')
    throw new DocumentUnavailable('The sandbox answers 404 for this document.', true);

  const document = madeUpDocument(user, index, date);
  const isXml = document.kind === 'e_invoice';
  const xml = isXml ? renderUbl(document, rendering) : null;
  const { size, chunks } = xml
    ? { size: xml.length, chunks: [xml] }
    : stretchPdf(await renderPdf(document, rendering), Math.floor(document_size_kb * 1024));
  const bytes = broken === 'broken_download' ? breakingOff(chunks, Math.floor(size / 2)) : chunks;
  return {
    stream: Readable.from(bytes, { objectMode: false, signal: session.signal }),
    filename: ref.filename,
    mimeType: isXml ? 'application/xml' : 'application/pdf',
    size,
  };
}

function* breakingOff(chunks: Iterable<Buffer>, after: number): Generator<Buffer> {
  let left = after;
  for (const chunk of chunks) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left);
      throw new Temporary('The sandbox closed the connection in the middle of a document.');
    }
    left -= chunk.length;
    yield chunk;
  }
}
