import { defineEntity, p } from '@mikro-orm/core';
import type { ProvisioningStatus } from '../../transactions/record/transaction.entity';

const schema = defineEntity({
  name: 'Redelivery',
  tableName: 'redelivery',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** Which of the environment's transactions are meant; null: any. */
    identityUuid: p.uuid().nullable(),
    connectionUuid: p.uuid().nullable(),
    integrationId: p.text().nullable(),
    status: p.string().$type<ProvisioningStatus>(),
    /** Inclusive. */
    createdFrom: p.datetime(3).nullable(),
    /** Exclusive. */
    createdTo: p.datetime(3).nullable(),
    /** How far it has come: the last transaction it looked at. */
    after: p.uuid().nullable(),
    /** What changes or arrives later is not meant. */
    requestedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

/** The wish to deliver many transactions again, and how far it has been carried out. */
export class Redelivery extends schema.class {}
schema.setClass(Redelivery);
