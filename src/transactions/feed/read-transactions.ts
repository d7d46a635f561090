import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentType, Metadata } from '../../documents/metadata';
import type { Strategy } from '../../identities/environments/setting-values';
import { dateOrNull, prepared } from '../../platform/database/sql';
import { withSameAs } from '../copies/with-same-as';
import type { ProvisioningStatus } from '../record/provisioning-status';
import type { DeliveryError, Transaction } from '../record/transaction.entity';

/** The visible fields of a transaction. */
export type TransactionDetails = Readonly<
  Pick<
    Transaction,
    | 'uuid'
    | 'connectionUuid'
    | 'identityUuid'
    | 'integrationId'
    | 'fetchUuid'
    | 'documentType'
    | 'externalId'
    | 'filename'
    | 'mimeType'
    | 'size'
    | 'sha256'
    | 'availableUntil'
    | 'metadata'
    | 'invoiceCopy'
    | 'strategy'
    | 'status'
    | 'attempts'
    | 'lastAttemptAt'
    | 'lastError'
    | 'createdAt'
  > & {
    /** The earliest time of the next push, in the past when it is due now; null: none follows. */
    readonly nextAttemptAt: Date | null;
  }
>;

interface TransactionRow {
  readonly uuid: string;
  readonly connection_uuid: string;
  readonly identity_uuid: string;
  readonly client_identifier: string;
  readonly integration_id: string;
  readonly fetch_uuid: string;
  readonly document_type: DocumentType;
  readonly external_id: string | null;
  readonly filename: string;
  readonly mime_type: string;
  readonly size: string;
  readonly sha256: string;
  readonly available_until: string | null;
  readonly metadata: Metadata;
  readonly invoice_copy: number | null;
  readonly strategy: Strategy;
  readonly status: ProvisioningStatus;
  readonly attempts: number;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly last_error: DeliveryError | null;
  readonly position: string;
  readonly created_at: string;
}

/** SQL: a blocked endpoint receives nothing before the end of the pause (decisions 6). */
const NEXT_ATTEMPT_AT = 'case when t.due_at is not null then greatest(t.due_at, p.circuit_open_until) end';

/** SQL: `rest` is the part after the joins, with a condition on `t`. */
export const readStatement = (
  rest: string,
) => `select t.uuid, t.connection_uuid, t.identity_uuid, i.client_identifier, t.integration_id, t.fetch_uuid,
    t.document_type, t.external_id, t.filename, t.mime_type, t.size, t.sha256, t.available_until, t.metadata,
    t.invoice_copy, t.strategy, t.status, t.attempts, t.last_attempt_at, ${NEXT_ATTEMPT_AT} as next_attempt_at, t.last_error, t.position, t.created_at
  from transaction t join identity i on i.uuid = t.identity_uuid
  left join endpoint p on p.environment_uuid = t.environment_uuid ${rest}`;

/** A transaction with its position in the feed and the client's identifier of its identity. */
export interface FeedEntry {
  readonly transaction: TransactionDetails;
  readonly clientIdentifier: string;
  readonly position: number;
}

/** Reads transactions that match a condition, without the ORM, because clients that poll read many. */
export async function readTransactions(
  em: EntityManager,
  rest: string,
  parameters: readonly unknown[],
): Promise<FeedEntry[]> {
  const entries = (await prepared<TransactionRow>(em, readStatement(rest), parameters)).map(toFeedEntry);
  const transactions = entries.map(({ transaction }) => transaction);
  const marked = await withSameAs(em, transactions, 'all');
  return entries.map((entry, index) => ({ ...entry, transaction: marked[index]! }));
}

/** Reads one transaction; null when it has been deleted. */
export async function readTransaction(em: EntityManager, uuid: string): Promise<FeedEntry | null> {
  return (await readTransactions(em, 'where t.uuid = $1', [uuid]))[0] ?? null;
}

const toFeedEntry = (row: TransactionRow): FeedEntry => ({
  transaction: {
    uuid: row.uuid,
    connectionUuid: row.connection_uuid,
    identityUuid: row.identity_uuid,
    integrationId: row.integration_id,
    fetchUuid: row.fetch_uuid,
    documentType: row.document_type,
    externalId: row.external_id,
    filename: row.filename,
    mimeType: row.mime_type,
    size: Number(row.size),
    sha256: row.sha256,
    availableUntil: dateOrNull(row.available_until),
    metadata: row.metadata,
    invoiceCopy: row.invoice_copy,
    strategy: row.strategy,
    status: row.status,
    attempts: row.attempts,
    lastAttemptAt: dateOrNull(row.last_attempt_at),
    nextAttemptAt: dateOrNull(row.next_attempt_at),
    lastError: row.last_error,
    createdAt: new Date(row.created_at),
  },
  clientIdentifier: row.client_identifier,
  position: Number(row.position),
});
