import type { InvoiceDocument } from '../../engine/invoice-document';
import { exists, select } from '../../engine/select';
import { AGREEMENT } from '../groups';
import type { VatCategory } from './vat-categories';

/** Whether seller, tax representative and buyer have, or do not have, the numbers that a VAT category needs. */
export function hasPartiesCii(invoice: InvoiceDocument, { parties }: VatCategory): boolean {
  const found = invoice.once('parties', () => partiesOf(invoice));
  const { anywhere } = found;
  switch (parties) {
    case 'SELLER_TAX':
      return found.sellerTax || found.representativeVat;
    case 'SELLER_VAT':
      return anywhere.sellerVat || anywhere.representativeVat;
    case 'SELLER_AND_BUYER':
      return (anywhere.sellerTax || anywhere.representativeVat) && (anywhere.buyerVat || anywhere.buyerRegistration);
    case 'SELLER_AND_BUYER_VAT':
      return (anywhere.sellerVat || anywhere.representativeVat) && anywhere.buyerVat;
    case 'NOBODY':
      return !found.sellerVat && !found.representativeVat && !anywhere.buyerVat;
  }
}

/** Some rules look for a party in the header only, others anywhere in the invoice. */
function partiesOf(invoice: InvoiceDocument) {
  const schemes = (party: string, header: boolean) => {
    const parties = header ? select(invoice.root, `${AGREEMENT}/${party}`) : invoice.named(party);
    return parties.flatMap((each) =>
      select(each, 'SpecifiedTaxRegistration/ID/@schemeID').map((scheme) => scheme.text),
    );
  };
  const of = (header: boolean) => {
    const seller = schemes('SellerTradeParty', header);
    return {
      sellerTax: seller.includes('VA') || seller.includes('FC'),
      sellerVat: seller.includes('VA'),
      representativeVat: schemes('SellerTaxRepresentativeTradeParty', header).includes('VA'),
      buyerVat: schemes('BuyerTradeParty', header).includes('VA'),
      buyerRegistration: invoice
        .named('BuyerTradeParty')
        .some((buyer) => exists(buyer, 'SpecifiedLegalOrganization/ID')),
    };
  };
  return { ...of(true), anywhere: of(false) };
}
