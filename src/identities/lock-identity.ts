import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../platform/database/sql';

/** Prevents the deletion of an identity until the transaction ends. Returns false if it no longer exists. */
export async function lockIdentityForShare(em: EntityManager, environmentUuid: string, uuid: string): Promise<boolean> {
  const text = 'select uuid from identity where uuid = $1 and environment_uuid = $2 for key share';
  return (await sql(em, text, [uuid, environmentUuid])).length > 0;
}
