import { XMLBuilder } from 'fast-xml-parser';
import { CUSTOMER, euros, type MadeUpDocument } from './made-up-document';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
const EN_16931 = 'urn:cen.eu:en16931:2017';

type PartySource = {
  name: string;
  vat_id: string;
  country: string;
  street: string;
  city: string;
  postcode: string;
  email?: string;
};

/**
 * The document as an EN 16931 invoice in UBL 2.1.
 * @param rendering 1 for the original; another number changes bytes, not content.
 */
export function renderUbl(document: MadeUpDocument, rendering: number): Buffer {
  const amount = (cents: number) => ({ '@_currencyID': 'EUR', '#text': euros(cents) });
  const category = { 'cbc:ID': 'S', 'cbc:Percent': document.taxRate, 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };
  const invoice = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    ...(rendering > 1 ? { '#comment': ` Ausfertigung ${rendering} ` } : {}),
    Invoice: {
      '@_xmlns': `${UBL}:Invoice-2`,
      '@_xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
      '@_xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
      'cbc:CustomizationID': EN_16931,
      'cbc:ID': document.number,
      'cbc:IssueDate': document.date,
      'cbc:DueDate': document.dueDate,
      'cbc:InvoiceTypeCode': '380',
      'cbc:DocumentCurrencyCode': 'EUR',
      'cac:AccountingSupplierParty': { 'cac:Party': party(document.supplier) },
      'cac:AccountingCustomerParty': { 'cac:Party': party(CUSTOMER) },
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
      'cac:InvoiceLine': {
        'cbc:ID': '1',
        'cbc:InvoicedQuantity': { '@_unitCode': 'C62', '#text': '1' },
        'cbc:LineExtensionAmount': amount(document.net),
        'cac:Item': { 'cbc:Name': document.item, 'cac:ClassifiedTaxCategory': category },
        'cac:Price': { 'cbc:PriceAmount': amount(document.net) },
      },
    },
  };
  const builder = new XMLBuilder({ ignoreAttributes: false, commentPropName: '#comment', format: true });
  return Buffer.from(builder.build(invoice));
}

function party({ name, vat_id, country, street, city, postcode, email }: PartySource): object {
  return {
    'cac:PostalAddress': {
      'cbc:StreetName': street,
      'cbc:CityName': city,
      'cbc:PostalZone': postcode,
      'cac:Country': { 'cbc:IdentificationCode': country },
    },
    'cac:PartyTaxScheme': { 'cbc:CompanyID': vat_id, 'cac:TaxScheme': { 'cbc:ID': 'VAT' } },
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
    ...(email ? { 'cac:Contact': { 'cbc:ElectronicMail': email } } : {}),
  };
}
