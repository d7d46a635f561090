import { Injectable } from '@nestjs/common';
import { describeDocument } from '../../../documents/extraction/describe-document';
import { HEAD_BYTES, PDF, PDF_SIGNATURE, SIGNATURE_BYTES } from '../../../documents/detection/mime-type';
import type { ContentOwner } from '../../../documents/store/chunk-store';
import { DocumentStore } from '../../../documents/store/document-store';
import { EInvoiceDetector } from '../../../documents/detection/e-invoice-detector';
import { safeFilename } from '../../../documents/detection/safe-filename';
import { mergeMetadata } from '../../../documents/extraction/merge-metadata';
import type { ReadDocument } from '../../../documents/extraction/read-pdf';
import type { DocumentType } from '../../../documents/metadata';
import { documentPasswords } from '../../../integrations/core/document-passwords';
import type { Integration, Session } from '../../../integrations/core/integration';
import type { DocumentRef } from '../../../integrations/core/source-document';
import { DocumentUnavailable } from '../../../integrations/core/source-errors';
import { contentKey } from './content-key';
import { matchRendition } from './rendition-match';
import type { NewDocument } from '../../../transactions/record/record-document';
import type { KeyRing } from '../../../platform/crypto/key-ring';

/** Downloads one document into the store and describes it. */
@Injectable()
export class DownloadDocument {
  constructor(private readonly store: DocumentStore) {}

  /** Rejects with the error of the connector or the stream, and with `DocumentUnavailable` when the document is empty. */
  async download(
    integration: Integration,
    session: Session,
    owner: ContentOwner & { readonly key: KeyRing; readonly readsText: boolean },
    ref: DocumentRef,
  ): Promise<NewDocument> {
    const source = await integration.download(session, ref);
    const marks = new EInvoiceDetector();
    const content = await this.store.put(owner, owner.key, marks.scan(source.stream), session.signal);
    // The size of a decoded document is known only now. A later fetch would find it empty, too.
    if (content.size === 0) throw new DocumentUnavailable('The document is empty.', true, { problem: 'EMPTY' });
    const whole = async () =>
      Buffer.concat(
        content.chunks === 1 ? content.start : ((await this.store.read(content, owner.key).toArray()) as Buffer[]),
      );
    const passwords = documentPasswords(session.fields);
    const read = await describeDocument({
      head: headOf(content.start),
      size: content.size,
      filename: source.filename,
      declaredMimeType: source.mimeType,
      marked: marks.found,
      readsText: owner.readsText,
      passwords,
      whole,
    });
    const isDamaged = read.mimeType === PDF && !marks.hasPdfEnd;
    const downloaded = { ...read, size: content.size, passwords, whole };
    const sameInvoiceAs = await matchRendition(integration, session, ref, downloaded);
    source.releaseBuffers?.();
    return {
      ...(ref.isSameByContent
        ? { dedupeKey: contentKey(content.sha256), versionKey: ref.dedupeKey }
        : { dedupeKey: ref.dedupeKey }),
      ...(sameInvoiceAs !== undefined && { sameInvoiceAs }),
      externalId: ref.externalId,
      filename: safeFilename(source.filename),
      mimeType: read.mimeType,
      documentType: typeOf(ref, read),
      metadata: { ...mergeMetadata(ref.metadata, read), ...(isDamaged && { damaged: true }) },
      ...(read.validation && { validation: read.validation }),
      // The first chunk is no longer needed: a batch of documents must not keep it in memory.
      content: { ...content, start: [] },
    };
  }
}

/** An e-invoice states its type itself; the title of a PDF counts only where the source does not know better. */
function typeOf({ documentType: listed }: DocumentRef, { documentType: read, from }: ReadDocument): DocumentType {
  const isKnown = listed !== undefined && listed !== 'document';
  return (from === 'TEXT' && isKnown ? listed : read) ?? listed ?? 'document';
}

/** The beginning of a document, long enough to detect its type. For PDFs, the majority, only the signature is joined. */
function headOf([first = Buffer.alloc(0), ...others]: readonly Buffer[]): Buffer {
  const enough = first.subarray(0, PDF_SIGNATURE.length).equals(PDF_SIGNATURE) ? SIGNATURE_BYTES : HEAD_BYTES;
  if (first.length >= enough || others.length === 0) return first;
  const length = others.reduce((sum, part) => sum + part.length, first.length);
  return Buffer.concat([first, ...others], Math.min(length, enough));
}
