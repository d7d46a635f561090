import type { DocumentRef, SourceDocument } from '../source-document';
import { DocumentUnavailable } from '../source-errors';
import { FileLocator } from '../shared/walk/file-locator';
import { asDocument, changed, readOn } from '../shared/walk/read-on';
import { statusOf, STATUS } from './sftp-errors';
import type { Line, SftpLink } from './sftp-link';
import { versionOf } from './sftp-tree';

/** One request. Every server answers so much at once. */
const PIECE_BYTES = 31 * 1024;
/** Requested ahead of the reader: a megabyte a round trip, and that much memory. */
const PIECES_AHEAD = 32;

/**
 * Opens a file of which a listing told. Many pieces are requested at once, so a round trip is paid once; a connection that breaks
 * is opened anew and reading goes on where it stopped. In the end the file has to be the one that was listed still: one that was
 * changed meanwhile is a new version, which the next listing shows.
 * Throws `DocumentUnavailable` or `Temporary`; the stream fails with the same errors.
 */
export function openFile(link: SftpLink, ref: DocumentRef): Promise<SourceDocument> {
  const file = FileLocator.read(ref.locator);
  return asDocument(
    ref,
    file.size,
    readOn('SFTP', file.size, (position) => readLine(link, file, position)),
  );
}

async function* readLine(link: SftpLink, file: FileLocator, start: number): AsyncGenerator<Buffer> {
  try {
    yield* readFrom(await link.use(), file, start);
  } catch (error) {
    throw unavailable(error);
  }
}

async function* readFrom(line: Line, file: FileLocator, start: number): AsyncGenerator<Buffer> {
  const handle = await line.open(file.path);
  const ahead: { promise: Promise<Buffer>; length: number }[] = [];
  try {
    let requested = start;
    let position = start;
    let stat: ReturnType<Line['fstat']> | undefined;
    while (position < file.size || !stat) {
      while (requested < file.size && ahead.length < PIECES_AHEAD) {
        const length = Math.min(PIECE_BYTES, file.size - requested);
        ahead.push({ promise: quiet(line.read(handle, requested, length)), length });
        requested += length;
      }
      // Sent behind the last request, it tells how the file was when that was answered, at no round trip of its own.
      if (requested === file.size) stat ??= quiet(line.fstat(handle));
      const next = ahead.shift();
      if (!next) break;
      for (
        let bytes = await next.promise, missing = next.length;
        ;
        bytes = await line.read(handle, position, missing)
      ) {
        if (bytes.length === 0) throw changed('SFTP');
        position += bytes.length;
        missing -= bytes.length;
        // The last bytes are given out when it is certain that they are the end of this version.
        if (position === file.size) assertSame(await stat!, file);
        yield bytes;
        if (missing === 0) break;
      }
    }
  } finally {
    line.close(handle);
  }
}

function assertSame(attributes: { size: number; mtime: number }, file: FileLocator): void {
  if (attributes.size !== file.size || versionOf(attributes) !== file.version) throw changed('SFTP');
}

/** What the server answers about one file concerns only that. Access can be given back, a file that is gone is gone. */
function unavailable(error: unknown): unknown {
  const status = statusOf(error);
  if (status === undefined) return error;
  return new DocumentUnavailable(`SFTP: the file cannot be read (status ${status}).`, status === STATUS.NO_SUCH_FILE);
}

/** Requests ahead of the reader may fail unheard when the reader stops before. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
