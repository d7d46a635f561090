import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'MissingInvoiceRecord',
  tableName: 'missing_invoice',
  properties: {
    identityUuid: p.uuid().primary(),
    /** That of the transactions. */
    supplierKey: p.text().primary(),
    /** The date of the last invoice that came before the missing one. */
    lastDate: p.date().primary(),
    environmentUuid: p.uuid(),
    /** The connection from which that one came; the row is deleted with it. */
    connectionUuid: p.uuid(),
    createdAt: p.datetime(3),
  },
});

/** An expected invoice that has not come, and of which the client has been told (decisions 9). */
export class MissingInvoiceRecord extends schema.class {}
schema.setClass(MissingInvoiceRecord);
