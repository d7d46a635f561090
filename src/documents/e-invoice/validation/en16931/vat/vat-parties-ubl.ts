import type { InvoiceDocument } from '../../engine/invoice-document';
import { exists, select } from '../../engine/select';
import type { XmlNode } from '../../engine/xml-node';
import { isVat } from '../groups';
import type { VatCategory } from './vat-categories';

/** Whether seller, tax representative and buyer have, or do not have, the numbers that a VAT category needs. */
export function hasPartiesUbl(invoice: InvoiceDocument, { parties }: VatCategory): boolean {
  const found = invoice.once('parties', () => partiesOf(invoice));
  switch (parties) {
    case 'SELLER_TAX':
      return found.sellerTax || found.representativeVat;
    case 'SELLER_VAT':
      return found.sellerVat || found.representativeVat;
    case 'SELLER_AND_BUYER':
      return (found.sellerTax || found.representativeVat) && (found.buyerVat || found.buyerRegistration);
    case 'SELLER_AND_BUYER_VAT':
      return (found.sellerVat || found.representativeVat) && found.buyerVat;
    case 'NOBODY':
      return !found.sellerVat && !found.representativeVat && !found.buyerVat;
  }
}

function partiesOf(invoice: InvoiceDocument) {
  const schemes = (party: string, path: string) => invoice.named(party).flatMap((each) => select(each, path));
  const seller = schemes('AccountingSupplierParty', 'Party/PartyTaxScheme');
  const buyer = schemes('AccountingCustomerParty', 'Party/PartyTaxScheme');
  const numbered = (scheme: XmlNode) => exists(scheme, 'CompanyID');
  const vatNumbered = (scheme: XmlNode) => isVat(scheme) && numbered(scheme);
  return {
    sellerTax: seller.some(numbered),
    sellerVat: seller.some(vatNumbered),
    representativeVat: schemes('TaxRepresentativeParty', 'PartyTaxScheme').some(vatNumbered),
    buyerVat: buyer.some(vatNumbered),
    buyerRegistration: schemes('AccountingCustomerParty', 'Party/PartyLegalEntity').some(numbered),
  };
}
