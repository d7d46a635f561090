import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentType, Metadata } from '../../documents/metadata';
import type { Strategy } from '../../identities/environments/environment.entity';

export const PROVISIONING_STATUSES = [
  'PENDING',
  'DELIVERED',
  'FAILED',
  'AVAILABLE',
  'ACKNOWLEDGED',
  'REJECTED',
] as const;
export type ProvisioningStatus = (typeof PROVISIONING_STATUSES)[number];

/** The code of a document that the client has acknowledged as one that it cannot use. */
export const REJECTED_BY_CLIENT = 'REJECTED_BY_CLIENT';

/** Why the last attempt did not succeed; `message`: what the client itself wrote of that, if anything. */
export interface DeliveryError {
  readonly code: string;
  readonly status: number | null;
  readonly message: string | null;
}

const schema = defineEntity({
  name: 'Transaction',
  tableName: 'transaction',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    identityUuid: p.uuid(),
    connectionUuid: p.uuid(),
    fetchUuid: p.uuid(),
    integrationId: p.text(),
    documentType: p.string().$type<DocumentType>(),
    externalId: p.text().nullable(),
    /** Ours; unique within the connection, so that every repeat is harmless. */
    dedupeKey: p.text(),
    filename: p.text(),
    mimeType: p.text(),
    size: p.bigint('number'),
    sha256: p.text(),
    /** Null once the content has been purged. */
    contentUuid: p.uuid().nullable(),
    contentChunks: p.integer(),
    metadata: p.json<Metadata>(),
    availableUntil: p.datetime(3).nullable(),

    strategy: p.string().$type<Strategy>(),
    status: p.string().$type<ProvisioningStatus>(),
    /** When the next push is due; null: nothing to send. */
    dueAt: p.datetime(3).nullable(),
    /** It is delivered again together with many others: what is new goes before it. */
    bulk: p.boolean().default(false),
    attempts: p.integer(),
    /** How many of them belong to earlier deliveries: the retry schedule counts from here, the attempt log goes on. */
    attemptsBefore: p.integer().default(0),
    /** When its delivery was restarted (redelivery, another strategy); null: it began when the document was recorded. */
    restartedAt: p.datetime(3).nullable(),
    lastAttemptAt: p.datetime(3).nullable(),
    lastError: p.json<DeliveryError>().nullable(),
    settledAt: p.datetime(3).nullable(),
    /** When the client accepted or rejected it. */
    acknowledgedAt: p.datetime(3).nullable(),
    /** What it wrote of that, if anything. */
    acknowledgedMessage: p.text().nullable(),
    /** Its place in the polling feed; null until a poller's look assigns it. */
    position: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
  },
});

/** One document of one connection (spec 2): the unit of all three provisioning strategies. */
export class Transaction extends schema.class {
  /** The client has answered 200: never pushed again. */
  markDelivered(at: Date): void {
    this.status = 'DELIVERED';
    this.settledAt = at;
    this.dueAt = null;
    this.lastError = null;
  }

  /** The attempt failed; the next one is due at `dueAt`. */
  scheduleRetry(dueAt: Date, error: DeliveryError): void {
    this.dueAt = dueAt;
    this.lastError = error;
  }

  /** The last attempt failed: kept, and redeliverable. */
  markFailed(error: DeliveryError): void {
    this.status = 'FAILED';
    this.dueAt = null;
    this.lastError = error;
  }
}
schema.setClass(Transaction);
