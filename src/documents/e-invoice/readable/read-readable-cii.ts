import { CII_NAMES, dayOf } from '../xml/cii';
import type { XmlElement } from '../xml/xml';
import { addressOf, FactReader } from './fact-reader';
import type { Fact, FactRow, ReadableInvoice } from './readable-invoice';
import { readCiiLines } from './read-cii-lines';

/** Reads all groups of EN 16931 of a CII invoice, and what ZUGFeRD 1.0 shares with it. Never throws. */
export function readReadableCii(root: XmlElement): ReadableInvoice {
  const names = CII_NAMES[root.namespace as keyof typeof CII_NAMES];
  const invoice = root.speaking(names.vocabulary);
  const facts = new FactReader();
  const document = invoice.first(names.document);
  const transaction = invoice.first(names.transaction);
  const agreement = transaction?.first(names.agreement);
  const delivery = transaction?.first(names.delivery);
  const settlement = transaction?.first(names.settlement);
  const sums = settlement?.first(names.sums);
  const currency = settlement?.text('InvoiceCurrencyCode');
  const amount = (key: string, name: string) =>
    (sums?.all(name) ?? []).flatMap((element) => facts.amount(key, element, currency));
  const context = invoice.first(names.context);
  return {
    type: facts.fact('type', 'type', document?.text('TypeCode'))[0],
    number: facts.text('number', document?.text('ID'))[0],
    groups: [
      ...facts.group('seller', party(facts, agreement?.first('SellerTradeParty'))),
      ...facts.group('buyer', party(facts, agreement?.first('BuyerTradeParty'))),
      ...facts.group('payee', party(facts, settlement?.first('PayeeTradeParty'))),
      ...facts.group('tax_representative', party(facts, agreement?.first('SellerTaxRepresentativeTradeParty'))),
      ...facts.group('details', [
        ...facts.day('issue_day', dayOf(document?.first('IssueDateTime'))),
        ...details(facts, agreement, delivery, settlement),
        ...facts.text('currency', currency),
        ...facts.text('tax_currency', settlement?.text('TaxCurrencyCode')),
        ...facts.text('process', context?.text('BusinessProcessSpecifiedDocumentContextParameter', 'ID')),
        ...facts.text('specification', context?.text('GuidelineSpecifiedDocumentContextParameter', 'ID')),
      ]),
      ...facts.group('delivery', [
        ...facts.day('delivery_day', dayOf(delivery?.first('ActualDeliverySupplyChainEvent', 'OccurrenceDateTime'))),
        ...party(facts, delivery?.first('ShipToTradeParty')),
      ]),
      ...facts.group('payment', payment(facts, settlement)),
      ...facts.group('attachments', attachments(facts, agreement)),
    ],
    lines: readCiiLines(facts, transaction?.all('IncludedSupplyChainTradeLineItem') ?? [], names, currency),
    adjustments: facts
      .items(settlement?.all('SpecifiedTradeAllowanceCharge') ?? [])
      .map((each) => adjustment(facts, each, currency)),
    taxes: facts.items(settlement?.all('ApplicableTradeTax') ?? []).map((each) => tax(facts, each, currency)),
    totals: [
      ...amount('lines_total', 'LineTotalAmount'),
      ...amount('allowances_total', 'AllowanceTotalAmount'),
      ...amount('charges_total', 'ChargeTotalAmount'),
      ...amount('net_total', 'TaxBasisTotalAmount'),
      ...amount('tax_total', 'TaxTotalAmount'),
      ...amount('gross_total', 'GrandTotalAmount'),
      ...amount('paid', 'TotalPrepaidAmount'),
      ...amount('rounding', 'RoundingAmount'),
      ...amount('due', 'DuePayableAmount'),
    ],
    notes: facts
      .items(document?.all('IncludedNote') ?? [])
      .flatMap((note) => facts.fact('note', 'paragraphs', note.first('Content')?.paragraphs())),
    isTruncated: facts.isTruncated,
  };
}

