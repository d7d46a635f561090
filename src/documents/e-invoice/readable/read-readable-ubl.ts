import { UBL_VOCABULARY } from '../xml/ubl';
import type { XmlElement } from '../xml/xml';
import { addressOf, FactReader } from './fact-reader';
import type { Fact, FactRow, ReadableInvoice } from './readable-invoice';
import { readUblLines } from './read-ubl-lines';

/** Reads all groups of EN 16931 of a UBL 2.1 Invoice or CreditNote. Never throws. */
export function readReadableUbl(root: XmlElement): ReadableInvoice {
  const document = root.speaking(UBL_VOCABULARY);
  const kind = root.name === 'CreditNote' ? 'CreditNote' : 'Invoice';
  const facts = new FactReader();
  const currency = document.text('DocumentCurrencyCode');
  const sums = document.first('LegalMonetaryTotal');
  const amount = (key: string, name: string) => facts.amount(key, sums?.first(name), currency);
  const delivery = document.first('Delivery');
  return {
    type: facts.fact('type', 'type', document.text(`${kind}TypeCode`))[0],
    number: facts.text('number', document.text('ID'))[0],
    groups: [
      ...facts.group('seller', party(facts, document.first('AccountingSupplierParty', 'Party'))),
      ...facts.group('buyer', party(facts, document.first('AccountingCustomerParty', 'Party'))),
      ...facts.group('payee', party(facts, document.first('PayeeParty'))),
      ...facts.group('tax_representative', party(facts, document.first('TaxRepresentativeParty'))),
      ...facts.group('details', details(facts, document)),
      ...facts.group('delivery', [
        ...facts.xsdDay('delivery_day', delivery?.text('ActualDeliveryDate')),
        ...facts.text('name', delivery?.text('DeliveryParty', 'PartyName', 'Name')),
        ...facts.id('identifier', delivery?.first('DeliveryLocation', 'ID')),
        ...address(facts, delivery?.first('DeliveryLocation', 'Address')),
      ]),
      ...facts.group('payment', payment(facts, document)),
      ...facts.group('attachments', attachments(facts, document)),
    ],
    lines: readUblLines(facts, document.all(`${kind}Line`), currency),
    adjustments: facts.items(document.all('AllowanceCharge')).map((each) => adjustment(facts, each, currency)),
    taxes: facts
      .items(document.all('TaxTotal').flatMap((total) => total.all('TaxSubtotal')))
      .map((each) => tax(facts, each, currency)),
    totals: [
      ...amount('lines_total', 'LineExtensionAmount'),
      ...amount('allowances_total', 'AllowanceTotalAmount'),
      ...amount('charges_total', 'ChargeTotalAmount'),
      ...amount('net_total', 'TaxExclusiveAmount'),
      ...document.all('TaxTotal').flatMap((total) => facts.amount('tax_total', total.first('TaxAmount'), currency)),
      ...amount('gross_total', 'TaxInclusiveAmount'),
      ...amount('paid', 'PrepaidAmount'),
      ...amount('rounding', 'PayableRoundingAmount'),
      ...amount('due', 'PayableAmount'),
    ],
    notes: facts.items(document.all('Note')).flatMap((note) => facts.fact('note', 'paragraphs', note.paragraphs())),
    isTruncated: facts.isTruncated,
  };
}

function details(facts: FactReader, document: XmlElement): Fact[] {
  const text = (key: string, ...path: string[]) => facts.text(key, document.text(...path));
  const means = document.all('PaymentMeans');
  return [
    ...facts.xsdDay('issue_day', document.text('IssueDate')),
    ...facts.xsdDay('due_day', document.text('DueDate') ?? means[0]?.text('PaymentDueDate')),
    ...facts.xsdDay('tax_day', document.text('TaxPointDate')),
    ...facts.xsdDay('period_start', document.text('InvoicePeriod', 'StartDate')),
    ...facts.xsdDay('period_end', document.text('InvoicePeriod', 'EndDate')),
    ...text('buyer_reference', 'BuyerReference'),
    ...text('order', 'OrderReference', 'ID'),
    ...text('sales_order', 'OrderReference', 'SalesOrderID'),
    ...text('contract', 'ContractDocumentReference', 'ID'),
    ...text('project', 'ProjectReference', 'ID'),
    ...text('tender', 'OriginatorDocumentReference', 'ID'),
    ...text('receipt', 'ReceiptDocumentReference', 'ID'),
    ...text('despatch', 'DespatchDocumentReference', 'ID'),
    ...document
      .all('AdditionalDocumentReference')
      .flatMap((each) => (isObject(each) ? facts.id('object', each.first('ID')) : [])),
    ...text('accounting', 'AccountingCost'),
    ...facts
      .items(document.all('BillingReference'))
      .flatMap((each) => [
        ...facts.text('preceding', each.text('InvoiceDocumentReference', 'ID')),
        ...facts.xsdDay('preceding_day', each.text('InvoiceDocumentReference', 'IssueDate')),
      ]),
    ...text('currency', 'DocumentCurrencyCode'),
    ...text('tax_currency', 'TaxCurrencyCode'),
    ...text('process', 'ProfileID'),
    ...text('specification', 'CustomizationID'),
  ];
}

