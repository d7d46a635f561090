import type { DocumentRef, SourceDocument } from '../core/source-document';
import { DocumentRefused, DocumentUnavailable } from '../core/source-errors';
import { FileRef, type SizedFileRef } from '../shared/tree-sync/files/file-ref';
import { asDocument, fileChanged, resumableRead } from '../shared/tree-sync/files/resumable-read';
import { statusOf, STATUS } from './sftp-errors';
import type { SftpConnection, ReconnectingSftp } from './reconnecting-sftp';
import { isGarbled, versionOf } from './sftp-tree';

/** One request. Every server answers so much at once. */
const REQUEST_BYTES = 31 * 1024;
/** Given out as one: every part of a document costs something in each place that it passes. */
const BLOCK_BYTES = 8 * REQUEST_BYTES;
/** Requested ahead of the reader: a megabyte a round trip, and that much memory. */
const BLOCKS_AHEAD = 4;

/**
 * Opens a file of which a listing told. Many pieces are requested at once, so a round trip is paid once; a connection that breaks
 * is opened anew and reading goes on where it stopped. In the end the file has to be the one that was listed still: one that was
 * changed meanwhile is a new version, which the next listing shows.
 * Throws `DocumentUnavailable` or `Transient`; the stream fails with the same errors.
 */
export function openFile(source: ReconnectingSftp, ref: DocumentRef): Promise<SourceDocument> {
  const file = FileRef.readSized(ref.locator);
  return asDocument(
    ref,
    file.size,
    resumableRead('SFTP', file.size, (position) => readLine(source, file, position)),
  );
}

async function* readLine(source: ReconnectingSftp, file: SizedFileRef, start: number): AsyncGenerator<Buffer> {
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
      // Sent behind the last request, it tells how the file was when that was answered, at no round trip of its own.
      if (requested === file.size) stat ??= unheard(connection.fstat(handle));
      const next = ahead.shift();
      if (!next) break;
      try {
        await next.complete;
      } catch (error) {
        // Reading goes on behind what has come.
        if (next.beginning.length > 0) yield next.beginning;
        throw error;
      }
      position += next.bytes.length;
      // The last bytes are given out when it is certain that they are the end of this version.
      if (position === file.size) assertSame(await stat!, file);
      yield next.bytes;
    }
  } finally {
    connection.close(handle);
  }
}

/** A part of a file, by several requests that are under way at the same time. */
class Block {
  readonly bytes: Buffer;
  /** Rejects with `DocumentUnavailable` when the file ends before. */
  readonly complete: Promise<unknown>;
  /** How many bytes of each piece have come. */
  private readonly arrived: number[] = [];

  constructor(
    private readonly connection: SftpConnection,
    private readonly handle: Buffer,
    private readonly position: number,
    length: number,
  ) {
    this.bytes = Buffer.allocUnsafeSlow(length);
    const pieces = Array.from({ length: Math.ceil(length / REQUEST_BYTES) }, (_, piece) => this.read(piece));
    this.complete = unheard(Promise.all(pieces));
  }

  /** What has come without a gap. */
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

/** What the server answers about one file concerns only that. Access can be given back, a file that is gone is gone. */
function unavailable(error: unknown, { path }: SizedFileRef): unknown {
  const status = statusOf(error);
  if (status === undefined) return error;
  if (isGarbled(path)) return new DocumentRefused(`SFTP: the file has a name that is no UTF-8 (status ${status}).`);
  return new DocumentUnavailable(`SFTP: the file cannot be read (status ${status}).`, status === STATUS.NO_SUCH_FILE);
}

/** Requests ahead of the reader may fail unheard when the reader stops before. */
function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