/** The codes of references (UNTDID 1001) that have a term of their own: BT-17 and BT-18. */
const REFERENCES: Readonly<Record<string, string>> = { '50': 'tender', '130': 'object' };

function details(
  facts: FactReader,
  agreement: XmlElement | undefined,
  delivery: XmlElement | undefined,
  settlement: XmlElement | undefined,
): Fact[] {
  const reference = (key: string, from: XmlElement | undefined, name: string) =>
    facts.text(key, from?.text(name, 'IssuerAssignedID') ?? from?.text(name, 'ID'));
  const period = settlement?.first('BillingSpecifiedPeriod');
  const terms = settlement?.all('SpecifiedTradePaymentTerms') ?? [];
  const dueDays = facts.items(terms).flatMap((each) => facts.day('due_day', dayOf(each.first('DueDateDateTime'))));
  return [
    ...dueDays,
    ...facts.day('tax_day', dayOf(settlement?.first('ApplicableTradeTax', 'TaxPointDate'), 'DateString')),
    ...facts.day('period_start', dayOf(period?.first('StartDateTime'))),
    ...facts.day('period_end', dayOf(period?.first('EndDateTime'))),
    ...facts.text('buyer_reference', agreement?.text('BuyerReference')),
    ...reference('order', agreement, 'BuyerOrderReferencedDocument'),
    ...reference('sales_order', agreement, 'SellerOrderReferencedDocument'),
    ...reference('contract', agreement, 'ContractReferencedDocument'),
    ...facts.text('project', agreement?.text('SpecifiedProcuringProject', 'ID')),
    ...reference('receipt', delivery, 'ReceivingAdviceReferencedDocument'),
    ...reference('despatch', delivery, 'DespatchAdviceReferencedDocument'),
    ...(agreement?.all('AdditionalReferencedDocument') ?? []).flatMap((each) => {
      const key = REFERENCES[each.text('TypeCode') ?? ''];
      return key === undefined ? [] : facts.text(key, each.text('IssuerAssignedID'), each.text('ReferenceTypeCode'));
    }),
    ...facts.text('accounting', settlement?.text('ReceivableSpecifiedTradeAccountingAccount', 'ID')),
    ...facts
      .items(settlement?.all('InvoiceReferencedDocument') ?? [])
      .flatMap((each) => [
        ...facts.text('preceding', each.text('IssuerAssignedID') ?? each.text('ID')),
        ...facts.day('preceding_day', dayOf(each.first('FormattedIssueDateTime'))),
      ]),
  ];
}

function party(facts: FactReader, element: XmlElement | undefined): Fact[] {
  if (!element) return [];
  const contact = element.first('DefinedTradeContact');
  const address = element.first('PostalTradeAddress');
  const text = (...path: string[]) => address?.text(...path);
  return [
    ...facts.text('name', element.text('Name')),
    ...facts.text('trading_name', element.text('SpecifiedLegalOrganization', 'TradingBusinessName')),
    ...addressOf(facts, [text('LineOne'), text('LineTwo'), text('LineThree')], text('PostcodeCode'), text('CityName'), [
      text('CountrySubDivisionName'),
    ]),
    ...facts.fact('country', 'country', text('CountryID')),
    ...facts.items(element.all('SpecifiedTaxRegistration')).flatMap((each) => {
      const isVat = each.first('ID')?.attribute('schemeID') === 'VA';
      return facts.text(isVat ? 'vat_id' : 'tax_number', each.text('ID'));
    }),
    ...facts.id('registration', element.first('SpecifiedLegalOrganization', 'ID')),
    ...facts.fact('legal_information', 'paragraphs', element.first('Description')?.paragraphs()),
    ...facts.items([...element.all('ID'), ...element.all('GlobalID')]).flatMap((each) => facts.id('identifier', each)),
    ...facts.id('electronic_address', element.first('URIUniversalCommunication', 'URIID')),
    ...facts.text('contact', contact?.text('PersonName') ?? contact?.text('DepartmentName')),
    ...facts.text('phone', contact?.text('TelephoneUniversalCommunication', 'CompleteNumber')),
    ...facts.text('email', contact?.text('EmailURIUniversalCommunication', 'URIID')),
  ];
}

