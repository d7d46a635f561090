import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { DocumentStore, type StoredContent } from '../../documents/store/document-store';
import type { ValidationResult } from '../../documents/e-invoice/validation/validate-invoice';
import type { DocumentType, Metadata } from '../../documents/metadata';
import { statusSql } from '../../identities/connection-status';
import type { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { jsonb, sql } from '../../platform/database/sql';
import { Outbox } from '../../platform/outbox/outbox';
import { type CopyNumber, numberCopies } from '../copies/number-copies';
import { supplierKeyOf } from '../copies/supplier-key';
import { RecordRenditions } from './record-renditions';
import { recordVersions } from './record-versions';
import { heldDelivery, initialDelivery } from './initial-delivery';
import { withRevisions } from './with-revisions';
import { notifyAvailable } from './notify-available';
import type { ProvisioningStatus } from './provisioning-status';

/** A document whose content is stored. */
export interface NewDocument {
  readonly dedupeKey: string;
  /** For sources deduplicated by content: the source's key of the version, stored for new and for known documents. */
  readonly versionKey?: string;
  readonly externalId: string | null;
  readonly filename: string;
  readonly mimeType: string;
  readonly documentType: DocumentType;
  readonly metadata: Metadata;
  /** The dedupe key of an XML invoice that this PDF shows, by a comparison of their contents (ADR 18). */
  readonly sameInvoiceAs?: string;
  /** The validation report of an e-invoice. */
  readonly validation?: ValidationResult;
  readonly content: StoredContent;
  /** The span in which it was read, if that was traced. */
  readonly traceparent?: string | null;
}

/** The common data of the documents of one call. */
export interface DocumentOrigin {
  readonly connectionUuid: string;
  readonly identityUuid: string;
  readonly integrationId: string;
  readonly fetchUuid: string;
  readonly environment: Environment;
}

/**
 * The connection was disabled or deleted, or its credentials became invalid: nothing more is recorded for it (spec
 * 4.5).
 */
export class ConnectionStopped extends Error {
  constructor() {
    super('The connection is no longer active.');
    this.name = 'ConnectionStopped';
  }
}

/** The only creator of transactions. */
@Injectable()
export class RecordDocument {
  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly renditions: RecordRenditions,
  ) {}

  /**
   * Records documents in the caller's transaction, each with the due time of its delivery, and returns the dedupe keys
   * of the new ones. Further forms of an invoice become its renditions. A known document is not recorded again, and its new content is
   * removed. `readKeys` are remembered like those of documents.
   * @throws ConnectionStopped
   */
  async record(
    em: EntityManager,
    origin: DocumentOrigin,
    documents: readonly NewDocument[],
    readKeys: readonly string[] = [],
  ): Promise<Set<string>> {
    await this.lockActive(em, origin);
    const sorted = await this.renditions.sort(em, origin, documents);
    const formKeys = sorted.renditions.map(({ document }) => document.versionKey ?? document.dedupeKey);
    const versionKeys = documents.flatMap(({ versionKey }) => versionKey ?? []);
    await recordVersions(em, origin, [...new Set([...readKeys, ...versionKeys, ...formKeys])]);
    const inserted = await this.insert(em, origin, sorted.documents);
    const forms = await this.renditions.record(em, origin, sorted.renditions);
    const kept = [...inserted.map((row) => row.content_uuid), ...forms];
    if (!(await this.store.attach(em, origin.environment.uuid, kept)))
      throw new Error('Stored content has vanished before it was recorded.');
    const repeated = documents.map((document) => document.content.uuid).filter((content) => !kept.includes(content));
    if (repeated.length > 0) await this.store.remove(em, repeated);
    const available = inserted.filter(({ status }) => status === 'AVAILABLE');
    await notifyAvailable(em, this.outbox, origin, available, this.clock.now());
    return new Set(inserted.map((row) => row.dedupe_key));
  }

  /** Returns the rows that are new. */
  private async insert(em: EntityManager, origin: DocumentOrigin, documents: readonly NewDocument[]) {
    if (documents.length === 0) return [];
    const numbered = await withRevisions(em, origin, documents);
    const copies = await numberCopies(em, origin, numbered);
    const rows = numbered.map((document, index) => this.toRow(origin, document, copies[index]!));
    return sql<InsertedRow>(
      em,
      `insert into transaction (${INSERT_COLUMNS.map(([name]) => name).join(', ')})
       select * from jsonb_to_recordset($1::jsonb) as given (${INSERT_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')})
       on conflict (connection_uuid, dedupe_key, environment_uuid) do nothing
       returning uuid, dedupe_key, content_uuid, status, available_until is null as "isHeld"`,
      [jsonb(rows)],
    );
  }

  /** Locks the connection until the commit: disabling or deleting waits for this page, or this page notices it. */
  private async lockActive(em: EntityManager, { connectionUuid, environment }: DocumentOrigin): Promise<void> {
    const [connection] = await sql<{ status: string }>(
      em,
      `select ${statusSql('c')} as status from connection c where uuid = $1 and environment_uuid = $2 for update`,
      [connectionUuid, environment.uuid],
    );
    if (connection?.status !== 'ACTIVE') throw new ConnectionStopped();
  }

  private toRow(origin: DocumentOrigin, document: NewDocument, { invoice_key, invoice_copy, isCopy }: CopyNumber) {
    const { environment } = origin;
    const now = this.clock.now();
    return {
      uuid: uuid(),
      environment_uuid: environment.uuid,
      identity_uuid: origin.identityUuid,
      connection_uuid: origin.connectionUuid,
      fetch_uuid: origin.fetchUuid,
      integration_id: origin.integrationId,
      document_type: document.documentType,
      external_id: document.externalId,
      dedupe_key: document.dedupeKey,
      filename: document.filename,
      mime_type: document.mimeType,
      size: document.content.size,
      sha256: document.content.sha256,
      content_uuid: document.content.uuid,
      content_chunks: document.content.chunks,
      metadata: document.metadata,
      validation: document.validation ?? null,
      invoice_key,
      invoice_copy,
      supplier_key: supplierKeyOf(document.metadata),
      ...(isCopy && environment.holdDuplicates
        ? heldDelivery(environment)
        : initialDelivery(environment, document.content.size, now)),
      attempts: 0,
      created_at: now,
      traceparent: document.traceparent ?? null,
    };
  }
}

interface InsertedRow {
  readonly uuid: string;
  readonly dedupe_key: string;
  readonly content_uuid: string;
  readonly status: ProvisioningStatus;
  /** A held duplicate. */
  readonly isHeld: boolean;
}

const INSERT_COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ['uuid', 'uuid'],
  ['environment_uuid', 'uuid'],
  ['identity_uuid', 'uuid'],
  ['connection_uuid', 'uuid'],
  ['fetch_uuid', 'uuid'],
  ['integration_id', 'text'],
  ['document_type', 'text'],
  ['external_id', 'text'],
  ['dedupe_key', 'text'],
  ['filename', 'text'],
  ['mime_type', 'text'],
  ['size', 'bigint'],
  ['sha256', 'text'],
  ['content_uuid', 'uuid'],
  ['content_chunks', 'integer'],
  ['metadata', 'jsonb'],
  ['validation', 'jsonb'],
  ['invoice_key', 'text'],
  ['invoice_copy', 'integer'],
  ['supplier_key', 'text'],
  ['available_until', 'timestamptz'],
  ['strategy', 'text'],
  ['status', 'text'],
  ['due_at', 'timestamptz'],
  ['attempts', 'integer'],
  ['created_at', 'timestamptz'],
  ['traceparent', 'text'],
];
