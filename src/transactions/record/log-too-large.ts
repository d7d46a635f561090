import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import { jsonb, sql } from '../../platform/database/sql';
import type { DeliveryError } from './transaction.entity';

/** The code of documents that have to be pulled although the environment's strategy is push. */
export const TOO_LARGE_FOR_PUSH = 'TOO_LARGE_FOR_PUSH';

/**
 * Records in the delivery log of documents over the push limit why they are not pushed (decisions 6), as an attempt
 * that counts like any other. Runs in the caller's transaction, which has locked or created them.
 */
export async function logTooLarge(em: EntityManager, transactions: readonly string[], now: Date): Promise<void> {
  if (transactions.length === 0) return;
  const error: DeliveryError = { code: TOO_LARGE_FOR_PUSH, status: null, message: null };
  await sql(
    em,
    `with refused as (
       update transaction set attempts = attempts + 1, last_attempt_at = $3, last_error = $4::jsonb
       where uuid = any($1::uuid[]) returning uuid, environment_uuid, attempts)
     insert into delivery_attempt (uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms, error_code)
     select given.attempt, refused.environment_uuid, e.retention_class, refused.uuid, refused.attempts, $3, 0, $5
     from refused join unnest($1::uuid[], $2::uuid[]) as given (transaction, attempt) on given.transaction = refused.uuid
       join environment e on e.uuid = refused.environment_uuid`,
    [transactions, transactions.map(() => uuid()), now, jsonb(error), TOO_LARGE_FOR_PUSH],
  );
}
