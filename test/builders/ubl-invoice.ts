import { decimal, type InvoiceData, type Party } from './invoice-data';
import { element, type XmlElement } from './xml-element';

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd';

/** The invoice in UBL 2.1 (EN 16931-3-2): an Invoice, or a CreditNote for type 381. */
export function ublElement(invoice: InvoiceData, customization: string, profile: string): XmlElement {
  const credit = invoice.type === 381;
  const root = credit ? 'CreditNote' : 'Invoice';
  const amount = (name: string, hundredths: number) =>
    element(`cbc:${name}`, decimal(hundredths), { currencyID: invoice.currency });
  const children = [
    element('cbc:CustomizationID', customization),
    element('cbc:ProfileID', profile),
    element('cbc:ID', invoice.number),
    element('cbc:IssueDate', invoice.date),
    !credit && element('cbc:DueDate', invoice.dueDate),
    element(`cbc:${root}TypeCode`, String(invoice.type)),
    element('cbc:DocumentCurrencyCode', invoice.currency),
    element('cbc:BuyerReference', invoice.buyerReference),
    element('cac:InvoicePeriod', [
      element('cbc:StartDate', invoice.servicePeriod.start),
      element('cbc:EndDate', invoice.servicePeriod.end),
    ]),
    invoice.orderReference ? element('cac:OrderReference', [element('cbc:ID', invoice.orderReference)]) : undefined,
    invoice.precedingInvoice
      ? element('cac:BillingReference', [
          element('cac:InvoiceDocumentReference', [element('cbc:ID', invoice.precedingInvoice)]),
        ])
      : undefined,
    element('cac:AccountingSupplierParty', [party(invoice.supplier)]),
    element('cac:AccountingCustomerParty', [party(invoice.customer)]),
    paymentMeans(invoice),
    element('cac:PaymentTerms', [element('cbc:Note', `Zahlbar bis ${invoice.dueDate} ohne Abzug`)]),
    element('cac:TaxTotal', [
      amount('TaxAmount', invoice.tax),
      ...invoice.taxes.map(({ rate, category, net, tax }) =>
        element('cac:TaxSubtotal', [
          amount('TaxableAmount', net),
          amount('TaxAmount', tax),
          taxCategory('cac:TaxCategory', category, rate),
        ]),
      ),
    ]),
    element('cac:LegalMonetaryTotal', [
      amount('LineExtensionAmount', invoice.net),
      amount('TaxExclusiveAmount', invoice.net),
      amount('TaxInclusiveAmount', invoice.gross),
      amount('PayableAmount', invoice.gross),
    ]),
    ...invoice.lines.map((line, index) =>
      element(`cac:${root}Line`, [
        element('cbc:ID', String(index + 1)),
        element(`cbc:${credit ? 'CreditedQuantity' : 'InvoicedQuantity'}`, String(line.quantity), { unitCode: 'C62' }),
        amount('LineExtensionAmount', line.net),
        element('cac:Item', [
          element('cbc:Name', line.name),
          taxCategory('cac:ClassifiedTaxCategory', line.vatRate === 0 ? 'Z' : 'S', line.vatRate),
        ]),
        element('cac:Price', [amount('PriceAmount', Math.round(line.unitPrice * 100))]),
      ]),
    ),
  ];
  return element(root, children, {
    xmlns: `${NAMESPACE}:${root}-2`,
    'xmlns:cac': `${NAMESPACE}:CommonAggregateComponents-2`,
    'xmlns:cbc': `${NAMESPACE}:CommonBasicComponents-2`,
  });
}

function party(of: Party): XmlElement {
  const taxScheme = (number: string, scheme: string) =>
    element('cac:PartyTaxScheme', [
      element('cbc:CompanyID', number),
      element('cac:TaxScheme', [element('cbc:ID', scheme)]),
    ]);
  return element('cac:Party', [
    element('cbc:EndpointID', of.email, { schemeID: 'EM' }),
    element('cac:PartyName', [element('cbc:Name', of.name)]),
    element('cac:PostalAddress', [
      element('cbc:StreetName', of.street),
      element('cbc:CityName', of.city),
      element('cbc:PostalZone', of.postcode),
      element('cac:Country', [element('cbc:IdentificationCode', of.country)]),
    ]),
    taxScheme(of.vatId, 'VAT'),
    of.taxNumber ? taxScheme(of.taxNumber, 'FC') : undefined,
    element('cac:PartyLegalEntity', [element('cbc:RegistrationName', of.name)]),
    element('cac:Contact', [
      element('cbc:Name', of.contact),
      element('cbc:Telephone', of.phone),
      element('cbc:ElectronicMail', of.email),
    ]),
  ]);
}

/** SEPA credit transfer (UNTDID 4461 code 58). A credit note has its due date here. */
function paymentMeans(invoice: InvoiceData): XmlElement {
  return element('cac:PaymentMeans', [
    element('cbc:PaymentMeansCode', '58'),
    invoice.type === 381 && element('cbc:PaymentDueDate', invoice.dueDate),
    element('cbc:PaymentID', invoice.number),
    element('cac:PayeeFinancialAccount', [
      element('cbc:ID', invoice.supplier.iban ?? ''),
      element('cbc:Name', invoice.supplier.name),
    ]),
  ]);
}

function taxCategory(name: string, category: string, rate: number): XmlElement {
  return element(name, [
    element('cbc:ID', category),
    element('cbc:Percent', String(rate)),
    element('cac:TaxScheme', [element('cbc:ID', 'VAT')]),
  ]);
}
