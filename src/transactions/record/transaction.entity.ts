import { defineEntity, p } from '@mikro-orm/core';
import type { ValidationResult } from '../../documents/e-invoice/validation/validate-invoice';
import type { DocumentType, Metadata } from '../../documents/metadata';
import type { Strategy } from '../../identities/environments/setting-values';
import type { ProvisioningStatus } from './provisioning-status';

/** The code of a document that the client has rejected. */
export const REJECTED_BY_CLIENT = 'REJECTED_BY_CLIENT';

/** The error of the last attempt; `message`: the client's own description, if there is one. */
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
    /** Our identifier, unique within the connection, so that a document is recorded once. */
    dedupeKey: p.text(),
    filename: p.text(),
    mimeType: p.text(),
    size: p.bigint('number'),
    sha256: p.text(),
    /** Null once the content has been purged. */
    contentUuid: p.uuid().nullable(),
    contentChunks: p.integer(),
    metadata: p.json<Metadata>(),
    /** By which copies of one invoice are found; null when the metadata do not identify an invoice. */
    invoiceKey: p.text().nullable(),
    /** The place among the documents of the identity with this key. */
    invoiceCopy: p.integer().nullable(),
    /** The VAT id or IBAN of the supplier, by which its invoices are found. */
    supplierKey: p.text().nullable(),
    /** The report on an e-invoice, loaded on demand; null when no rules apply. */
    validation: p.json<ValidationResult>().nullable().lazy(),
    availableUntil: p.datetime(3).nullable(),

    strategy: p.string().$type<Strategy>(),
    status: p.string().$type<ProvisioningStatus>(),
    /** The time of the next push; null: nothing to send. */
    dueAt: p.datetime(3).nullable(),
    /** It is part of a bulk redelivery: new documents are sent before it. */
    lowPriority: p.boolean().default(false),
    attempts: p.integer(),
    /**
     * The number of attempts of earlier deliveries: the retry schedule starts after them, the attempt log continues.
     */
    priorAttempts: p.integer().default(0),
    /**
     * The time of the last restart of the delivery (redelivery, changed strategy); null: it began when the document was
     * recorded.
     */
    restartedAt: p.datetime(3).nullable(),
    lastAttemptAt: p.datetime(3).nullable(),
    lastError: p.json<DeliveryError>().nullable(),
    settledAt: p.datetime(3).nullable(),
    /** The time when the client accepted or rejected it. */
    acknowledgedAt: p.datetime(3).nullable(),
    /** The client's message, if there is one. */
    acknowledgedMessage: p.text().nullable(),
    /** The position in the polling feed; null until a poll assigns it. */
    position: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
    /** The span of the document: the parent of those of its pushes. */
    traceparent: p.text().nullable(),
    /** The span that has requested its delivery again. */
    redeliveryTraceparent: p.text().nullable(),
  },
});

/** One document of one connection (spec 2): the unit of all three provisioning strategies. */
export class Transaction extends schema.class {
  /** Schedules the next attempt after a failed one. */
  scheduleRetry(dueAt: Date, error: DeliveryError): void {
    this.dueAt = dueAt;
    this.lastError = error;
  }

  /** Marks it as failed after the last attempt: it is kept and can be redelivered. */
  markFailed(error: DeliveryError): void {
    this.status = 'FAILED';
    this.dueAt = null;
    this.lastError = error;
  }
}
schema.setClass(Transaction);
