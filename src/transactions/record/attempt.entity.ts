import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'Attempt',
  tableName: 'delivery_attempt',
  properties: {
    uuid: p.uuid().primary(),
    transactionUuid: p.uuid(),
    number: p.integer(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    /** HTTP status; null when no answer came. */
    status: p.integer().nullable(),
    /** Null: the client answered 200. */
    errorCode: p.text().nullable(),
    /** The first KiB of the answer. */
    responseExcerpt: p.text().nullable(),
  },
});

/** One attempt to push one document (decisions 6): the delivery log. */
export class Attempt extends schema.class {}
schema.setClass(Attempt);
