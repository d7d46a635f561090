import { format102Day } from '../calendar-day';
import type { InvoiceFields, PartyFields, TotalsFields } from '../invoice-fields';
import { ownTaxTotals } from '../tax-totals';
import type { XmlElement } from './xml';

const CEFACT = 'urn:un:unece:uncefact:data:standard:';
const CII = `${CEFACT}CrossIndustryInvoice:100`;
const ZUGFERD_1 = 'urn:ferd:CrossIndustryDocument:invoice:1p0';

/** Cross Industry Invoice D16B, and its draft version, which ZUGFeRD 1.0 uses. */
export const CII_ROOTS = [
  { namespace: CII, name: 'CrossIndustryInvoice' },
  { namespace: ZUGFERD_1, name: 'CrossIndustryDocument' },
] as const;

/** Element names that differ between the two versions. */
export const CII_NAMES = {
  [CII]: {
    vocabulary: [
      CII,
      `${CEFACT}ReusableAggregateBusinessInformationEntity:100`,
      `${CEFACT}UnqualifiedDataType:100`,
      `${CEFACT}QualifiedDataType:100`,
    ],
    context: 'ExchangedDocumentContext',
    document: 'ExchangedDocument',
    transaction: 'SupplyChainTradeTransaction',
    agreement: 'ApplicableHeaderTradeAgreement',
    delivery: 'ApplicableHeaderTradeDelivery',
    settlement: 'ApplicableHeaderTradeSettlement',
    sums: 'SpecifiedTradeSettlementHeaderMonetarySummation',
    lineAgreement: 'SpecifiedLineTradeAgreement',
    lineDelivery: 'SpecifiedLineTradeDelivery',
    lineSettlement: 'SpecifiedLineTradeSettlement',
    lineSums: 'SpecifiedTradeSettlementLineMonetarySummation',
    order: ['BuyerOrderReferencedDocument', 'IssuerAssignedID'],
    preceding: ['InvoiceReferencedDocument', 'IssuerAssignedID'],
  },
  [ZUGFERD_1]: {
    vocabulary: [
      ZUGFERD_1,
      `${CEFACT}ReusableAggregateBusinessInformationEntity:12`,
      `${CEFACT}UnqualifiedDataType:15`,
      `${CEFACT}QualifiedDataType:12`,
    ],
    context: 'SpecifiedExchangedDocumentContext',
    document: 'HeaderExchangedDocument',
    transaction: 'SpecifiedSupplyChainTradeTransaction',
    agreement: 'ApplicableSupplyChainTradeAgreement',
    delivery: 'ApplicableSupplyChainTradeDelivery',
    settlement: 'ApplicableSupplyChainTradeSettlement',
    sums: 'SpecifiedTradeSettlementMonetarySummation',
    lineAgreement: 'SpecifiedSupplyChainTradeAgreement',
    lineDelivery: 'SpecifiedSupplyChainTradeDelivery',
    lineSettlement: 'SpecifiedSupplyChainTradeSettlement',
    lineSums: 'SpecifiedTradeSettlementMonetarySummation',
    order: ['BuyerOrderReferencedDocument', 'ID'],
    preceding: ['InvoiceReferencedDocument', 'ID'],
  },
} as const;

