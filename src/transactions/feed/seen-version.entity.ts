import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'ReadVersion',
  tableName: 'read_version',
  properties: {
    connectionUuid: p.uuid().primary(),
    /** The source's own key of the version, `versionKey` of a new document. */
    dedupeKey: p.text().primary(),
    /** The fetch that has read it. */
    fetchUuid: p.uuid(),
  },
});

/** A version of a file that has been read, where content decides what is a document: it is never read again (ADR 14). */
export class SeenVersion extends schema.class {}
schema.setClass(SeenVersion);
