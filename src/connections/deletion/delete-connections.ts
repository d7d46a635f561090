import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import { clearStoredResponses } from '../../platform/http/idempotency/clear-stored-responses';
import { deleteJobs } from '../../platform/jobs/job-queries';
import { deleteHits } from '../../platform/rate-limit/transactional-throttler';
import { FETCH_NOW } from '../state/fetch-now-quota';
import { deleteEvents, lockEvents } from './delete-events';
import { deleteRedeliveries, forgetChosenTransactions } from './delete-redeliveries';

/**
 * Deletes connections with everything that belongs to them, in the caller's transaction, which has locked them. Every step is one
 * statement for all of them. Foreign keys delete the rows that only describe a connection: its failures, transactions, authorization flows,
 * and the provider's side of a sandbox connection.
 *
 * A transaction that locks several rows locks them in the order of their uuids, and in the order of these steps: connections, redeliveries,
 * transactions, events, webhooks. Deletions therefore do not deadlock with deliveries, polls and acknowledgements.
 */
export async function deleteConnections(em: EntityManager, connections: readonly string[]): Promise<void> {
  if (connections.length === 0) return;
  await deleteRedeliveries(em, 'connection_uuid', connections);
  await forgetChosenTransactions(em, connections);
  await lockTransactions(em, connections);
  await lockEvents(em, connections);
  await queueRevocations(em, connections);
  await deleteWebhooks(em, connections);
  await deleteEvents(em, connections);
  await deleteAttempts(em, connections);
  await deleteFetches(em, connections);
  await deleteContents(em, connections);
  await deleteDataKeys(em, connections);
  await deleteHits(em, FETCH_NOW, connections);
  await sql(em, 'delete from connection where uuid = any($1::uuid[])', [connections]);
  await deleteJobs(em, connections);
  await clearStoredResponses(em, connections);
}

async function lockTransactions(em: EntityManager, connections: readonly string[]): Promise<void> {
  // The uuids are aggregated, so that they are not sent to this process.
  await sql(
    em,
    `select count(*) from (
       select from transaction where connection_uuid = any($1::uuid[]) order by uuid for update) locked`,
    [connections],
  );
}

/** Records the tokens to revoke at the providers (decisions 4), encrypted with the key of the environment. */
async function queueRevocations(em: EntityManager, connections: readonly string[]): Promise<void> {
  await sql(
    em,
    `with deleted as (delete from oauth_grant where connection_uuid = any($1::uuid[]) returning *)
     insert into oauth_revocation (environment_uuid, integration_id, account_digest, revocation_token)
     select environment_uuid, integration_id, account_digest, revocation_token from deleted where revocation_token is not null`,
    [connections],
  );
}

/** Deletes their own webhooks; the foreign key deletes the waiting events and the log. */
async function deleteWebhooks(em: EntityManager, connections: readonly string[]): Promise<void> {
  const rows = await sql<{ uuid: string }>(
    em,
    'delete from webhook where connection_uuid = any($1::uuid[]) returning uuid',
    [connections],
  );
  const webhooks = rows.map(({ uuid }) => uuid);
  await deleteJobs(em, webhooks);
  await clearStoredResponses(em, webhooks);
}

/** Deletes the delivery log. An attempt is added under the lock of its document's row, which this transaction holds. */
async function deleteAttempts(em: EntityManager, connections: readonly string[]): Promise<void> {
  await sql(
    em,
    `delete from delivery_attempt a using transaction t
     where t.connection_uuid = any($1::uuid[]) and a.transaction_uuid = t.uuid and a.environment_uuid = t.environment_uuid`,
    [connections],
  );
}

/** Deletes the history of their fetches. A fetch is ended under the lock of its connection's row, which this transaction holds. */
async function deleteFetches(em: EntityManager, connections: readonly string[]): Promise<void> {
  await sql(em, 'delete from "fetch" where connection_uuid = any($1::uuid[])', [connections]);
}

/** Deletes the encrypted documents; a trigger queues the deletion of objects in the bucket. */
async function deleteContents(em: EntityManager, connections: readonly string[]): Promise<void> {
  await sql(em, 'delete from content where owner_uuid = any($1::uuid[])', [connections]);
}

/**
 * Makes everything that the connections have encrypted unreadable, in backups too (decisions 4). An upload that runs at the same time
 * may have stored content since the previous step: the foreign key deletes it.
 */
async function deleteDataKeys(em: EntityManager, connections: readonly string[]): Promise<void> {
  await sql(em, 'delete from data_key where owner_uuid = any($1::uuid[])', [connections]);
}