/** BT-18 is a document reference with this code. */
const isObject = (reference: XmlElement): boolean => reference.text('DocumentTypeCode') === '130';

function party(facts: FactReader, element: XmlElement | undefined): Fact[] {
  if (!element) return [];
  const legal = element.first('PartyLegalEntity');
  const [name, trading] = [legal?.text('RegistrationName'), element.text('PartyName', 'Name')];
  const contact = element.first('Contact');
  return [
    ...facts.text('name', name ?? trading),
    ...(name !== undefined && trading !== name ? facts.text('trading_name', trading) : []),
    ...address(facts, element.first('PostalAddress')),
    ...facts.items(element.all('PartyTaxScheme')).flatMap((each) => {
      const isVat = each.text('TaxScheme', 'ID')?.toUpperCase() === 'VAT';
      return facts.text(isVat ? 'vat_id' : 'tax_number', each.text('CompanyID'));
    }),
    ...facts.id('registration', legal?.first('CompanyID')),
    ...facts.fact('legal_information', 'paragraphs', legal?.first('CompanyLegalForm')?.paragraphs()),
    ...facts.items(element.all('PartyIdentification')).flatMap((each) => facts.id('identifier', each.first('ID'))),
    ...facts.id('electronic_address', element.first('EndpointID')),
    ...facts.text('contact', contact?.text('Name')),
    ...facts.text('phone', contact?.text('Telephone')),
    ...facts.text('email', contact?.text('ElectronicMail')),
  ];
}

function address(facts: FactReader, element: XmlElement | undefined): Fact[] {
  const text = (...path: string[]) => element?.text(...path);
  const lines = [text('StreetName'), text('AdditionalStreetName'), text('AddressLine', 'Line')];
  return [
    ...addressOf(facts, lines, text('PostalZone'), text('CityName'), [text('CountrySubentity')]),
    ...facts.fact('country', 'country', text('Country', 'IdentificationCode')),
  ];
}

function payment(facts: FactReader, document: XmlElement): Fact[] {
  return [
    ...facts
      .items(document.all('PaymentMeans'))
      .flatMap((means) => [
        ...facts.fact('means', 'payment_means', means.text('PaymentMeansCode')),
        ...facts.text('means_text', means.first('PaymentMeansCode')?.attribute('name')),
        ...facts.text('remittance', means.text('PaymentID')),
        ...facts.text('account', means.text('PayeeFinancialAccount', 'ID')),
        ...facts.text('account_name', means.text('PayeeFinancialAccount', 'Name')),
        ...facts.text('bank', means.text('PayeeFinancialAccount', 'FinancialInstitutionBranch', 'ID')),
        ...facts.text('card', means.text('CardAccount', 'PrimaryAccountNumberID')),
        ...facts.text('card_holder', means.text('CardAccount', 'HolderName')),
        ...facts.text('mandate', means.text('PaymentMandate', 'ID')),
        ...facts.text('debited_account', means.text('PaymentMandate', 'PayerFinancialAccount', 'ID')),
      ]),
    ...facts
      .items(document.all('PaymentTerms'))
      .flatMap((each) => facts.fact('terms', 'paragraphs', each.first('Note')?.paragraphs())),
  ];
}

function attachments(facts: FactReader, document: XmlElement): Fact[] {
  const all = document.all('AdditionalDocumentReference').filter((each) => !isObject(each));
  return facts
    .items(all)
    .flatMap((each) => [
      ...facts.text('attachment', each.text('ID')),
      ...facts.text('attachment_description', each.text('DocumentDescription')),
      ...facts.text('attachment_file', each.first('Attachment', 'EmbeddedDocumentBinaryObject')?.attribute('filename')),
      ...facts.text('attachment_address', each.text('Attachment', 'ExternalReference', 'URI')),
    ]);
}

function adjustment(facts: FactReader, each: XmlElement, currency: string | undefined): FactRow {
  const isCharge = each.text('ChargeIndicator') === 'true';
  const category = each.first('TaxCategory');
  return {
    reason: facts.text(
      isCharge ? 'charge' : 'allowance',
      each.text('AllowanceChargeReason') ?? each.text('AllowanceChargeReasonCode') ?? '–',
    )[0],
    base: facts.amount('base', each.first('BaseAmount'), currency)[0],
    percent: facts.fact('percent', 'percent', each.text('MultiplierFactorNumeric'))[0],
    category: facts.fact('category', 'vat_category', category?.text('ID'))[0],
    rate: facts.fact('rate', 'percent', category?.text('Percent'))[0],
    amount: facts.amount('amount', each.first('Amount'), currency)[0],
  };
}

function tax(facts: FactReader, each: XmlElement, currency: string | undefined): FactRow {
  const category = each.first('TaxCategory');
  return {
    category: facts.fact('category', 'vat_category', category?.text('ID'))[0],
    rate: facts.fact('rate', 'percent', category?.text('Percent'))[0],
    reason: facts.text(
      'exemption',
      category?.text('TaxExemptionReason') ?? category?.text('TaxExemptionReasonCode'),
    )[0],
    base: facts.amount('taxable', each.first('TaxableAmount'), currency)[0],
    amount: facts.amount('tax', each.first('TaxAmount'), currency)[0],
  };
}
