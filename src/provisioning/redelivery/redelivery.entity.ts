import { defineEntity, p } from '@mikro-orm/core';
import type { ProvisioningStatus } from '../../transactions/record/transaction.entity';

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
    status: p.string().$type<ProvisioningStatus>(),
    /** Inclusive. */
    createdFrom: p.datetime(3).nullable(),
    /** Exclusive. */
    createdTo: p.datetime(3).nullable(),
    /** The last processed transaction; null before the first batch and after the last one. */
    lastTransactionUuid: p.uuid().nullable(),
    /** Transactions that change or are created later do not match. */
    requestedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

/** A requested bulk redelivery: its criteria and its progress. */
export class Redelivery extends schema.class {}
schema.setClass(Redelivery);
