import { Readable } from 'node:stream';
import { releaseBuffer } from '../../../../platform/buffers/release-buffer';
import type { DocumentRef, SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable, Transient } from '../../../core/source-errors';

/** Attempts without a new byte before the error is reported. */
const MAX_ATTEMPTS = 3;
/** Most documents are smaller. Later chunks are not retained, so that memory does not grow with the document. */
const RETAINED_BYTES = 256 * 1024;

/** The connection was lost before everything was received. The request may be retried. */
export class ConnectionLost extends Transient {}

/** The file has been changed since it was listed; the next listing contains the new version. */
export function fileChanged(what: string): DocumentUnavailable {
  return new DocumentUnavailable(`${what}: the file was changed since it was listed.`, true, { problem: 'CHANGED' });
}

function fileEmpty(what: string): DocumentUnavailable {
  return new DocumentUnavailable(`${what}: the file is empty.`, true, { problem: 'EMPTY' });
}

/**
 * Reads a file and resumes at the last position when the connection breaks (`ConnectionLost`). Throws what `readFrom` throws, and
 * `DocumentUnavailable` when the file is longer or shorter than `size`, or empty when the size is unknown.
 */
export async function* resumableRead(
  what: string,
  size: number | null,
  readFrom: (position: number) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let position = 0;
  for (let attempts = MAX_ATTEMPTS; ;) {
    try {
      for await (const bytes of readFrom(position)) {
        if (size !== null && position + bytes.length > size) throw fileChanged(what);
        position += bytes.length;
        attempts = MAX_ATTEMPTS;
        yield bytes;
      }
      if (size === null && position === 0) throw fileEmpty(what);
      if (size !== null && position < size) throw fileChanged(what);
      return;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      if (position === size) return;
      if (--attempts === 0) throw error;
    }
  }
}

/**
 * Turns the content of a file into a document; the reader owns the chunks. Reads the first chunk before resolving, to verify that
 * the file exists and is readable.
 */
export async function asDocument(
  ref: DocumentRef,
  size: number | null,
  bytes: AsyncGenerator<Buffer>,
): Promise<SourceDocument> {
  const first = await bytes.next();
  const retained: Buffer[] = [];
  const stream = Readable.from(prepend(first, bytes, retained), { objectMode: false });
  const free = () => retained.splice(0).forEach(releaseBuffer);
  return {
    stream,
    filename: ref.filename,
    mimeType: 'application/octet-stream',
    ...(size !== null && { size }),
    releaseBuffers: free,
  };
}

async function* prepend(
  first: IteratorResult<Buffer>,
  rest: AsyncGenerator<Buffer>,
  retained: Buffer[],
): AsyncGenerator<Buffer> {
  let left = RETAINED_BYTES;
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      left -= next.value.length;
      if (left >= 0) retained.push(next.value);
      yield next.value;
    }
  } finally {
    await rest.return(undefined);
  }
}
