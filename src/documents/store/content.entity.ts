import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'Content',
  tableName: 'content',
  properties: {
    uuid: p.uuid().primary(),
    /** Whose data key seals it; with that key the content goes too. */
    ownerUuid: p.uuid(),
    /** Plain bytes; 0 until everything has arrived. */
    size: p.bigint('number'),
    /** Lower-case hex of the plain bytes; empty until everything has arrived. */
    sha256: p.text(),
    chunks: p.integer(),
    /** When a record came to own it; content that stays without one is swept. */
    attachedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** The bucket that its bytes lie in, with their prefix; null: `content_chunk`. */
    location: p.text().nullable(),
  },
});

/** The bytes of one document, sealed in chunks (`content_chunk`, or objects in a bucket), so that neither end ever holds more than a few. */
export class Content extends schema.class {}
schema.setClass(Content);
