import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import { prepared } from '../platform/database/sql';
import type { Transaction } from '../transactions/transaction.entity';
import { noteSuccess } from './breaker';
import type { PushResult } from './push';

/** What `Transaction.delivered`, the attempt log and the breaker say of a success, in one statement. */
const SETTLE = `
  with settled as (
    update transaction t set attempts = t.attempts + 1, last_attempt_at = $3, status = 'DELIVERED', settled_at = $4::timestamptz,
      due_at = null, last_error = null, available_until = $4::timestamptz + make_interval(days => e.retention_delivered_days)
    from environment e
    where t.uuid = $1 and t.attempts = $2 and t.due_at is not null and e.uuid = t.environment_uuid
    returning t.uuid, t.attempts
  ), logged as (
    insert into delivery_attempt (uuid, transaction_uuid, number, started_at, duration_ms, status, error_code, response_excerpt)
    select $5::uuid, uuid, attempts, $3, $6::int, $7::int, null, $8::text from settled
  ), endpoint_noted as (${noteSuccess('$9::uuid', '$4::timestamptz')})
  select attempts as number, coalesce((select held from endpoint_noted), false) as held from settled`;

/**
 * Settles what nearly every attempt is: the first to be settled of a transaction that still waits for it, and a success.
 * Answers null, and has changed nothing of the transaction, when something has happened to it meanwhile.
 */
export async function settleDelivered(
  em: EntityManager,
  sent: Transaction,
  startedAt: Date,
  result: PushResult,
  now: Date,
): Promise<{ readonly number: number; readonly held: boolean } | null> {
  const rows = await prepared<{ number: number; held: boolean }>(em, SETTLE, [
    sent.uuid,
    sent.attempts,
    startedAt,
    now,
    uuid(),
    result.durationMs,
    result.status,
    result.responseExcerpt,
    sent.environmentUuid,
  ]);
  return rows[0] ?? null;
}
