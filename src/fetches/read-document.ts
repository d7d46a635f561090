import { Injectable } from '@nestjs/common';
import { describeDocument } from '../documents/describe-document';
import { DocumentStore } from '../documents/document-store';
import { InvoiceMarks } from '../documents/invoice-marks';
import { safeFilename } from '../documents/safe-filename';
import { mergeMetadata } from '../documents/merge-metadata';
import type { Integration, Session } from '../integrations/integration';
import type { DocumentRef } from '../integrations/source-document';
import type { NewDocument } from '../transactions/record-document';

/** Reads one document from its source into the store and says what it is. */
@Injectable()
export class ReadDocument {
  constructor(private readonly store: DocumentStore) {}

  /** Rejects with the connector's error, or with the stream's. */
  async run(
    integration: Integration,
    session: Session,
    owner: { uuid: string; key: Buffer },
    ref: DocumentRef,
  ): Promise<NewDocument> {
    const source = await integration.open(session, ref);
    const marks = new InvoiceMarks();
    const content = await this.store.put(owner.uuid, owner.key, marks.watch(source.stream), session.signal);
    const { mimeType, documentType, metadata } = await describeDocument({
      head: content.head,
      size: content.size,
      filename: source.filename,
      declaredMimeType: source.mimeType,
      marked: marks.found,
      whole: () =>
        this.store
          .read(content, owner.key)
          .toArray()
          .then((parts) => Buffer.concat(parts as Buffer[])),
    });
    return {
      dedupeKey: ref.dedupeKey,
      externalId: ref.externalId,
      filename: safeFilename(source.filename),
      mimeType,
      documentType: documentType ?? ref.documentType ?? 'document',
      metadata: mergeMetadata(ref.metadata, metadata),
      // The first chunk has served its purpose: a batch of documents must not hold on to it.
      content: { ...content, head: Buffer.alloc(0) },
    };
  }
}
