import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DocumentStore } from '../../documents/store/document-store';
import { Identity } from '../../identities/identity.entity';
import { Clock } from '../../platform/clock/clock';
import { KeyManager } from '../../platform/crypto/key-manager';
import { notFound } from '../../platform/errors/errors';
import { withSameAs } from '../copies/with-same-as';
import { provisionedDocument, type ProvisionedTransaction } from './provisioned-document';
import { Transaction } from '../record/transaction.entity';
import { isExpired, sendFile, streamTo, withoutHeadersOnError } from './send-file';

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
    await withoutHeadersOnError(
      response,
      () => this.respond(transaction, request, response),
      async () => {
        const still = await this.em.fork().findOne(Transaction, { uuid: transaction.uuid });
        if (still?.contentUuid) return null;
        return notFound(still ? 'DOCUMENT_NOT_AVAILABLE' : 'TRANSACTION_NOT_FOUND');
      },
    );
  }

  private async respond(transaction: Transaction, request: Request, response: Response): Promise<void> {
    if (!transaction.contentUuid || isExpired(transaction, this.clock.now())) throw notFound('DOCUMENT_NOT_AVAILABLE');
    const key = await this.keyManager.key(this.em, transaction.connectionUuid);
    const ref = { uuid: transaction.contentUuid, chunks: transaction.contentChunks, size: transaction.size };
    response.setHeader('Cache-Control', 'private, no-store');
    response.vary('Accept');
    const wanted = request.accepts(['application/json', BYTES, transaction.mimeType]);
    // JSON when no accepted type is available (decisions 1), and for a document that is JSON itself.
    if (wanted !== BYTES && (wanted !== transaction.mimeType || wanted === 'application/json')) {
      const identity = await this.em.findOneOrFail(Identity, transaction.identityUuid);
      const [marked] = await withSameAs(this.em, [payloadFields(transaction)], 'earlier');
      const payload = provisionedDocument(marked!, identity.clientIdentifier, 'data');
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.setHeader('Content-Length', payload.length);
      if (request.method === 'HEAD') return void response.end();
      await streamTo(payload.stream(this.store.parts(ref, key)), response);
      return;
    }
    const { filename, sha256 } = transaction;
    await sendFile(this.store, key, { ...ref, filename, sha256, mimeType: wanted }, request, response);
  }
}

function payloadFields(transaction: Transaction): ProvisionedTransaction & Pick<Transaction, 'invoiceCopy'> {
  const { uuid, identityUuid, connectionUuid, documentType, externalId } = transaction;
  const { filename, mimeType, size, metadata, invoiceCopy } = transaction;
  return {
    ...{ uuid, identityUuid, connectionUuid, documentType, externalId },
    ...{ filename, mimeType, size, metadata, invoiceCopy },
  };
}
