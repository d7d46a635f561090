import { PassThrough } from 'node:stream';
import { abortable } from '../../platform/concurrency/cancellation';
import type { DocumentRef, SourceDocument } from '../core/source-document';
import { DocumentUnavailable } from '../core/source-errors';
import { FileRef, type SizedFileRef } from '../shared/tree-sync/files/file-ref';
import { asDocument, fileChanged, ConnectionLost, resumableRead } from '../shared/tree-sync/files/resumable-read';
import type { FtpConnection } from './connect';
import { classifyFile, codeOf } from './ftp-errors';
import type { FtpPool } from './ftp-pool';
import { absolute, lookUp } from './listing/list-folder';

const WHAT = 'FTP';

/**
 * Opens a listed file. When the connection breaks, reading resumes. At the end the file has to be the listed version.
 * Throws `DocumentUnavailable` or `Transient`; the stream fails with the same errors.
 */
export function openFile(pool: FtpPool, ref: DocumentRef, signal: AbortSignal): Promise<SourceDocument> {
  const file = FileRef.readSized(ref.locator);
  return asDocument(
    ref,
    file.size,
    resumableRead(WHAT, file.size, (position) => readFrom(pool, file, position, signal)),
  );
}

async function* readFrom(
  pool: FtpPool,
  file: SizedFileRef,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const connection = await pool.acquire();
  let isUsable = false;
  let reached = position;
  let isRejected = false;
  try {
    if (/[\r\n\0]/.test(file.path)) throw fileChanged(WHAT);
    await assertSame(connection, file, { isRead: false });
    for await (const bytes of bytesFrom(connection, file, position, signal)) {
      reached += bytes.length;
      yield bytes;
    }
    await assertSame(connection, file, { isRead: true });
    // Some servers do not detect a broken data connection and report a complete transfer.
    if (reached > position && reached < file.size) throw new ConnectionLost(`${WHAT}: a part of the file is missing.`);
    isUsable = true;
  } catch (error) {
    signal.throwIfAborted();
    const classified = classifyFile(error, WHAT);
    const isBroken = classified instanceof ConnectionLost;
    // An error response about the file leaves the connection usable; one about a connection may be followed by others.
    isUsable = codeOf(error) !== undefined && !isBroken;
    isRejected = isBroken && reached === position;
    if (!isRejected) throw classified;
  } finally {
    if (!isUsable) connection.client.close();
    pool.release(connection);
  }
  // After releasing the connection, because there may be no other one.
  if (isRejected) await retryOnControlConnection(pool, file);
}

/**
 * A server that rejects a file may reset the data connection before it sends the rejection. Requests the file without a data
 * connection, so that only the response is received. Throws `DocumentUnavailable` when the file is rejected, else `ConnectionLost`.
 */
async function retryOnControlConnection(pool: FtpPool, file: SizedFileRef): Promise<never> {
  const connection = await pool.acquire();
  try {
    await connection.client.send(`RETR ${absolute(connection, file.path)}`);
    throw new ConnectionLost(`${WHAT}: the connection broke.`);
  } catch (error) {
    const isRefused = [450, 550, 551, 553].includes(codeOf(error) ?? 0);
    throw isRefused ? classifyFile(error, WHAT) : new ConnectionLost(`${WHAT}: the connection broke.`);
  } finally {
    connection.client.close();
    pool.release(connection);
  }
}

/** Reads a file from a position on. Servers without resume support report that in many ways. */
async function* bytesFrom(
  connection: FtpConnection,
  file: SizedFileRef,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let isBegun = false;
  try {
    for await (const bytes of transfer(connection, file, position, signal)) {
      isBegun = true;
      yield bytes;
    }
  } catch (error) {
    const isAnswer = classifyFile(error, WHAT) instanceof DocumentUnavailable;
    if (position === 0 || isBegun || !isAnswer) throw error;
    yield* skipBytes(transfer(connection, file, 0, signal), position);
  }
}

async function* transfer(
  connection: FtpConnection,
  { path }: SizedFileRef,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const bytes = new PassThrough();
  // Also rejects when the reader stops. While the data connection is being opened, closing the client does not end it.
  const done = abortable(connection.client.downloadTo(bytes, absolute(connection, path), position), signal);
  done.catch((error: Error) => bytes.destroy(error));
  for await (const chunk of bytes) yield chunk as Buffer;
  await done;
}

async function* skipBytes(bytes: AsyncIterable<Buffer>, position: number): AsyncGenerator<Buffer> {
  let skip = position;
  for await (const chunk of bytes) {
    if (chunk.length > skip) yield chunk.subarray(skip);
    skip = Math.max(0, skip - chunk.length);
  }
}

/** Compares exact times if the server has them, else only the size. */
async function assertSame(
  connection: FtpConnection,
  file: SizedFileRef,
  { isRead }: { isRead: boolean },
): Promise<void> {
  if (connection.hasFacts) {
    const now = await lookUp(connection, file.path);
    // Reading the file reports the reason.
    if (!now && !isRead) return;
    if (now?.size !== file.size || now.version !== file.version) throw fileChanged(WHAT);
    return;
  }
  const size = await connection.client.size(absolute(connection, file.path)).catch((error: unknown) => {
    // Unsupported or missing: reading the file reports the reason.
    if (codeOf(error) === undefined) throw error;
    return file.size;
  });
  if (size !== file.size) throw fileChanged(WHAT);
}
