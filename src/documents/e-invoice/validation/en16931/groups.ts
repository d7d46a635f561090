import { exists, isTrue, normalized, select, some } from '../engine/select';
import { type Condition, fromRoot, matching, named } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';

/** Where the groups of EN 16931 are in UBL and in CII, as the rules address them. */

const charge =
  (value: boolean): Condition =>
  (node) =>
    isTrue(node, 'ChargeIndicator', value);
const inLine: Condition = ({ parent }) => parent?.name === 'InvoiceLine' || parent?.name === 'CreditNoteLine';

export const UBL = {
  LINE: named('InvoiceLine', 'CreditNoteLine'),
  LINE_PERIOD: matching('InvoicePeriod', inLine),
  PERIOD: matching('InvoicePeriod', (node, invoice) => !inLine(node, invoice)),
  ALLOWANCE: fromRoot('AllowanceCharge', charge(false)),
  CHARGE: fromRoot('AllowanceCharge', charge(true)),
  LINE_ALLOWANCE: matching('InvoiceLine/AllowanceCharge|CreditNoteLine/AllowanceCharge', charge(false)),
  LINE_CHARGE: matching('InvoiceLine/AllowanceCharge|CreditNoteLine/AllowanceCharge', charge(true)),
  TOTALS: named('LegalMonetaryTotal'),
  BREAKDOWN: matching('TaxTotal/TaxSubtotal'),
  DOCUMENT: named('AdditionalDocumentReference'),
  PAYMENT: named('PaymentMeans'),
  PAYEE: named('PayeeParty'),
  REPRESENTATIVE: named('TaxRepresentativeParty'),
  SELLER: named('AccountingSupplierParty'),
} as const;

/** CII compares the indicator of an allowance or charge as text. */
const indicator =
  (value: 'true' | 'false'): Condition =>
  (node) =>
    select(node, 'ChargeIndicator').some((each) => some(each, 'Indicator', value));

export const CII = {
  LINE: named('IncludedSupplyChainTradeLineItem'),
  LINE_PERIOD: matching('SpecifiedLineTradeSettlement/BillingSpecifiedPeriod'),
  PERIOD: matching('ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod'),
  ALLOWANCE: matching('ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge', indicator('false')),
  CHARGE: matching('ApplicableHeaderTradeSettlement/SpecifiedTradeAllowanceCharge', indicator('true')),
  LINE_ALLOWANCE: matching('SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge', indicator('false')),
  LINE_CHARGE: matching('SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge', indicator('true')),
  TOTALS: named('SpecifiedTradeSettlementHeaderMonetarySummation'),
  /** The rules of the breakdown are not tested for IGIC, IPSI and items outside the scope of VAT. */
  BREAKDOWN: matching(
    'ApplicableHeaderTradeSettlement/ApplicableTradeTax',
    (node) =>
      !['L', 'M', 'O'].some((code) => isVatCii(node) && inTransaction(node) && some(node, 'CategoryCode', code)),
  ),
  DOCUMENT: named('AdditionalReferencedDocument'),
  PAYMENT: named('SpecifiedTradeSettlementPaymentMeans'),
  PAYEE: named('PayeeTradeParty'),
  REPRESENTATIVE: named('SellerTaxRepresentativeTradeParty'),
  SELLER: named('SellerTradeParty'),
} as const;

function inTransaction(breakdown: XmlNode): boolean {
  return breakdown.parent?.parent?.name === 'SupplyChainTradeTransaction';
}

/** Whether a tax category of UBL is one of VAT. */
export function isVat(category: XmlNode): boolean {
  return select(category, 'TaxScheme').some((scheme) => normalized(scheme, 'ID').toUpperCase() === 'VAT');
}

/** Whether a tax of CII is VAT. */
export function isVatCii(tax: XmlNode): boolean {
  return select(tax, 'TypeCode').some((code) => code.text.toUpperCase() === 'VAT');
}

export const SETTLEMENT = 'SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement';
export const AGREEMENT = 'SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement';
export const DELIVERY = 'SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery';
export const LINE_SUM = 'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation';

/** A reason or a reason code is given. */
export const hasReasonUbl: Condition = (node) => exists(node, 'AllowanceChargeReason|AllowanceChargeReasonCode');
export const hasReasonCii: Condition = (node) => exists(node, 'Reason|ReasonCode');
