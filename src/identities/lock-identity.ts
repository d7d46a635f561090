import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../platform/database/sql';

/** Prevents the deletion of an identity until the transaction ends. Returns false if it no longer exists. */
export async function lockIdentityForShare(em: EntityManager, uuid: string): Promise<boolean> {
  return (await sql(em, 'select uuid from identity where uuid = $1 for key share', [uuid])).length > 0;
}
