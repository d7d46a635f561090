import { raw } from '@mikro-orm/core';
import type { RetentionClass } from './retention-class';

/** The value of the column `retention_class` for a new row of an environment, which the database reads as it inserts the row. */
export const retentionClassOf = (environmentUuid: string): RetentionClass =>
  raw<RetentionClass>('(select retention_class from environment where uuid = ?)', [environmentUuid]);
