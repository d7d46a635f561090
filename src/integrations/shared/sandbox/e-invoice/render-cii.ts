import { XMLBuilder } from 'fast-xml-parser';
import { CUSTOMER, euros, type FixtureDocument, type FixtureParty } from '../fixture-document';

const UN = 'urn:un:unece:uncefact:data:standard';
/** BT-24 of the profile EN 16931 of ZUGFeRD and Factur-X. */
const EN_16931 = 'urn:cen.eu:en16931:2017';
/** SEPA credit transfer (UNTDID 4461). */
const CREDIT_TRANSFER = '58';

/** The document in UN/CEFACT Cross Industry Invoice D16B, for embedding in a hybrid PDF. */
export function renderCii(document: FixtureDocument): Buffer {
  const isCredit = document.documentType === 'credit_note';
  const invoice = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    'rsm:CrossIndustryInvoice': {
      '@_xmlns:rsm': `${UN}:CrossIndustryInvoice:100`,
      '@_xmlns:ram': `${UN}:ReusableAggregateBusinessInformationEntity:100`,
      '@_xmlns:udt': `${UN}:UnqualifiedDataType:100`,
      'rsm:ExchangedDocumentContext': { 'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': EN_16931 } },
      'rsm:ExchangedDocument': {
        'ram:ID': document.number,
        'ram:TypeCode': isCredit ? '381' : '380',
        'ram:IssueDateTime': day(document.date),
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': line(document),
        'ram:ApplicableHeaderTradeAgreement': {
          'ram:BuyerReference': CUSTOMER.reference,
          'ram:SellerTradeParty': party(document.supplier),
          'ram:BuyerTradeParty': party(CUSTOMER),
        },
        'ram:ApplicableHeaderTradeDelivery': {
          'ram:ActualDeliverySupplyChainEvent': { 'ram:OccurrenceDateTime': day(document.date) },
        },
        'ram:ApplicableHeaderTradeSettlement': settlement(document),
      },
    },
  };
  return Buffer.from(new XMLBuilder({ ignoreAttributes: false, format: true }).build(invoice));
}

/** UNTDID 2379 format 102: `YYYYMMDD`. */
const day = (date: string) => ({ 'udt:DateTimeString': { '@_format': '102', '#text': date.replaceAll('-', '') } });

function line({ item, net, taxRate }: FixtureDocument): object {
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': '1' },
    'ram:SpecifiedTradeProduct': { 'ram:Name': item },
    'ram:SpecifiedLineTradeAgreement': { 'ram:NetPriceProductTradePrice': { 'ram:ChargeAmount': euros(net) } },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': { '@_unitCode': 'C62', '#text': '1' } },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': {
        'ram:TypeCode': 'VAT',
        'ram:CategoryCode': 'S',
        'ram:RateApplicablePercent': taxRate,
      },
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': euros(net) },
    },
  };
}

function settlement(document: FixtureDocument): object {
  const { net, tax, gross, supplier, taxRate } = document;
  return {
    'ram:PaymentReference': document.number,
    'ram:InvoiceCurrencyCode': 'EUR',
    'ram:SpecifiedTradeSettlementPaymentMeans': {
      'ram:TypeCode': CREDIT_TRANSFER,
      'ram:PayeePartyCreditorFinancialAccount': { 'ram:IBANID': supplier.iban, 'ram:AccountName': supplier.name },
    },
    'ram:ApplicableTradeTax': {
      'ram:CalculatedAmount': euros(tax),
      'ram:TypeCode': 'VAT',
      'ram:BasisAmount': euros(net),
      'ram:CategoryCode': 'S',
      'ram:RateApplicablePercent': taxRate,
    },
    'ram:SpecifiedTradePaymentTerms': {
      'ram:Description': `Zahlbar bis ${document.dueDate} ohne Abzug`,
      // The portal's list has no due date (BT-9) for credit notes.
      ...(document.documentType === 'credit_note' ? {} : { 'ram:DueDateDateTime': day(document.dueDate) }),
    },
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': euros(net),
      'ram:TaxBasisTotalAmount': euros(net),
      'ram:TaxTotalAmount': { '@_currencyID': 'EUR', '#text': euros(tax) },
      'ram:GrandTotalAmount': euros(gross),
      'ram:DuePayableAmount': euros(gross),
    },
    ...(document.preceding ? { 'ram:InvoiceReferencedDocument': { 'ram:IssuerAssignedID': document.preceding } } : {}),
  };
}

function party({ name, vat_id, country, street, city, postcode, email, contact, phone }: FixtureParty): object {
  return {
    'ram:Name': name,
    ...(contact
      ? {
          'ram:DefinedTradeContact': {
            'ram:PersonName': contact,
            'ram:TelephoneUniversalCommunication': { 'ram:CompleteNumber': phone },
            'ram:EmailURIUniversalCommunication': { 'ram:URIID': email },
          },
        }
      : {}),
    'ram:PostalTradeAddress': {
      'ram:PostcodeCode': postcode,
      'ram:LineOne': street,
      'ram:CityName': city,
      'ram:CountryID': country,
    },
    'ram:URIUniversalCommunication': { 'ram:URIID': { '@_schemeID': 'EM', '#text': email } },
    'ram:SpecifiedTaxRegistration': { 'ram:ID': { '@_schemeID': 'VA', '#text': vat_id } },
  };
}
