import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DocumentStore } from '../../documents/store/document-store';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { notFound } from '../../platform/errors/errors';
import { Rendition } from '../record/forms/rendition.entity';
import type { Transaction } from '../record/transaction.entity';
import { isExpired, sendFile, withoutHeadersOnError } from './send-file';

/** `GET …/renditions/{rendition_id}`: the bytes of another form of the invoice, in its own MIME type. */
@Injectable()
export class PullRendition {
  constructor(
    private readonly em: EntityManager,
    private readonly store: DocumentStore,
    private readonly keyManager: KeyManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Its content is kept as long as that of the document.
   * @throws ApiError 404 `RENDITION_NOT_FOUND`, also when it was deleted meanwhile, and `DOCUMENT_NOT_AVAILABLE` once
   *   `available_until` has passed; 416 `RANGE_NOT_SATISFIABLE`
   */
  async pull(transaction: Transaction, uuid: string, request: Request, response: Response): Promise<void> {
    const find = (em: EntityManager) => em.findOne(Rendition, { uuid, transactionUuid: transaction.uuid });
    const rendition = await find(this.em);
    if (!rendition) throw notFound('RENDITION_NOT_FOUND');
    const { contentUuid, contentChunks: chunks, size, sha256, filename, mimeType } = rendition;
    if (!contentUuid || isExpired(transaction, this.clock.now())) throw notFound('DOCUMENT_NOT_AVAILABLE');
    const key = await this.keyManager.key(this.em, transaction.connectionUuid);
    const file = { uuid: contentUuid, chunks, size, sha256, filename, mimeType };
    const respond = () => {
      response.setHeader('Cache-Control', 'private, no-store');
      return sendFile(this.store, key, file, request, response);
    };
    await withoutHeadersOnError(response, respond, async () => {
      const still = await find(this.em.fork());
      if (still?.contentUuid) return null;
      return notFound(still ? 'DOCUMENT_NOT_AVAILABLE' : 'RENDITION_NOT_FOUND');
    });
  }
}
