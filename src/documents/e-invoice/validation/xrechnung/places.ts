import { AGREEMENT, DELIVERY, SETTLEMENT } from '../en16931/groups';
import { normalize, select } from '../engine/select';
import { type Condition, fromRoot } from '../engine/tests';

/** Where the rules of XRechnung are tested; unlike those of EN 16931, they follow the path from the root element. */
export const AT_UBL = {
  SELLER: fromRoot('AccountingSupplierParty'),
  SELLER_ADDRESS: fromRoot('AccountingSupplierParty/Party/PostalAddress'),
  SELLER_CONTACT: fromRoot('AccountingSupplierParty/Party/Contact'),
  BUYER_ADDRESS: fromRoot('AccountingCustomerParty/Party/PostalAddress'),
  DELIVERY_ADDRESS: fromRoot('Delivery/DeliveryLocation/Address'),
  BREAKDOWN: fromRoot('TaxTotal/TaxSubtotal'),
  payment: (...means: readonly string[]) => fromRoot('PaymentMeans', codeIn('PaymentMeansCode', means)),
} as const;

export const AT_CII = {
  CONTEXT: fromRoot('ExchangedDocumentContext'),
  SELLER: fromRoot(`${AGREEMENT}/SellerTradeParty`),
  SELLER_ADDRESS: fromRoot(`${AGREEMENT}/SellerTradeParty/PostalTradeAddress`),
  SELLER_CONTACT: fromRoot(`${AGREEMENT}/SellerTradeParty/DefinedTradeContact`),
  BUYER_ADDRESS: fromRoot(`${AGREEMENT}/BuyerTradeParty/PostalTradeAddress`),
  DELIVERY_ADDRESS: fromRoot(`${DELIVERY}/ShipToTradeParty/PostalTradeAddress`),
  BREAKDOWN: fromRoot(`${SETTLEMENT}/ApplicableTradeTax`),
  payment: (...means: readonly string[]) =>
    fromRoot(`${SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans`, codeIn('TypeCode', means)),
} as const;

/** The only code on the path is one of these; an element with several codes does not count. */
export function codeIn(path: string, codes: readonly string[]): Condition {
  return (node) => {
    const [code, ...further] = select(node, path);
    return code !== undefined && further.length === 0 && codes.includes(normalize(code.text));
  };
}
