import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'Rendition',
  tableName: 'rendition',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    connectionUuid: p.uuid(),
    transactionUuid: p.uuid(),
    /** Of the document that was received, unique within the connection like those of transactions. */
    dedupeKey: p.text(),
    filename: p.text(),
    mimeType: p.text(),
    size: p.bigint('number'),
    sha256: p.text(),
    /** Null once the content has been purged, together with that of the transaction. */
    contentUuid: p.uuid().nullable(),
    contentChunks: p.integer(),
    createdAt: p.datetime(3),
  },
});

/** Another form in which the invoice of a transaction was received (ADR 18). */
export class Rendition extends schema.class {}
schema.setClass(Rendition);
