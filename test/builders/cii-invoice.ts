import { decimal, type InvoiceData, type Party } from './invoice-data';
import { element, type XmlElement } from './xml-element';

/** The invoice in UN/CEFACT Cross Industry Invoice D16B (EN 16931-3-3). Without a profile the business process is omitted. */
export function ciiElement(invoice: InvoiceData, guideline: string, profile?: string): XmlElement {
  const children = [
    element('rsm:ExchangedDocumentContext', [
      profile
        ? element('ram:BusinessProcessSpecifiedDocumentContextParameter', [element('ram:ID', profile)])
        : undefined,
      element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', guideline)]),
    ]),
    element('rsm:ExchangedDocument', [
      element('ram:ID', invoice.number),
      element('ram:TypeCode', String(invoice.type)),
      element('ram:IssueDateTime', [dateTime(invoice.date)]),
    ]),
    element('rsm:SupplyChainTradeTransaction', [
      ...lines(invoice),
      agreement(invoice),
      delivery(invoice),
      settlement(invoice),
    ]),
  ];
  return element('rsm:CrossIndustryInvoice', children, {
    'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
    'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
    'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
    'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  });
}

function lines(invoice: InvoiceData): XmlElement[] {
  return invoice.lines.map((line, index) =>
    element('ram:IncludedSupplyChainTradeLineItem', [
      element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', String(index + 1))]),
      element('ram:SpecifiedTradeProduct', [element('ram:Name', line.name)]),
      element('ram:SpecifiedLineTradeAgreement', [
        element('ram:NetPriceProductTradePrice', [
          element('ram:ChargeAmount', decimal(Math.round(line.unitPrice * 100))),
        ]),
      ]),
      element('ram:SpecifiedLineTradeDelivery', [
        element('ram:BilledQuantity', String(line.quantity), { unitCode: 'C62' }),
      ]),
      element('ram:SpecifiedLineTradeSettlement', [
        element('ram:ApplicableTradeTax', [
          element('ram:TypeCode', 'VAT'),
          element('ram:CategoryCode', line.vatRate === 0 ? 'Z' : 'S'),
          element('ram:RateApplicablePercent', String(line.vatRate)),
        ]),
        element('ram:SpecifiedTradeSettlementLineMonetarySummation', [
          element('ram:LineTotalAmount', decimal(line.net)),
        ]),
      ]),
    ]),
  );
}

function agreement(invoice: InvoiceData): XmlElement {
  return element('ram:ApplicableHeaderTradeAgreement', [
    element('ram:BuyerReference', invoice.buyerReference),
    party('ram:SellerTradeParty', invoice.supplier),
    party('ram:BuyerTradeParty', invoice.customer),
    invoice.orderReference
      ? element('ram:BuyerOrderReferencedDocument', [element('ram:IssuerAssignedID', invoice.orderReference)])
      : undefined,
  ]);
}

function party(name: string, of: Party): XmlElement {
  const registration = (number: string, schemeID: string) =>
    element('ram:SpecifiedTaxRegistration', [element('ram:ID', number, { schemeID })]);
  return element(name, [
    element('ram:Name', of.name),
    element('ram:DefinedTradeContact', [
      element('ram:PersonName', of.contact),
      element('ram:TelephoneUniversalCommunication', [element('ram:CompleteNumber', of.phone)]),
      element('ram:EmailURIUniversalCommunication', [element('ram:URIID', of.email)]),
    ]),
    element('ram:PostalTradeAddress', [
      element('ram:PostcodeCode', of.postcode),
      element('ram:LineOne', of.street),
      element('ram:CityName', of.city),
      element('ram:CountryID', of.country),
    ]),
    element('ram:URIUniversalCommunication', [element('ram:URIID', of.email, { schemeID: 'EM' })]),
    of.taxNumber ? registration(of.taxNumber, 'FC') : undefined,
    registration(of.vatId, 'VA'),
  ]);
}

function delivery({ servicePeriod }: InvoiceData): XmlElement {
  return element('ram:ApplicableHeaderTradeDelivery', [
    element('ram:ActualDeliverySupplyChainEvent', [element('ram:OccurrenceDateTime', [dateTime(servicePeriod.end)])]),
  ]);
}

function settlement(invoice: InvoiceData): XmlElement {
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:PaymentReference', invoice.number),
    element('ram:InvoiceCurrencyCode', invoice.currency),
    element('ram:SpecifiedTradeSettlementPaymentMeans', [
      element('ram:TypeCode', '58'),
      element('ram:PayeePartyCreditorFinancialAccount', [
        element('ram:IBANID', invoice.supplier.iban ?? ''),
        element('ram:AccountName', invoice.supplier.name),
      ]),
    ]),
    ...invoice.taxes.map(({ rate, category, net, tax }) =>
      element('ram:ApplicableTradeTax', [
        element('ram:CalculatedAmount', decimal(tax)),
        element('ram:TypeCode', 'VAT'),
        element('ram:BasisAmount', decimal(net)),
        element('ram:CategoryCode', category),
        element('ram:RateApplicablePercent', String(rate)),
      ]),
    ),
    element('ram:BillingSpecifiedPeriod', [
      element('ram:StartDateTime', [dateTime(invoice.servicePeriod.start)]),
      element('ram:EndDateTime', [dateTime(invoice.servicePeriod.end)]),
    ]),
    element('ram:SpecifiedTradePaymentTerms', [
      element('ram:Description', `Zahlbar bis ${invoice.dueDate} ohne Abzug`),
      element('ram:DueDateDateTime', [dateTime(invoice.dueDate)]),
    ]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', decimal(invoice.net)),
      element('ram:TaxBasisTotalAmount', decimal(invoice.net)),
      element('ram:TaxTotalAmount', decimal(invoice.tax), { currencyID: invoice.currency }),
      element('ram:GrandTotalAmount', decimal(invoice.gross)),
      element('ram:DuePayableAmount', decimal(invoice.gross)),
    ]),
    invoice.precedingInvoice
      ? element('ram:InvoiceReferencedDocument', [element('ram:IssuerAssignedID', invoice.precedingInvoice)])
      : undefined,
  ]);
}

/** Format 102: YYYYMMDD. */
function dateTime(date: string): XmlElement {
  return element('udt:DateTimeString', date.replaceAll('-', ''), { format: '102' });
}
