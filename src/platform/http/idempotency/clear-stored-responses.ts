import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../database/sql';

/**
 * Removes the stored responses that refer to deleted resources, in the caller's transaction. The row stays without its response
 * until it expires: a late retry of the request that created a resource must not create it again.
 */
export async function clearStoredResponses(em: EntityManager, resources: readonly string[]): Promise<void> {
  if (resources.length === 0) return;
  await sql(
    em,
    `update idempotency_key k set response = null, resource_uuids = '{}'
     from (select scope_uuid, key from idempotency_key where resource_uuids && $1::uuid[] order by scope_uuid, key for update) found
     where k.scope_uuid = found.scope_uuid and k.key = found.key`,
    [resources],
  );
}

/** Deletes the keys of a deleted identity. No UI token of it is valid, so they cannot be used again. */
export async function deleteIdempotencyKeys(em: EntityManager, identityUuid: string): Promise<void> {
  await sql(em, 'delete from idempotency_key where scope_uuid = $1', [identityUuid]);
}