function payment(facts: FactReader, settlement: XmlElement | undefined): Fact[] {
  const terms = facts.items(settlement?.all('SpecifiedTradePaymentTerms') ?? []);
  return [
    ...facts
      .items(settlement?.all('SpecifiedTradeSettlementPaymentMeans') ?? [])
      .flatMap((means) => [
        ...facts.fact('means', 'payment_means', means.text('TypeCode')),
        ...facts.text('means_text', means.text('Information')),
        ...facts.text(
          'account',
          means.text('PayeePartyCreditorFinancialAccount', 'IBANID') ??
            means.text('PayeePartyCreditorFinancialAccount', 'ProprietaryID'),
        ),
        ...facts.text('account_name', means.text('PayeePartyCreditorFinancialAccount', 'AccountName')),
        ...facts.text('bank', means.text('PayeeSpecifiedCreditorFinancialInstitution', 'BICID')),
        ...facts.text('card', means.text('ApplicableTradeSettlementFinancialCard', 'ID')),
        ...facts.text('card_holder', means.text('ApplicableTradeSettlementFinancialCard', 'CardholderName')),
        ...facts.text('debited_account', means.text('PayerPartyDebtorFinancialAccount', 'IBANID')),
      ]),
    ...facts.text('remittance', settlement?.text('PaymentReference')),
    ...facts.text('creditor', settlement?.text('CreditorReferenceID')),
    ...terms.flatMap((each) => facts.text('mandate', each.text('DirectDebitMandateID'))),
    ...terms.flatMap((each) => facts.fact('terms', 'paragraphs', each.first('Description')?.paragraphs())),
  ];
}

function attachments(facts: FactReader, agreement: XmlElement | undefined): Fact[] {
  const all = agreement?.all('AdditionalReferencedDocument') ?? [];
  return facts
    .items(all.filter((each) => REFERENCES[each.text('TypeCode') ?? ''] === undefined))
    .flatMap((each) => [
      ...facts.text('attachment', each.text('IssuerAssignedID')),
      ...facts.text('attachment_description', each.text('Name')),
      ...facts.text('attachment_file', each.first('AttachmentBinaryObject')?.attribute('filename')),
      ...facts.text('attachment_address', each.text('URIID')),
    ]);
}

function adjustment(facts: FactReader, each: XmlElement, currency: string | undefined): FactRow {
  const key = each.text('ChargeIndicator', 'Indicator') === 'true' ? 'charge' : 'allowance';
  const category = each.first('CategoryTradeTax');
  return {
    reason: facts.text(key, each.text('Reason') ?? each.text('ReasonCode') ?? '–')[0],
    base: facts.amount('base', each.first('BasisAmount'), currency)[0],
    percent: facts.fact('percent', 'percent', each.text('CalculationPercent'))[0],
    category: facts.fact('category', 'vat_category', category?.text('CategoryCode'))[0],
    rate: facts.fact(
      'rate',
      'percent',
      category?.text('RateApplicablePercent') ?? category?.text('ApplicablePercent'),
    )[0],
    amount: facts.amount('amount', each.first('ActualAmount'), currency)[0],
  };
}

function tax(facts: FactReader, each: XmlElement, currency: string | undefined): FactRow {
  return {
    category: facts.fact('category', 'vat_category', each.text('CategoryCode'))[0],
    rate: facts.fact('rate', 'percent', each.text('RateApplicablePercent') ?? each.text('ApplicablePercent'))[0],
    reason: facts.text('exemption', each.text('ExemptionReason') ?? each.text('ExemptionReasonCode'))[0],
    base: facts.amount('taxable', each.first('BasisAmount'), currency)[0],
    amount: facts.amount('tax', each.first('CalculatedAmount'), currency)[0],
  };
}
