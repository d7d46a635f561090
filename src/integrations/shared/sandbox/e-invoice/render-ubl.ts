import { XMLBuilder } from 'fast-xml-parser';
import { CUSTOMER, euros, type FixtureDocument, type FixtureParty } from '../fixture-document';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
/** BT-24 and BT-23 of an XRechnung 3.0. */
const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';
const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
/** SEPA credit transfer (UNTDID 4461). */
const CREDIT_TRANSFER = '58';

/**
 * The document as an XRechnung in UBL 2.1: an `Invoice`, or a `CreditNote`.
 * @param rendering 1 for the original; another number changes bytes, not content.
 */
export function renderUbl(document: FixtureDocument, rendering: number): Buffer {
  const isCredit = document.documentType === 'credit_note';
  const root = isCredit ? 'CreditNote' : 'Invoice';
  const invoice = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    ...(rendering > 1 ? { '#comment': ` Ausfertigung ${rendering} ` } : {}),
    [root]: {
      '@_xmlns': `${UBL}:${root}-2`,
      '@_xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
      '@_xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
      'cbc:CustomizationID': XRECHNUNG,
      'cbc:ProfileID': PROCESS,
      'cbc:ID': document.number,
      'cbc:IssueDate': document.date,
      ...(isCredit ? {} : { 'cbc:DueDate': document.dueDate }),
      [`cbc:${root}TypeCode`]: isCredit ? '381' : '380',
      'cbc:DocumentCurrencyCode': 'EUR',
      'cbc:BuyerReference': CUSTOMER.reference,
      ...(document.preceding
        ? { 'cac:BillingReference': { 'cac:InvoiceDocumentReference': { 'cbc:ID': document.preceding } } }
        : {}),
      'cac:AccountingSupplierParty': { 'cac:Party': party(document.supplier) },
      'cac:AccountingCustomerParty': { 'cac:Party': party(CUSTOMER) },
      'cac:Delivery': { 'cbc:ActualDeliveryDate': document.date },
      'cac:PaymentMeans': {
        'cbc:PaymentMeansCode': CREDIT_TRANSFER,
        'cbc:PaymentID': document.number,
        'cac:PayeeFinancialAccount': { 'cbc:ID': document.supplier.iban, 'cbc:Name': document.supplier.name },
      },
      'cac:PaymentTerms': { 'cbc:Note': `Zahlbar bis ${document.dueDate} ohne Abzug` },
      ...amounts(document, root),
    },
  };
  const builder = new XMLBuilder({ ignoreAttributes: false, commentPropName: '#comment', format: true });
  return Buffer.from(builder.build(invoice));
}

function amounts(document: FixtureDocument, root: 'CreditNote' | 'Invoice'): object {
  const amount = (cents: number) => ({ '@_currencyID': 'EUR', '#text': euros(cents) });
  const category = { 'cbc:ID': 'S', 'cbc:Percent': document.taxRate, 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };
  const quantity = root === 'CreditNote' ? 'CreditedQuantity' : 'InvoicedQuantity';
  return {
    'cac:TaxTotal': {
      'cbc:TaxAmount': amount(document.tax),
      'cac:TaxSubtotal': {
        'cbc:TaxableAmount': amount(document.net),
        'cbc:TaxAmount': amount(document.tax),
        'cac:TaxCategory': category,
      },
    },
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': amount(document.net),
      'cbc:TaxExclusiveAmount': amount(document.net),
      'cbc:TaxInclusiveAmount': amount(document.gross),
      'cbc:PayableAmount': amount(document.gross),
    },
    [`cac:${root}Line`]: {
      'cbc:ID': '1',
      [`cbc:${quantity}`]: { '@_unitCode': 'C62', '#text': '1' },
      'cbc:LineExtensionAmount': amount(document.net),
      'cac:Item': { 'cbc:Name': document.item, 'cac:ClassifiedTaxCategory': category },
      'cac:Price': { 'cbc:PriceAmount': amount(document.net) },
    },
  };
}

function party({ name, vat_id, country, street, city, postcode, email, contact, phone }: FixtureParty): object {
  return {
    'cbc:EndpointID': { '@_schemeID': 'EM', '#text': email },
    'cac:PostalAddress': {
      'cbc:StreetName': street,
      'cbc:CityName': city,
      'cbc:PostalZone': postcode,
      'cac:Country': { 'cbc:IdentificationCode': country },
    },
    'cac:PartyTaxScheme': { 'cbc:CompanyID': vat_id, 'cac:TaxScheme': { 'cbc:ID': 'VAT' } },
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
    ...(contact ? { 'cac:Contact': { 'cbc:Name': contact, 'cbc:Telephone': phone, 'cbc:ElectronicMail': email } } : {}),
  };
}
