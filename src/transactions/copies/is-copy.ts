import type { DocumentType, Metadata, Party } from '../../documents/metadata';
import { normalizedId } from './invoice-key';

/** What decides whether two documents of an identity with the same invoice key are copies of one invoice. */
export interface InvoiceDocument {
  readonly connectionUuid: string;
  readonly externalId?: string | null;
  readonly documentType: DocumentType;
  readonly metadata: Pick<Metadata, 'supplier' | 'currency'>;
}

/**
 * Whether two documents with the same number, date and gross amount are the same invoice: it has the same VAT id of the supplier or,
 * when one of them states none, the same IBAN, and neither type nor currency contradict it. Versions of one file are no copies.
 */
export function isCopy(one: InvoiceDocument, other: InvoiceDocument): boolean {
  if (isVersionOf(one, other) || !areTypesCompatible(one.documentType, other.documentType)) return false;
  const [currency, otherCurrency] = [one.metadata.currency, other.metadata.currency];
  if (currency && otherCurrency && currency !== otherCurrency) return false;
  return isSameSupplier(one.metadata.supplier, other.metadata.supplier);
}

function isVersionOf(one: InvoiceDocument, other: InvoiceDocument): boolean {
  return one.externalId != null && one.externalId === other.externalId && one.connectionUuid === other.connectionUuid;
}

/** An invoice and a credit note are never the same; a source may call an invoice a receipt, or not know what it is. */
function areTypesCompatible(one: DocumentType, other: DocumentType): boolean {
  return one === 'document' || other === 'document' || (one === 'credit_note') === (other === 'credit_note');
}

/** A supplier has one VAT id and may have several accounts, so the IBAN counts only where a VAT id is missing. */
function isSameSupplier(one: Party | undefined, other: Party | undefined): boolean {
  const [vatId, otherVatId] = [normalizedId(one?.vat_id), normalizedId(other?.vat_id)];
  if (vatId && otherVatId) return vatId === otherVatId;
  const iban = normalizedId(one?.iban);
  return iban !== undefined && iban !== '' && iban === normalizedId(other?.iban);
}
