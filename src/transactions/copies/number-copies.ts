import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentType, Metadata } from '../../documents/metadata';
import { sql } from '../../platform/database/sql';
import { CANDIDATE_COLUMNS, type CandidateRow, MAX_COPIES, toInvoiceDocument } from './candidates';
import { type InvoiceDocument, isCopy } from './is-copy';
import { invoiceKeyOf } from './invoice-key';

interface RecordedDocument {
  readonly dedupeKey: string;
  readonly externalId: string | null;
  readonly documentType: DocumentType;
  readonly metadata: Metadata;
}

/** The columns by which copies of a document are found, and whether one has been recorded before it. */
export interface CopyNumber {
  readonly invoice_key: string | null;
  /** Orders the documents of an identity with the same key by their commits. */
  readonly invoice_copy: number | null;
  readonly isCopy: boolean;
}

const NO_INVOICE: CopyNumber = { invoice_key: null, invoice_copy: null, isCopy: false };

interface Candidate extends InvoiceDocument {
  readonly dedupeKey: string;
  readonly copy: number;
}

/**
 * Numbers documents among those of their identity with the same invoice key, in the caller's transaction and in their order. The keys
 * stay locked until the commit: of two copies that workers commit at the same moment, one is the second.
 */
export async function numberCopies(
  em: EntityManager,
  { identityUuid, connectionUuid }: { readonly identityUuid: string; readonly connectionUuid: string },
  documents: readonly RecordedDocument[],
): Promise<CopyNumber[]> {
  const keys = documents.map(({ documentType, metadata }) => invoiceKeyOf(documentType, metadata));
  const distinct = [...new Set(keys.filter((key) => key !== null))];
  if (distinct.length === 0) return documents.map(() => NO_INVOICE);
  await lockKeys(em, identityUuid, distinct);
  const recorded = await readCandidates(em, identityUuid, distinct);
  return documents.map((document, index) => {
    const key = keys[index];
    if (key == null) return NO_INVOICE;
    const candidates = recorded.get(key)!;
    const copy = 1 + Math.max(0, ...candidates.map((candidate) => candidate.copy));
    const current = { ...document, connectionUuid, copy };
    const others = candidates.filter((other) => !isSameDocument(current, other));
    candidates.push(current);
    return { invoice_key: key, invoice_copy: copy, isCopy: others.some((other) => isCopy(current, other)) };
  });
}

const isSameDocument = (one: Candidate, other: Candidate): boolean =>
  one.connectionUuid === other.connectionUuid && one.dedupeKey === other.dedupeKey;

/** In one order, so that transactions with several keys do not deadlock. */
async function lockKeys(em: EntityManager, identityUuid: string, keys: readonly string[]): Promise<void> {
  await sql(
    em,
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('invoice:' || name, 0) as key from unnest($1::text[]) as name order by 1) ordered`,
    [keys.map((key) => `${identityUuid}:${key}`)],
  );
}

/** The latest documents of each key. */
async function readCandidates(
  em: EntityManager,
  identityUuid: string,
  keys: readonly string[],
): Promise<Map<string, Candidate[]>> {
  const rows = await sql<CandidateRow & { dedupe_key: string; invoice_key: string; invoice_copy: number }>(
    em,
    `select t.dedupe_key, t.invoice_key, t.invoice_copy, ${CANDIDATE_COLUMNS} from unnest($2::text[]) as given (key)
     cross join lateral (
       select * from transaction where identity_uuid = $1 and invoice_key = given.key
       order by invoice_copy desc limit ${MAX_COPIES}) t`,
    [identityUuid, keys],
  );
  const candidates = new Map<string, Candidate[]>(keys.map((key) => [key, []]));
  for (const row of rows) {
    const document = toInvoiceDocument(row);
    candidates.get(row.invoice_key)!.push({ ...document, dedupeKey: row.dedupe_key, copy: row.invoice_copy });
  }
  return candidates;
}
