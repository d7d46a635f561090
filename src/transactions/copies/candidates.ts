import type { DocumentType, Party } from '../../documents/metadata';
import type { InvoiceDocument } from './is-copy';

/** The most documents with one invoice key that are compared, and that `metadata.same_as` names. */
export const MAX_COPIES = 100;

/** SQL: what `isCopy` compares of a transaction `t`. */
export const CANDIDATE_COLUMNS = `t.connection_uuid, t.external_id, t.document_type, t.metadata->'supplier' as supplier,
  t.metadata->>'currency' as currency`;

/** A row with {@link CANDIDATE_COLUMNS}. */
export interface CandidateRow {
  readonly connection_uuid: string;
  readonly external_id: string | null;
  readonly document_type: DocumentType;
  readonly supplier: Party | null;
  readonly currency: string | null;
}

export const toInvoiceDocument = (row: CandidateRow): InvoiceDocument => ({
  connectionUuid: row.connection_uuid,
  externalId: row.external_id,
  documentType: row.document_type,
  metadata: { ...(row.supplier && { supplier: row.supplier }), ...(row.currency && { currency: row.currency }) },
});
