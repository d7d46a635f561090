import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'DataKey',
  tableName: 'data_key',
  properties: {
    /** The id of what it protects: a connection or an environment. */
    ownerUuid: p.uuid().primary(),
    /** Which master key wraps it. */
    masterKeyId: p.text(),
    wrapped: p.blob(),
    createdAt: p.datetime(3),
  },
});

/** The key of everything that belongs to one connection or environment, wrapped by a master key. Without it nothing can be read. */
export class DataKey extends schema.class {}
schema.setClass(DataKey);
