import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentType, Metadata } from '../../documents/metadata';
import { prepared } from '../../platform/database/sql';
import type { ProvisionedTransaction } from '../../transactions/download/provisioned-document';
import type { Transaction } from '../../transactions/record/transaction.entity';

/** Of a transaction, what it takes to send it and to write down how that went. */
export type DueTransaction = ProvisionedTransaction &
  Readonly<Pick<Transaction, 'environmentUuid' | 'contentUuid' | 'contentChunks' | 'attempts'>>;

/** A transaction that is due, with the client's name for its identity. */
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
}

/** Which of an environment's are asked for. */
export interface DueQuery {
  readonly environmentUuid: string;
  /** What is delivered again in bulk, or what is not. */
  readonly bulk: boolean;
  readonly at: Date;
  /** Those that are being sent already. */
  readonly excluded: readonly string[];
  readonly limit: number;
}

/**
 * What is due, the oldest first, read without the ORM (ADR 13). The limit is part of the text, of which there are as many as
 * there are limits: with a parameter the database would plan for a tenth of all that waits, and sort it.
 */
export async function readDue(em: EntityManager, wanted: DueQuery): Promise<DueRecord[]> {
  const { environmentUuid, bulk, at, excluded, limit } = wanted;
  return (await prepared<DueRow>(em, dueStatement(limit), [environmentUuid, bulk, at, excluded])).map((row) =>
    toDueRecord(row, at),
  );
}

const DUE_COLUMNS = `
  select t.uuid, t.environment_uuid, t.identity_uuid, i.client_identifier, t.connection_uuid, t.document_type,
    t.external_id, t.filename, t.mime_type, t.size, t.content_uuid, t.content_chunks, t.metadata, t.attempts
  from transaction t join identity i on i.uuid = t.identity_uuid`;

/** Of an environment ($1), in bulk or not ($2), at that time ($3), without these ($4). */
export const dueStatement = (limit: number): string => `${DUE_COLUMNS}
  where t.environment_uuid = $1 and t.bulk = $2 and t.due_at <= $3 and t.uuid <> all($4::uuid[])
  order by t.due_at, t.uuid limit ${limit}`;

/**
 * The one document that may be sent to an endpoint whose circuit is open (decisions 6): of those that are due, the one with
 * the fewest attempts in its present delivery, so that one that is always refused does not block the others.
 */
export async function readTrial(
  em: EntityManager,
  { environmentUuid, at, excluded }: Pick<DueQuery, 'environmentUuid' | 'at' | 'excluded'>,
): Promise<DueRecord[]> {
  return (await prepared<DueRow>(em, TRIAL_STATEMENT, [environmentUuid, at, excluded])).map((row) =>
    toDueRecord(row, at),
  );
}

/** Documents that are due and whose delivery began at `expireBefore` or earlier: they have waited for too long. */
export async function readLastAttempts(
  em: EntityManager,
  { environmentUuid, at, excluded, expireBefore, limit }: Omit<DueQuery, 'bulk'> & { readonly expireBefore: Date },
): Promise<DueRecord[]> {
  const rows = await prepared<DueRow>(em, LAST_ATTEMPTS_STATEMENT, [
    environmentUuid,
    at,
    excluded,
    expireBefore,
    limit,
  ]);
  return rows.map((row) => toDueRecord(row, at));
}

/** Of an environment ($1), at that time ($2), without these ($3). */
export const TRIAL_STATEMENT = `${DUE_COLUMNS}
  where t.environment_uuid = $1 and t.due_at <= $2 and t.uuid <> all($3::uuid[])
  order by t.attempts - t.attempts_before, t.due_at, t.uuid limit 1`;

/**
 * SQL: a condition on `transaction t`, in two parts, both of which the index `transaction_trial` answers. The first are those
 * without an attempt, which have been due since their delivery began; there may be very many that have not waited for long.
 */
export const expiredConditions = (
  environment: string,
  now: string,
  expireBefore: string,
): readonly [string, string] => [
  `t.environment_uuid = ${environment} and t.attempts - t.attempts_before = 0 and t.due_at <= ${expireBefore}`,
  `t.environment_uuid = ${environment} and t.attempts - t.attempts_before > 0 and t.due_at <= ${now}
     and coalesce(t.restarted_at, t.created_at) <= ${expireBefore}`,
];

const LAST_ATTEMPTS_STATEMENT = `${DUE_COLUMNS}
  where t.uuid <> all($3::uuid[]) and t.uuid in (${expiredConditions('$1', '$2', '$4')
    .map((condition) => `(select t.uuid from transaction t where t.due_at is not null and ${condition} limit $5::int)`)
    .join(' union all ')})
  order by t.due_at, t.uuid limit $5::int`;

const STILL_DUE_STATEMENT = 'select from transaction where uuid = $1 and attempts = $2 and due_at is not null';

/** Whether this attempt is still to be made: not acknowledged, deleted or sent by somebody else since it was looked up. */
export const isStillDue = async (em: EntityManager, { uuid, attempts }: DueTransaction): Promise<boolean> =>
  (await prepared(em, STILL_DUE_STATEMENT, [uuid, attempts])).length === 1;

const toDueRecord = (row: DueRow, foundAt: Date): DueRecord => ({
  transaction: {
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
  },
  clientIdentifier: row.client_identifier,
  foundAt,
});
