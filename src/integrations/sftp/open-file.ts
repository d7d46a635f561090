import type { DocumentRef, SourceDocument } from '../core/source-document';
import { DocumentRefused, DocumentUnavailable } from '../core/source-errors';
import { FileRef, type SizedFileRef } from '../shared/tree-sync/files/file-ref';
import { asDocument, fileChanged, resumableRead } from '../shared/tree-sync/files/resumable-read';
import { statusOf, STATUS } from './sftp-errors';
import type { SftpConnection, ReconnectingSftp } from './reconnecting-sftp';
import { isGarbled, versionOf } from './sftp-tree';

/** The size of one read request, which every server supports. */
const REQUEST_BYTES = 31 * 1024;
/** The size of returned chunks: every chunk has a cost in each processing step. */
const BLOCK_BYTES = 8 * REQUEST_BYTES;
/** Blocks requested ahead: one megabyte per round trip, with that much memory. */
const BLOCKS_AHEAD = 4;

/**
 * Opens a listed file. Many requests are sent concurrently to hide the round trip; after a broken connection reading resumes on a
 * new one. At the end the file has to be the listed version; a changed file is a new version, which the next listing contains.
 * Throws `DocumentUnavailable` or `Transient`; the stream fails with the same errors.
 */
export function openFile(source: ReconnectingSftp, ref: DocumentRef): Promise<SourceDocument> {
  const file = FileRef.readSized(ref.locator);
  return asDocument(
    ref,
    file.size,
    resumableRead('SFTP', file.size, (position) => readMapped(source, file, position)),
  );
}

async function* readMapped(source: ReconnectingSftp, file: SizedFileRef, start: number): AsyncGenerator<Buffer> {
  try {
    yield* readFrom(await source.connection(), file, start);
  } catch (error) {
    throw unavailable(error, file);
  }
}

async function* readFrom(connection: SftpConnection, file: SizedFileRef, start: number): AsyncGenerator<Buffer> {
  const handle = await connection.open(file.path);
  const ahead: Block[] = [];
  try {
    let requested = start;
    let position = start;
    let stat: ReturnType<SftpConnection['fstat']> | undefined;
    while (position < file.size || !stat) {
      while (requested < file.size && ahead.length < BLOCKS_AHEAD) {
        const block = new Block(connection, handle, requested, Math.min(BLOCK_BYTES, file.size - requested));
        ahead.push(block);
        requested += block.bytes.length;
      }
      // Sent after the last read request: it returns the file's state at that time without an additional round trip.
      if (requested === file.size) stat ??= ignoreUnhandled(connection.fstat(handle));
      const next = ahead.shift();
      if (!next) break;
      try {
        await next.complete;
      } catch (error) {
        // Reading resumes after the received bytes.
        if (next.beginning.length > 0) yield next.beginning;
        throw error;
      }
      position += next.bytes.length;
      // The last block is returned only after the version is verified.
      if (position === file.size) assertSame(await stat!, file);
      yield next.bytes;
    }
  } finally {
    connection.close(handle);
  }
}

/** A part of a file, read by several concurrent requests. */
class Block {
  readonly bytes: Buffer;
  /** Rejects with `DocumentUnavailable` when the file is shorter. */
  readonly complete: Promise<unknown>;
  /** The received bytes of each request. */
  private readonly arrived: number[] = [];

  constructor(
    private readonly connection: SftpConnection,
    private readonly handle: Buffer,
    private readonly position: number,
    length: number,
  ) {
    this.bytes = Buffer.allocUnsafeSlow(length);
    const pieces = Array.from({ length: Math.ceil(length / REQUEST_BYTES) }, (_, piece) => this.read(piece));
    this.complete = ignoreUnhandled(Promise.all(pieces));
  }

  /** The received bytes without a gap. */
  get beginning(): Buffer {
    const broken = this.arrived.findIndex((bytes) => bytes < REQUEST_BYTES);
    return this.bytes.subarray(0, broken * REQUEST_BYTES + this.arrived[broken]!);
  }

  private async read(piece: number): Promise<void> {
    const start = piece * REQUEST_BYTES;
    const target = this.bytes.subarray(start, start + REQUEST_BYTES);
    for (let had = 0; had < target.length;) {
      this.arrived[piece] = had;
      const bytes = await this.connection.read(this.handle, this.position + start + had, target.subarray(had));
      if (bytes === 0) throw fileChanged('SFTP');
      had += bytes;
    }
    this.arrived[piece] = target.length;
  }
}

function assertSame(attributes: { size: number; mtime: number }, file: SizedFileRef): void {
  if (attributes.size !== file.size || versionOf(attributes) !== file.version) throw fileChanged('SFTP');
}

/** The server's response concerns one file only. Only a missing file is permanent; access can be restored. */
function unavailable(error: unknown, { path }: SizedFileRef): unknown {
  const status = statusOf(error);
  if (status === undefined) return error;
  if (isGarbled(path)) return new DocumentRefused(`SFTP: the file has a name that is no UTF-8 (status ${status}).`);
  return new DocumentUnavailable(`SFTP: the file cannot be read (status ${status}).`, status === STATUS.NO_SUCH_FILE);
}

/** Prevents unhandled rejections of requests whose result is no longer read. */
function ignoreUnhandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
