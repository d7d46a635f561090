import { Injectable } from '@nestjs/common';
import { describeDocument } from '../../../documents/extraction/describe-document';
import { HEAD_BYTES, PDF_SIGNATURE, SIGNATURE_BYTES } from '../../../documents/detection/mime-type';
import { DocumentStore } from '../../../documents/store/document-store';
import { EInvoiceDetector } from '../../../documents/detection/e-invoice-detector';
import { safeFilename } from '../../../documents/detection/safe-filename';
import { mergeMetadata } from '../../../documents/extraction/merge-metadata';
import type { Integration, Session } from '../../../integrations/core/integration';
import type { DocumentRef } from '../../../integrations/core/source-document';
import { DocumentUnavailable } from '../../../integrations/core/source-errors';
import { matchRendition } from './rendition-match';
import type { NewDocument } from '../../../transactions/record/record-document';

/** Reads one document from its source into the store and says what it is. */
@Injectable()
export class DownloadDocument {
  constructor(private readonly store: DocumentStore) {}

  /** Rejects with the connector's error, or with the stream's; with `DocumentUnavailable` when it is empty. */
  async download(
    integration: Integration,
    session: Session,
    owner: { uuid: string; key: Buffer },
    ref: DocumentRef,
  ): Promise<NewDocument> {
    const source = await integration.open(session, ref);
    const marks = new EInvoiceDetector();
    const content = await this.store.put(owner.uuid, owner.key, marks.watch(source.stream), session.signal);
    // Only now it is known of what is decoded on its way. No later fetch finds more in it.
    if (content.size === 0) throw new DocumentUnavailable('The document is empty.', true);
    const whole = async () =>
      Buffer.concat(
        content.chunks === 1 ? content.start : ((await this.store.read(content, owner.key).toArray()) as Buffer[]),
      );
    const described = await describeDocument({
      head: beginning(content.start),
      size: content.size,
      filename: source.filename,
      declaredMimeType: source.mimeType,
      marked: marks.found,
      whole,
    });
    const pictured = await matchRendition(integration, session, ref, { ...described, size: content.size, whole });
    const { mimeType, documentType, metadata } = { ...described, ...pictured?.described };
    source.free?.();
    return {
      // sha256 is 64 letters: no key that a connector makes looks like this one.
      ...(ref.isSameByContent
        ? { dedupeKey: `content:${content.sha256}`, versionKey: ref.dedupeKey }
        : pictured
          ? { dedupeKey: pictured.dedupeKey, versionKey: ref.dedupeKey }
          : { dedupeKey: ref.dedupeKey }),
      externalId: ref.externalId,
      filename: safeFilename(source.filename),
      mimeType,
      documentType: documentType ?? ref.documentType ?? 'document',
      metadata: mergeMetadata(ref.metadata, metadata),
      // The first chunk has served its purpose: a batch of documents must not hold on to it.
      content: { ...content, start: [] },
    };
  }
}

/** Enough of the first chunk to recognise what it is. Most are PDFs by their first bytes: of those no more is joined than that takes. */
function beginning([first = Buffer.alloc(0), ...others]: readonly Buffer[]): Buffer {
  const enough = first.subarray(0, PDF_SIGNATURE.length).equals(PDF_SIGNATURE) ? SIGNATURE_BYTES : HEAD_BYTES;
  if (first.length >= enough || others.length === 0) return first;
  const length = others.reduce((sum, part) => sum + part.length, first.length);
  return Buffer.concat([first, ...others], Math.min(length, enough));
}
