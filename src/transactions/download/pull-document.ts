import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DocumentStore } from '../../documents/store/document-store';
import { Identity } from '../../identities/identity.entity';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { ApiError, notFound } from '../../platform/errors/errors';
import { provisionedDocument } from './provisioned-document';
import { Transaction } from '../record/transaction.entity';

const BYTES = 'application/octet-stream';

/** `GET …/document`: the push payload below `data`, or the bytes themselves with `Accept: application/octet-stream` or their own type. */
@Injectable()
export class PullDocument {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  /**
   * The response is aborted when the document is deleted meanwhile, or when its retention ends, in this case after a
   * further ten minutes (`READER_GRACE_SECONDS` of the purge).
   * @throws ApiError 404 `DOCUMENT_NOT_AVAILABLE` once `available_until` has passed (decisions 4, retention), and
   *   `TRANSACTION_NOT_FOUND` when it was deleted after the access check; 416 `RANGE_NOT_SATISFIABLE`
   */
  async pull(transaction: Transaction, request: Request, response: Response): Promise<void> {
    const before = response.getHeaderNames();
    try {
      await this.respond(transaction, request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed || error instanceof ApiError) throw error;
      for (const name of response.getHeaderNames()) if (!before.includes(name)) response.removeHeader(name);
      const still = await this.em.fork().findOne(Transaction, { uuid: transaction.uuid });
      if (still?.contentUuid) throw error;
      throw notFound(still ? 'DOCUMENT_NOT_AVAILABLE' : 'TRANSACTION_NOT_FOUND');
    }
  }

  private async respond(transaction: Transaction, request: Request, response: Response): Promise<void> {
    const { availableUntil } = transaction;
    const expired = availableUntil != null && availableUntil <= this.clock.now();
    if (!transaction.contentUuid || expired) throw notFound('DOCUMENT_NOT_AVAILABLE');
    const key = await this.keyManager.key(this.em, transaction.connectionUuid);
    const ref = { uuid: transaction.contentUuid, chunks: transaction.contentChunks, size: transaction.size };
    response.setHeader('Cache-Control', 'private, no-store');
    response.vary('Accept');
    const wanted = request.accepts(['application/json', BYTES, transaction.mimeType]);
    // JSON when no accepted type is available (decisions 1), and for a document that is JSON itself.
    if (wanted !== BYTES && (wanted !== transaction.mimeType || wanted === 'application/json')) {
      const identity = await this.em.findOneOrFail(Identity, transaction.identityUuid);
      const payload = provisionedDocument(transaction, identity.clientIdentifier, 'data');
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.setHeader('Content-Length', payload.length);
      if (request.method === 'HEAD') return void response.end();
      await streamTo(payload.stream(this.store.parts(ref, key)), response);
      return;
    }

    response.removeHeader('Content-Language'); // set for the service's texts, not for the document
    response.setHeader('Content-Type', wanted);
    response.setHeader('Content-Disposition', contentDisposition(transaction.filename));
    response.setHeader('ETag', `"${transaction.sha256}"`);
    response.setHeader('Accept-Ranges', 'bytes');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const range = parseRange(request, transaction);
    if (range === 'unsatisfiable') {
      for (const name of ['Content-Type', 'Content-Disposition']) response.removeHeader(name);
      response.setHeader('Content-Range', `bytes */${transaction.size}`);
      throw new ApiError('RANGE_NOT_SATISFIABLE');
    }
    if (range) {
      response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${transaction.size}`);
    }
    response.setHeader('Content-Length', range ? range.end - range.start + 1 : transaction.size);
    if (request.method === 'HEAD') return void response.end();
    await streamTo(this.store.read(ref, key, range ?? undefined), response);
  }
}

/**
 * Sends nothing before the first bytes are read, so that an error until then becomes an error response (decisions 2).
 */
async function streamTo(content: Readable, response: Response): Promise<void> {
  await once(content, 'readable');
  await pipeline(content, response);
}

/**
 * The single requested range (RFC 9110 14.2); null, which stands for the complete content, for several ranges or a
 * range of other content.
 */
function parseRange(
  request: Request,
  transaction: Transaction,
): { start: number; end: number } | 'unsatisfiable' | null {
  if (request.method !== 'GET') return null; // RFC 9110 14.2: ranges apply only to GET
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== `"${transaction.sha256}"`) return null;
  const { size } = transaction;
  // RFC 9110 14.1.2: the last 500 bytes of 300 are all of them; the parser would reject that.
  const suffix = Number(/^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1]);
  if (suffix >= size && size > 0) return { start: 0, end: size - 1 };
  const ranges = request.range(size);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0]!;
}
