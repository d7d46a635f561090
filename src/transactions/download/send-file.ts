import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContentRef, DocumentStore } from '../../documents/store/document-store';
import { ApiError } from '../../platform/errors/errors';
import type { Transaction } from '../record/transaction.entity';
import type { KeyRing } from '../../platform/crypto/key-ring';

/** Stored content with what its headers say. */
export interface StoredFile extends ContentRef {
  readonly filename: string;
  readonly mimeType: string;
  readonly sha256: string;
}

/** Whether the retention of its content is over (decisions 4, retention). */
export function isExpired({ availableUntil }: Pick<Transaction, 'availableUntil'>, now: Date): boolean {
  return availableUntil != null && availableUntil <= now;
}

/** Sends the bytes, complete or in part (RFC 9110 14). @throws ApiError 416 `RANGE_NOT_SATISFIABLE` */
export async function sendFile(
  store: DocumentStore,
  key: KeyRing,
  file: StoredFile,
  request: Request,
  response: Response,
): Promise<void> {
  response.removeHeader('Content-Language'); // set for the service's texts, not for the document
  response.setHeader('Content-Type', file.mimeType);
  response.setHeader('Content-Disposition', contentDisposition(file.filename));
  response.setHeader('ETag', `"${file.sha256}"`);
  response.setHeader('Accept-Ranges', 'bytes');
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const range = parseRange(request, file);
  if (range === 'unsatisfiable') {
    for (const name of ['Content-Type', 'Content-Disposition']) response.removeHeader(name);
    response.setHeader('Content-Range', `bytes */${file.size}`);
    throw new ApiError('RANGE_NOT_SATISFIABLE');
  }
  if (range) {
    response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  }
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : file.size);
  if (request.method === 'HEAD') return void response.end();
  await streamTo(store.read(file, key, range ?? undefined), response);
}

/**
 * Responds. If this fails before its beginning, the headers that it has set are removed, and the error is replaced by
 * `explain`'s, unless it is null: the content may have been deleted meanwhile.
 */
export async function withoutHeadersOnError(
  response: Response,
  respond: () => Promise<void>,
  explain: () => Promise<ApiError | null>,
): Promise<void> {
  const before = response.getHeaderNames();
  try {
    await respond();
  } catch (error) {
    if (response.headersSent || response.destroyed || error instanceof ApiError) throw error;
    for (const name of response.getHeaderNames()) if (!before.includes(name)) response.removeHeader(name);
    throw (await explain()) ?? error;
  }
}

/**
 * Sends nothing before the first bytes are read, so that an error until then becomes an error response (decisions 2).
 */
export async function streamTo(content: Readable, response: Response): Promise<void> {
  await once(content, 'readable');
  await pipeline(content, response);
}

/**
 * The single requested range (RFC 9110 14.2); null, which stands for the complete content, for several ranges or a
 * range of other content.
 */
function parseRange(
  request: Request,
  { size, sha256 }: StoredFile,
): { start: number; end: number } | 'unsatisfiable' | null {
  if (request.method !== 'GET') return null; // RFC 9110 14.2: ranges apply only to GET
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== `"${sha256}"`) return null;
  // RFC 9110 14.1.2: the last 500 bytes of 300 are all of them; the parser would reject that.
  const suffix = Number(/^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1]);
  if (suffix >= size && size > 0) return { start: 0, end: size - 1 };
  const ranges = request.range(size);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0]!;
}
