import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'DataKeyVersion',
  tableName: 'data_key_version',
  properties: {
    ownerUuid: p.uuid().primary(),
    version: p.integer().primary(),
    environmentUuid: p.uuid(),
    masterKeyId: p.text(),
    wrappedKey: p.blob(),
    createdAt: p.datetime(3),
    /** When it became a former version; null: the successor of the current one. */
    replacedAt: p.datetime(3).nullable(),
    /** The next step of the replacement. */
    dueAt: p.datetime(3),
  },
});

/** A version of a data key that only decrypts. */
export class DataKeyVersion extends schema.class {}
schema.setClass(DataKeyVersion);
