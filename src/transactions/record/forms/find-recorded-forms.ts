import type { EntityManager } from '@mikro-orm/postgresql';
import { areSameInvoice, type InvoiceDocument, provenNumber } from '../../../documents/extraction/invoice-forms';
import { sql } from '../../../platform/database/sql';
import type { DocumentOrigin, NewDocument } from '../record-document';

/** Transactions of one fetch with the same number that are compared with new documents. */
const MAX_COMPARED = 200;

interface RecordedInvoice extends InvoiceDocument {
  readonly dedupeKey: string;
}

/** For each group, the key of the recorded document that it belongs to. */
export async function findRecordedForms(
  em: EntityManager,
  origin: DocumentOrigin,
  groups: readonly (readonly NewDocument[])[],
): Promise<(string | undefined)[]> {
  const own = new Set(groups.flat().map(({ dedupeKey }) => dedupeKey));
  const compared = groups.flat().flatMap(({ sameInvoiceAs: key }) => (key === undefined || own.has(key) ? [] : [key]));
  const byKey = await findByKey(em, origin, compared);
  const byNumber = await findByNumber(em, origin, groups.flat());
  // A document that is recorded already is a repetition, not a form of itself.
  const others = byNumber.filter(({ dedupeKey }) => !own.has(dedupeKey));
  const targets = groups.map(
    (group) =>
      group.flatMap(({ sameInvoiceAs: key }) => (key === undefined ? [] : (byKey.get(key) ?? [])))[0] ??
      others.find((each) => group.some((document) => areSameInvoice(each, document)))?.dedupeKey,
  );
  const kept = await lockKept(
    em,
    origin,
    targets.filter((key) => key !== undefined),
  );
  return targets.map((key) => (key !== undefined && kept.has(key) ? key : undefined));
}

/**
 * Locks the transactions with these keys, so that they are not purged before their renditions are recorded, and returns the keys of
 * those whose content is kept. A form that arrives after the others were purged is a document again.
 */
async function lockKept(
  em: EntityManager,
  { connectionUuid, environment }: DocumentOrigin,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await sql<{ dedupe_key: string }>(
    em,
    `select dedupe_key from transaction
     where connection_uuid = $1 and dedupe_key = any($2::text[]) and environment_uuid = $3 and content_uuid is not null
     order by uuid for update`,
    [connectionUuid, keys, environment.uuid],
  );
  return new Set(rows.map((row) => row.dedupe_key));
}

/** The documents with these keys, or those of which these are renditions. */
async function findByKey(
  em: EntityManager,
  { connectionUuid }: DocumentOrigin,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ key: string; of: string }>(
    em,
    `select dedupe_key as key, dedupe_key as of from transaction
     where connection_uuid = $1 and dedupe_key = any($2::text[])
     union all
     select r.dedupe_key, t.dedupe_key from rendition r
     join transaction t on t.uuid = r.transaction_uuid and t.environment_uuid = r.environment_uuid
     where r.connection_uuid = $1 and r.dedupe_key = any($2::text[])`,
    [connectionUuid, keys],
  );
  return new Map(rows.map((row) => [row.key, row.of]));
}

/** What this fetch has recorded under the numbers of these invoices. */
async function findByNumber(
  em: EntityManager,
  { connectionUuid, fetchUuid }: DocumentOrigin,
  documents: readonly NewDocument[],
): Promise<RecordedInvoice[]> {
  const numbers = [...new Set(documents.flatMap((document) => provenNumber(document) ?? []))];
  if (numbers.length === 0) return [];
  return sql(
    em,
    `select dedupe_key as "dedupeKey", mime_type as "mimeType", document_type as "documentType", metadata from transaction
     where connection_uuid = $1 and fetch_uuid = $2 and metadata ->> 'number' is not null
       and md5(metadata ->> 'number') = any(select md5(number) from unnest($3::text[]) as number)
     limit ${MAX_COMPARED}`,
    [connectionUuid, fetchUuid, numbers],
  );
}
