import type { EntityManager } from '@mikro-orm/postgresql';
import type { Metadata } from '../../documents/metadata';
import { prepared } from '../../platform/database/sql';
import { CANDIDATE_COLUMNS, type CandidateRow, MAX_COPIES, toInvoiceDocument } from './candidates';
import { type InvoiceDocument, isCopy } from './is-copy';

/** A transaction whose copies are searched. */
export interface CopyOwner extends InvoiceDocument {
  readonly uuid: string;
  readonly metadata: Metadata;
  /** Null when the document is no invoice, or its metadata do not identify it. */
  readonly invoiceCopy?: number | null;
}

/**
 * Which copies are named: all of them in a transaction; in the payload of a document only those that were recorded before it, so that
 * later attempts send the same bytes.
 */
type Which = 'all' | 'earlier';

const statement = (which: Which) => `
  select own.uuid as owner_uuid, t.uuid, ${CANDIDATE_COLUMNS}
  from unnest($1::uuid[]) as given (uuid) join transaction own on own.uuid = given.uuid
  cross join lateral (
    select * from transaction other
    where other.identity_uuid = own.identity_uuid and other.invoice_key = own.invoice_key
      and ${which === 'earlier' ? 'other.invoice_copy < own.invoice_copy' : 'other.invoice_copy <> own.invoice_copy'}
    order by other.invoice_copy limit ${MAX_COPIES}) t`;

const STATEMENTS: Readonly<Record<Which, string>> = { all: statement('all'), earlier: statement('earlier') };

/**
 * Adds `metadata.same_as` to the transactions whose invoice has also come as other documents of the identity (decisions 4). It is read
 * and not stored, so a deleted document is named nowhere. One statement for all, and none when there is nothing to search.
 */
export async function withSameAs<T extends CopyOwner>(
  em: EntityManager,
  transactions: readonly T[],
  which: Which,
): Promise<T[]> {
  const searched = transactions.filter(({ invoiceCopy }) => (invoiceCopy ?? 0) > (which === 'earlier' ? 1 : 0));
  if (searched.length === 0) return [...transactions];
  const rows = await prepared<CandidateRow & { owner_uuid: string; uuid: string }>(em, STATEMENTS[which], [
    searched.map(({ uuid }) => uuid),
  ]);
  return transactions.map((transaction) => {
    const copies = rows
      .filter((row) => row.owner_uuid === transaction.uuid && isCopy(transaction, toInvoiceDocument(row)))
      .map(({ uuid }) => uuid);
    return copies.length === 0
      ? transaction
      : { ...transaction, metadata: { ...transaction.metadata, same_as: copies } };
  });
}
