import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'Content',
  tableName: 'content',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** The owner whose data key encrypts it; the content is deleted with that key. */
    ownerUuid: p.uuid(),
    /** Plaintext bytes; 0 until the content is complete. */
    size: p.bigint('number'),
    /** Of the plaintext, in lower-case hex; empty until the content is complete. */
    sha256: p.text(),
    chunks: p.integer(),
    /** The oldest version of the data key that any of its chunks needs. */
    keyVersion: p.integer(),
    /** When a record was created for it; content without a record is deleted by a sweep. */
    attachedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** The bucket and prefix that store its bytes; null: `content_chunk`. */
    location: p.text().nullable(),
    /** In a bucket: the number of chunks that are objects of their own, before the object of all further ones; null: all of them. */
    tailFrom: p.integer().nullable(),
    /** In a bucket: until when a process encrypts its objects again. */
    reencryptingUntil: p.datetime(3).nullable(),
  },
});

/** The bytes of one document in encrypted chunks (`content_chunk`, or objects in a bucket), so that memory use stays small. */
export class Content extends schema.class {}
schema.setClass(Content);
