import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { RenditionMetadata } from '../../documents/metadata';
import { Clock } from '../../platform/clock/clock';
import { jsonb, sql } from '../../platform/database/sql';
import { findRecordedForms } from './forms/find-recorded-forms';
import { groupForms } from './forms/group-forms';
import type { DocumentOrigin, NewDocument } from './record-document';

/** A document that is a rendition, and the dedupe key of the document that it belongs to. */
interface NewRendition {
  readonly document: NewDocument;
  readonly of: string;
}

/** New documents by what becomes of them, without the renditions that are recorded already. */
export interface SortedDocuments {
  readonly documents: readonly NewDocument[];
  readonly renditions: readonly NewRendition[];
}

/**
 * Records the forms of one invoice as one transaction with renditions (decisions 4 "Renditions"). All methods run in the transaction
 * that records the documents, under the lock of their connection.
 */
@Injectable()
export class RecordRenditions {
  constructor(private readonly clock: Clock) {}

  /**
   * Decides which documents are renditions: of another one of them, of the document that their content was compared with, or of an
   * invoice that this fetch has recorded. A recorded document stays the document, whatever the form of its renditions.
   */
  async sort(em: EntityManager, origin: DocumentOrigin, received: readonly NewDocument[]): Promise<SortedDocuments> {
    const recorded = await this.recordedKeys(em, origin, received);
    const byKey = new Map(received.toReversed().map((document) => [document.dedupeKey, document]));
    const fresh = [...byKey.values()].toReversed().filter(({ dedupeKey }) => !recorded.has(dedupeKey));
    const groups = groupForms(fresh);
    const targets = await findRecordedForms(
      em,
      origin,
      groups.map((group) => [group.document, ...group.renditions]),
    );
    const sorted = groups.map(({ document, renditions }, at) => {
      const target = targets[at];
      const of = target ?? document.dedupeKey;
      const others = target === undefined ? renditions : [document, ...renditions];
      return {
        document: target === undefined ? [document] : [],
        others: others.map((each) => ({ document: each, of })),
      };
    });
    return {
      documents: sorted.flatMap(({ document }) => document),
      renditions: sorted.flatMap(({ others }) => others),
    };
  }

  /** Records renditions of recorded transactions, and returns the contents that are kept: none where the retention is over. */
  async record(em: EntityManager, origin: DocumentOrigin, renditions: readonly NewRendition[]): Promise<string[]> {
    if (renditions.length === 0) return [];
    const inserted = await sql<RenditionMetadata & { content_uuid: string | null; transaction_uuid: string }>(
      em,
      `insert into rendition (uuid, environment_uuid, connection_uuid, transaction_uuid, dedupe_key, filename, mime_type, size, sha256,
         content_uuid, content_chunks, created_at)
       select given.uuid, t.environment_uuid, t.connection_uuid, t.uuid, given.dedupe_key, given.filename, given.mime_type, given.size,
         given.sha256, case when t.content_uuid is not null then given.content_uuid end, given.content_chunks, $3
       from jsonb_to_recordset($2::jsonb) as given (uuid uuid, "of" text, dedupe_key text, filename text, mime_type text, size bigint,
         sha256 text, content_uuid uuid, content_chunks integer)
       join transaction t on t.connection_uuid = $1 and t.dedupe_key = given."of"
       on conflict (connection_uuid, dedupe_key, environment_uuid) do nothing
       returning uuid as rendition_id, filename, mime_type, size::float8 as size, sha256, content_uuid, transaction_uuid`,
      [origin.connectionUuid, jsonb(renditions.map(toRow)), this.clock.now()],
    );
    for (const [transaction, added] of Map.groupBy(inserted, (row) => row.transaction_uuid)) {
      const described = added.map(({ content_uuid: _, transaction_uuid: __, ...rendition }) => rendition);
      await sql(
        em,
        `update transaction set metadata = metadata || jsonb_build_object(
           'renditions', coalesce(metadata -> 'renditions', '[]'::jsonb) || $2::jsonb)
         where uuid = $1`,
        [transaction, jsonb(described)],
      );
    }
    return inserted.flatMap((row) => row.content_uuid ?? []);
  }

  /** Files are identified by content, so a copy of a rendition can appear elsewhere. Other keys are known to the listing. */
  private async recordedKeys(
    em: EntityManager,
    { connectionUuid }: DocumentOrigin,
    documents: readonly NewDocument[],
  ): Promise<ReadonlySet<string>> {
    const keys = documents.flatMap(({ dedupeKey, versionKey }) => (versionKey === undefined ? [] : [dedupeKey]));
    if (keys.length === 0) return new Set();
    const rows = await sql<{ dedupe_key: string }>(
      em,
      'select dedupe_key from rendition where connection_uuid = $1 and dedupe_key = any($2::text[])',
      [connectionUuid, keys],
    );
    return new Set(rows.map((row) => row.dedupe_key));
  }
}

function toRow({ document, of }: NewRendition) {
  const { dedupeKey, filename, mimeType, content } = document;
  return {
    uuid: uuid(),
    of,
    dedupe_key: dedupeKey,
    filename,
    mime_type: mimeType,
    size: content.size,
    sha256: content.sha256,
    content_uuid: content.uuid,
    content_chunks: content.chunks,
  };
}
