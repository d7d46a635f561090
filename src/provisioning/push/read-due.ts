import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentType, Metadata } from '../../documents/metadata';
import { prepared } from '../../platform/database/sql';
import { withSameAs } from '../../transactions/copies/with-same-as';
import type { ProvisionedTransaction } from '../../transactions/download/provisioned-document';
import type { SpanCauses } from '../../platform/request/span';
import type { Transaction } from '../../transactions/record/transaction.entity';
import { causesOfDelivery } from '../shared/redelivery-trace';

/** The columns of a transaction that are needed to send it and to record the result. */
export type DueTransaction = ProvisionedTransaction &
  Readonly<
    Pick<Transaction, 'environmentUuid' | 'contentUuid' | 'contentChunks' | 'attempts' | 'invoiceCopy'> & {
      causes: SpanCauses;
    }
  >;

/** A due transaction with the client's identifier of its identity. */
export interface DueRecord {
  readonly transaction: DueTransaction;
  readonly clientIdentifier: string;
  readonly foundAt: Date;
}

interface DueRow {
  readonly uuid: string;
  readonly environment_uuid: string;
  readonly identity_uuid: string;
  readonly client_identifier: string;
  readonly connection_uuid: string;
  readonly document_type: DocumentType;
  readonly external_id: string | null;
  readonly filename: string;
  readonly mime_type: string;
  readonly size: string;
  readonly content_uuid: string | null;
  readonly content_chunks: number;
  readonly metadata: Metadata;
  readonly attempts: number;
  readonly invoice_copy: number | null;
  readonly traceparent: string | null;
  readonly redelivery_traceparent: string | null;
  readonly low_priority: boolean;
}

/** Selects due transactions of an environment. */
export interface DueQuery {
  readonly environmentUuid: string;
  /** Those redelivered in bulk, or the others. */
  readonly lowPriority: boolean;
  readonly at: Date;
  /** Uuids to leave out: they are being sent already. */
  readonly excluded: readonly string[];
  readonly limit: number;
}

/**
 * Reads due transactions, the oldest first, without the ORM (ADR 13). The limit is part of the statement's text, one
 * statement per limit: with a parameter the planner would assume a tenth of all waiting rows and sort them.
 */
export async function readDue(em: EntityManager, query: DueQuery): Promise<DueRecord[]> {
  const { environmentUuid, lowPriority, at, excluded, limit } = query;
  const rows = await prepared<DueRow>(em, dueStatement(limit), [environmentUuid, lowPriority, at, excluded]);
  return toDueRecords(em, rows, at);
}

const DUE_COLUMNS = `
  select t.uuid, t.environment_uuid, t.identity_uuid, i.client_identifier, t.connection_uuid, t.document_type,
    t.external_id, t.filename, t.mime_type, t.size, t.content_uuid, t.content_chunks, t.metadata, t.attempts,
    t.invoice_copy, t.traceparent, t.redelivery_traceparent, t.low_priority
  from transaction t join identity i on i.uuid = t.identity_uuid`;

/** Of an environment ($1), in bulk or not ($2), at a time ($3), without the uuids in $4. */
export const dueStatement = (limit: number): string => `${DUE_COLUMNS}
  where t.environment_uuid = $1 and t.low_priority = $2 and t.due_at <= $3 and t.uuid <> all($4::uuid[])
  order by t.due_at, t.uuid limit ${limit}`;

/**
 * Reads the one document that may be sent as the trial of a half-open circuit (decisions 6): of the due ones, that with
 * the fewest attempts in its current delivery, so that one that is always refused does not block the others.
 */
export async function readTrial(
  em: EntityManager,
  { environmentUuid, at, excluded }: Pick<DueQuery, 'environmentUuid' | 'at' | 'excluded'>,
): Promise<DueRecord[]> {
  return toDueRecords(em, await prepared<DueRow>(em, TRIAL_STATEMENT, [environmentUuid, at, excluded]), at);
}

/** Reads due documents whose delivery began at `expireBefore` or earlier: they have waited for too long. */
export async function readLastAttempts(
  em: EntityManager,
  {
    environmentUuid,
    at,
    excluded,
    expireBefore,
    limit,
  }: Omit<DueQuery, 'lowPriority'> & { readonly expireBefore: Date },
): Promise<DueRecord[]> {
  const rows = await prepared<DueRow>(em, LAST_ATTEMPTS_STATEMENT, [
    environmentUuid,
    at,
    excluded,
    expireBefore,
    limit,
  ]);
  return toDueRecords(em, rows, at);
}

/** Of an environment ($1), at a time ($2), without the uuids in $3. */
export const TRIAL_STATEMENT = `${DUE_COLUMNS}
  where t.environment_uuid = $1 and t.due_at <= $2 and t.uuid <> all($3::uuid[])
  order by t.attempts - t.prior_attempts, t.due_at, t.uuid limit 1`;

/**
 * SQL: a condition on `transaction t` in two parts, both answered by the index `transaction_trial`. The first part
 * selects those without an attempt, which have been due since their delivery began; very many of them may not have
 * waited for long.
 */
export const expiredConditions = (
  environment: string,
  now: string,
  expireBefore: string,
): readonly [string, string] => [
  `t.environment_uuid = ${environment} and t.attempts - t.prior_attempts = 0 and t.due_at <= ${expireBefore}`,
  `t.environment_uuid = ${environment} and t.attempts - t.prior_attempts > 0 and t.due_at <= ${now}
     and coalesce(t.restarted_at, t.created_at) <= ${expireBefore}`,
];

const LAST_ATTEMPTS_STATEMENT = `${DUE_COLUMNS}
  where t.uuid <> all($3::uuid[]) and t.uuid in (${expiredConditions('$1', '$2', '$4')
    .map((condition) => `(select t.uuid from transaction t where t.due_at is not null and ${condition} limit $5::int)`)
    .join(' union all ')})
  order by t.due_at, t.uuid limit $5::int`;

const STILL_DUE_STATEMENT = 'select from transaction where uuid = $1 and attempts = $2 and due_at is not null';

/**
 * Checks whether the attempt is still to be made: the document was not acknowledged, deleted or sent by another worker
 * since it was read.
 */
export const isStillDue = async (em: EntityManager, { uuid, attempts }: DueTransaction): Promise<boolean> =>
  (await prepared(em, STILL_DUE_STATEMENT, [uuid, attempts])).length === 1;

async function toDueRecords(em: EntityManager, rows: readonly DueRow[], foundAt: Date): Promise<DueRecord[]> {
  const transactions = await withSameAs(em, rows.map(toDueTransaction), 'earlier');
  return transactions.map((transaction, index) => ({
    transaction,
    clientIdentifier: rows[index]!.client_identifier,
    foundAt,
  }));
}

const toDueTransaction = (row: DueRow): DueTransaction => ({
  uuid: row.uuid,
  environmentUuid: row.environment_uuid,
  identityUuid: row.identity_uuid,
  connectionUuid: row.connection_uuid,
  documentType: row.document_type,
  externalId: row.external_id,
  filename: row.filename,
  mimeType: row.mime_type,
  size: Number(row.size),
  contentUuid: row.content_uuid,
  contentChunks: row.content_chunks,
  metadata: row.metadata,
  attempts: row.attempts,
  invoiceCopy: row.invoice_copy,
  causes: causesOfDelivery(row.traceparent, { redelivery: row.redelivery_traceparent, isBulk: row.low_priority }),
});