/** Reads a CII invoice by the syntax binding of EN 16931 (CEN/TS 16931-3-3), or a ZUGFeRD 1.0 one. Never throws. */
export function readCii(root: XmlElement): InvoiceFields {
  const names = CII_NAMES[root.namespace === ZUGFERD_1 ? ZUGFERD_1 : CII];
  const invoice = root.speaking(names.vocabulary);
  const document = invoice.first(names.document);
  const transaction = invoice.first(names.transaction);
  const agreement = transaction?.first(names.agreement);
  const settlement = transaction?.first(names.settlement);
  const means = settlement?.all('SpecifiedTradeSettlementPaymentMeans') ?? [];
  const period = settlement?.first('BillingSpecifiedPeriod');
  const currency = settlement?.text('InvoiceCurrencyCode');
  const delivered = transaction?.first(names.delivery, 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime');
  const accounts = means.flatMap((each) => each.text('PayeePartyCreditorFinancialAccount', 'IBANID') ?? []);
  return {
    specification: invoice.text(names.context, 'GuidelineSpecifiedDocumentContextParameter', 'ID'),
    root: 'either',
    typeCode: document?.text('TypeCode'),
    number: document?.text('ID'),
    issueDate: dayOf(document?.first('IssueDateTime')),
    dueDate: dueDate(settlement),
    periodStart: dayOf(period?.first('StartDateTime')),
    periodEnd: period ? dayOf(period.first('EndDateTime')) : dayOf(delivered),
    currency,
    seller: party(agreement?.first('SellerTradeParty')),
    buyer: party(agreement?.first('BuyerTradeParty')),
    sellerAccounts: settlement?.first('PayeeTradeParty') ? [] : accounts,
    buyerAccounts: means.flatMap((each) => each.text('PayerPartyDebtorFinancialAccount', 'IBANID') ?? []),
    orderReference: agreement?.text(...names.order),
    precedingInvoice: settlement?.text(...names.preceding),
    paymentMeansCodes: means.flatMap((each) => each.text('TypeCode') ?? []),
    totals: totals(settlement?.first(names.sums), currency),
    lineAmounts: (transaction?.all('IncludedSupplyChainTradeLineItem') ?? []).map((line) =>
      line.text(names.lineSettlement, names.lineSums, 'LineTotalAmount'),
    ),
    taxByCategory: settlement?.all('ApplicableTradeTax').map((tax) => tax.text('CalculatedAmount')) ?? [],
  };
}

/** The day of a date element, `YYYY-MM-DD`; the tax point date has an element of another name. */
export function dayOf(
  element: XmlElement | undefined,
  name: 'DateTimeString' | 'DateString' = 'DateTimeString',
): string | undefined {
  const text = element?.first(name);
  return format102Day(text?.text(), text?.attribute('format'));
}

/** One day for all payment terms; installments have several and therefore no single due date. */
function dueDate(settlement: XmlElement | undefined): string | undefined {
  const terms = settlement?.all('SpecifiedTradePaymentTerms') ?? [];
  const days = new Set(terms.flatMap((each) => dayOf(each.first('DueDateDateTime')) ?? []));
  return days.size === 1 ? [...days][0] : undefined;
}

function party(element: XmlElement | undefined): PartyFields {
  const registration = (scheme: string) =>
    element?.all('SpecifiedTaxRegistration').find((each) => each.first('ID')?.attribute('schemeID') === scheme);
  return {
    name: element?.text('Name') ?? element?.text('SpecifiedLegalOrganization', 'TradingBusinessName'),
    vatId: registration('VA')?.text('ID'),
    taxNumber: registration('FC')?.text('ID'),
    country: element?.text('PostalTradeAddress', 'CountryID'),
    email:
      element?.text('DefinedTradeContact', 'EmailURIUniversalCommunication', 'URIID') ?? electronicAddress(element),
  };
}

/** BT-34/BT-49 is an e-mail address when its scheme is `EM`. */
function electronicAddress(element: XmlElement | undefined): string | undefined {
  const address = element?.first('URIUniversalCommunication', 'URIID');
  return address?.attribute('schemeID') === 'EM' ? address.text() : undefined;
}

function totals(sums: XmlElement | undefined, currency: string | undefined): TotalsFields {
  const [tax] = ownTaxTotals(sums?.all('TaxTotalAmount') ?? [], (amount) => amount, currency);
  return {
    net: sums?.text('TaxBasisTotalAmount'),
    tax: tax?.text(),
    gross: sums?.text('GrandTotalAmount'),
    prepaid: sums?.text('TotalPrepaidAmount'),
    due: sums?.text('DuePayableAmount'),
  };
}
