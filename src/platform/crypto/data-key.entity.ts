import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'DataKey',
  tableName: 'data_key',
  properties: {
    /** The connection or environment whose data it protects. */
    ownerUuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** The version of `wrappedKey`; `data_key_version` has the others. */
    version: p.integer(),
    /** Which master key wraps it. */
    masterKeyId: p.text(),
    wrappedKey: p.blob(),
    createdAt: p.datetime(3),
  },
});

/** The key that encrypts everything of one connection or environment, wrapped by a master key. */
export class DataKey extends schema.class {}
schema.setClass(DataKey);
