import { defineEntity, p } from '@mikro-orm/core';
import type { RetentionClass } from '../../platform/history/retention-class';

const schema = defineEntity({
  name: 'Attempt',
  tableName: 'delivery_attempt',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** That of the environment when the row was written. */
    retentionClass: p.string().$type<RetentionClass>(),
    transactionUuid: p.uuid(),
    number: p.integer(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    /** HTTP status; null without a response. */
    status: p.integer().nullable(),
    /** Null when the client answered 200. */
    errorCode: p.text().nullable(),
    /** The first KiB of the response. */
    responseExcerpt: p.text().nullable(),
  },
});

/** One attempt to push one document (decisions 6): the delivery log. */
export class Attempt extends schema.class {}
schema.setClass(Attempt);
