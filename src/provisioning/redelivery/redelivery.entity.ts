import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentType } from '../../documents/metadata';
import type { ProvisioningStatus } from '../../transactions/record/provisioning-status';

const schema = defineEntity({
  name: 'Redelivery',
  tableName: 'redelivery',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** Only transactions of this identity; null: of any. */
    identityUuid: p.uuid().nullable(),
    connectionUuid: p.uuid().nullable(),
    integrationId: p.text().nullable(),
    /** Null: whatever the status of the chosen transactions is. */
    status: p.string().$type<ProvisioningStatus>().nullable(),
    /** Only these transactions, in the order of their uuids, until it has finished; null: all that match. */
    transactionUuids: p.array<string>().columnType('uuid[]').nullable(),
    /** Only transactions of this type; null: of any. */
    documentType: p.string().$type<DocumentType>().nullable(),
    /** Inclusive. */
    createdFrom: p.datetime(3).nullable(),
    /** Exclusive. */
    createdTo: p.datetime(3).nullable(),
    /** The last processed transaction; null before the first batch and after the last one. */
    lastTransactionUuid: p.uuid().nullable(),
    /** Transactions that change or are created later do not match. */
    requestedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
    /** The span of the request: those of the deliveries are linked to it. */
    traceparent: p.text().nullable(),
    /** The matching transactions when it was requested, and those that have been processed since. */
    total: p.integer().default(0),
    processed: p.integer().default(0),
  },
});

/** A requested bulk redelivery: its criteria and its progress. */
export class Redelivery extends schema.class {}
schema.setClass(Redelivery);
