import { Readable } from 'node:stream';
import { releaseBuffer } from '../../../../platform/buffers/release-buffer';
import type { DocumentRef, SourceDocument } from '../../../core/source-document';
import { DocumentUnavailable, Transient } from '../../../core/source-errors';

/** So many broken lines in a row, without a byte in between, are one too many. */
const MAX_ATTEMPTS = 3;
/** Most documents are no longer. What follows is not held on to, so that memory does not grow with a document. */
const RETAINED_BYTES = 256 * 1024;

/** The line broke before everything had come. What was under way may be tried again. */
export class ConnectionLost extends Transient {}

/** The file is another version than the one that was listed; the next listing shows it. */
export function fileChanged(what: string): DocumentUnavailable {
  return new DocumentUnavailable(`${what}: the file was changed since it was listed.`, true);
}

function fileEmpty(what: string): DocumentUnavailable {
  return new DocumentUnavailable(`${what}: the file is empty.`, true);
}

/**
 * A file's bytes. When the line breaks (`ConnectionLost`), reading goes on where it stopped. Throws what `readFrom` throws, and
 * `DocumentUnavailable` when the bytes are more or fewer than `size`, or when there are none where that is not known.
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
 * Makes a document of a file's bytes, which are the reader's own from then on. The first are read before anything is promised: they
 * show that it is there and may be read.
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
