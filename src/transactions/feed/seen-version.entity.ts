import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'SeenVersion',
  tableName: 'seen_version',
  properties: {
    connectionUuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** The source's key of the version, `versionKey` of a new document. */
    dedupeKey: p.text().primary(),
    /** The fetch that read it. */
    fetchUuid: p.uuid(),
  },
});

/**
 * A file version that has been read, for sources whose documents are deduplicated by content: it is not read again (ADR
 * 14).
 */
export class SeenVersion extends schema.class {}
schema.setClass(SeenVersion);
