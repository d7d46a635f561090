import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';
import type { Redelivery } from './redelivery.entity';

export type RedeliveryCriteria = Pick<
  Redelivery,
  | 'environmentUuid'
  | 'identityUuid'
  | 'connectionUuid'
  | 'integrationId'
  | 'status'
  | 'transactionUuids'
  | 'documentType'
  | 'createdFrom'
  | 'createdTo'
  | 'requestedAt'
>;

/**
 * SQL: the criteria of a redelivery as a condition on `transaction t`; its parameters are {@link criteriaParameters}. `greatest` ignores
 * nulls. `last_attempt_at` is the start of an attempt: one that was running at the request may have delivered the document since.
 */
const MATCHES = `t.environment_uuid = $1 and ($2::text is null or t.status = $2)
  and ($3::uuid is null or t.identity_uuid = $3) and ($4::uuid is null or t.connection_uuid = $4)
  and ($5::text is null or t.integration_id = $5)
  and ($6::timestamptz is null or t.created_at >= $6) and ($7::timestamptz is null or t.created_at < $7)
  and greatest(t.created_at, t.last_attempt_at, t.settled_at, t.acknowledged_at) <= $8 and ($9::text is null or t.document_type = $9)
  and ($10::uuid[] is null or t.uuid = any($10))`;

const criteriaParameters = (criteria: RedeliveryCriteria) => [
  criteria.environmentUuid,
  criteria.status ?? null,
  criteria.identityUuid ?? null,
  criteria.connectionUuid ?? null,
  criteria.integrationId ?? null,
  criteria.createdFrom ?? null,
  criteria.createdTo ?? null,
  criteria.requestedAt,
  criteria.documentType ?? null,
  criteria.transactionUuids ?? null,
];

/** Counts the matching transactions: `count` can be delivered, the content of `skipped` has been purged. */
export async function countMatching(
  em: EntityManager,
  criteria: RedeliveryCriteria,
): Promise<{ count: number; skipped: number }> {
  const [row] = await sql<{ count: number; skipped: number }>(
    em,
    `select (count(t.content_uuid))::int as count, (count(*) - count(t.content_uuid))::int as skipped
     from transaction t where ${MATCHES}`,
    criteriaParameters(criteria),
  );
  return row!;
}

/** Reads the uuids of the next matching transactions after `lastTransactionUuid`, in order. */
export async function readNextMatching(
  em: EntityManager,
  criteria: RedeliveryCriteria & Pick<Redelivery, 'lastTransactionUuid'>,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ uuid: string }>(
    em,
    `select t.uuid from transaction t where ${MATCHES} and ($11::uuid is null or t.uuid > $11) order by t.uuid limit ${limit}`,
    [...criteriaParameters(criteria), criteria.lastTransactionUuid ?? null],
  );
  return rows.map(({ uuid }) => uuid);
}

/**
 * Restarts an open redelivery with the same criteria now. Returns its uuid, or null when there is none. Repeated requests
 * therefore cost as much as one, and include transactions that have come to match in the meantime.
 */
export async function restartRedelivery(
  em: EntityManager,
  criteria: RedeliveryCriteria,
  total: number,
  traceparent: string | null,
): Promise<string | null> {
  const [open] = await sql<{ uuid: string }>(
    em,
    `update redelivery set requested_at = $8, last_transaction_uuid = null, total = $11, processed = 0,
       traceparent = $12
     where uuid = (
       select uuid from redelivery
       where finished_at is null and environment_uuid = $1 and status is not distinct from $2::text and identity_uuid is not distinct from $3::uuid
         and connection_uuid is not distinct from $4::uuid and integration_id is not distinct from $5::text
         and document_type is not distinct from $9::text and created_from is not distinct from $6::timestamptz and created_to is not distinct from $7::timestamptz
         and transaction_uuids is not distinct from $10::uuid[]
       order by uuid limit 1 for update)
     returning uuid`,
    [...criteriaParameters(criteria), total, traceparent],
  );
  return open?.uuid ?? null;
}
