import { ITEM_CLASSIFICATIONS, ADDRESS_SCHEMES, IDENTIFIER_SCHEMES } from '../codes/identifier-schemes';
import { COUNTRIES_CII, COUNTRIES_UBL } from '../codes/countries';
import { CURRENCIES } from '../codes/currencies';
import { CREDIT_NOTE_TYPES, DOCUMENT_TYPES, INVOICE_TYPES } from '../codes/document-types';
import { NOTE_SUBJECTS_CII, NOTE_SUBJECTS_UBL } from '../codes/note-subjects';
import {
  ATTACHMENT_TYPES,
  PAYMENT_MEANS,
  TAX_POINTS_CII,
  TAX_POINTS_UBL,
  VAT_CATEGORY_CODES,
} from '../codes/payment-and-tax';
import { ALLOWANCE_REASONS, CHARGE_REASONS, EXEMPTION_REASONS } from '../codes/reasons';
import { REFERENCE_TYPES } from '../codes/references';
import { UNITS } from '../codes/units';
import { extended } from '../codes/codes';
import { isTrue, normalize, some, text } from '../engine/select';
import { type Condition, fromRoot, matching, named, type Selector, table, type Test, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { isVat } from './groups';

const attribute = (name: string) => (node: XmlNode) => node.attributes.get(name);

/** The value, or an attribute, is a code of the list. */
function code(
  at: Selector,
  list: ReadonlySet<string>,
  of: (node: XmlNode) => string | undefined = (node) => node.text,
): Test {
  return test(at, 'code', (node) => list.has(normalize(of(node) ?? '')));
}

const having =
  (name: string, where?: Condition): Condition =>
  (node, invoice) =>
    node.attributes.has(name) && (where === undefined || where(node, invoice));

const AMOUNTS = named(
  'Amount',
  'BaseAmount',
  'PriceAmount',
  'TaxAmount',
  'TaxableAmount',
  'LineExtensionAmount',
  'TaxExclusiveAmount',
  'TaxInclusiveAmount',
  'AllowanceTotalAmount',
  'ChargeTotalAmount',
  'PrepaidAmount',
  'PayableRoundingAmount',
  'PayableAmount',
);
const reasonsUbl = (charge: boolean) =>
  matching('AllowanceCharge/AllowanceChargeReasonCode', (node) => isTrue(node, '../ChargeIndicator', charge));
const reasonsCii = (charge: boolean) =>
  matching('SpecifiedTradeAllowanceCharge/ReasonCode', (node) => isTrue(node, '../ChargeIndicator/Indicator', charge));
const objectReference = matching(
  'AdditionalDocumentReference/ID|DocumentReference/ID',
  having('schemeID', (node) => some(node, '../DocumentTypeCode', '130')),
);
const quantitiesUbl =
  (...names: readonly string[]): Selector =>
  (invoice) =>
    named(...names)(invoice).filter((node) => node.attributes.has('unitCode'));

const scheme = attribute('schemeID');
const upperCase = (node: XmlNode) => node.text.toUpperCase();

const COUNTRIES_OF_VAT_UBL = ` ${[...extended(COUNTRIES_UBL, ['EL'])].join(' ')} `;
const COUNTRIES_OF_VAT_CII = extended(COUNTRIES_CII, ['EL']);

/** The rules for code lists. */
export const CODE_RULES = table([
  [
    'BR-CL-01',
    'BT-3',
    test(named('InvoiceTypeCode', 'CreditNoteTypeCode'), 'code', (node) =>
      (node.name === 'InvoiceTypeCode' ? INVOICE_TYPES : CREDIT_NOTE_TYPES).has(normalize(node.text)),
    ),
    code(matching('ExchangedDocument/TypeCode'), DOCUMENT_TYPES),
  ],
  [
    'BR-CL-03',
    null,
    code(AMOUNTS, CURRENCIES, attribute('currencyID')),
    code(matching('TaxTotalAmount', having('currencyID')), CURRENCIES, attribute('currencyID')),
  ],
  ['BR-CL-04', 'BT-5', code(named('DocumentCurrencyCode'), CURRENCIES), code(named('InvoiceCurrencyCode'), CURRENCIES)],
  ['BR-CL-05', 'BT-6', code(named('TaxCurrencyCode'), CURRENCIES), code(named('TaxCurrencyCode'), CURRENCIES)],
  [
    'BR-CL-06',
    'BT-8',
    code(matching('InvoicePeriod/DescriptionCode'), TAX_POINTS_UBL),
    code(named('DueDateTypeCode'), TAX_POINTS_CII),
  ],
  [
    'BR-CL-07',
    'BT-18',
    code(objectReference, REFERENCE_TYPES, scheme),
    code(named('ReferenceTypeCode'), REFERENCE_TYPES),
  ],
  ['BR-CL-08', 'BT-21', test(fromRoot('Note'), 'code', hasKnownSubject), code(named('SubjectCode'), NOTE_SUBJECTS_CII)],
  [
    'BR-CL-10',
    'BT-29',
    test(matching('PartyIdentification/ID', having('schemeID')), 'code', isKnownParty),
    code(
      matching(
        'GlobalID',
        having(
          'schemeID',
          (node) => !node.hasAncestor('SpecifiedTradeProduct') && !node.hasAncestor('ShipToTradeParty'),
        ),
      ),
      IDENTIFIER_SCHEMES,
      scheme,
    ),
  ],
  [
    'BR-CL-11',
    'BT-30',
    code(matching('PartyLegalEntity/CompanyID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
    code(
      matching(
        'ID',
        having('schemeID', (node) => !node.hasAncestor('SpecifiedTaxRegistration')),
      ),
      IDENTIFIER_SCHEMES,
      scheme,
    ),
  ],
  [
    'BR-CL-13',
    'BT-158',
    code(
      matching('CommodityClassification/ItemClassificationCode', having('listID')),
      ITEM_CLASSIFICATIONS,
      attribute('listID'),
    ),
    code(matching('ClassCode', having('listID')), ITEM_CLASSIFICATIONS, attribute('listID')),
  ],
  [
    'BR-CL-14',
    'BT-40',
    code(matching('Country/IdentificationCode'), COUNTRIES_UBL),
    code(named('CountryID'), COUNTRIES_CII),
  ],
  [
    'BR-CL-15',
    'BT-159',
    code(matching('OriginCountry/IdentificationCode'), COUNTRIES_UBL),
    code(
      matching('OriginTradeCountry/ID', (node) => !node.attributes.has('schemeID')),
      COUNTRIES_CII,
    ),
  ],
  [
    'BR-CL-16',
    'BT-81',
    code(matching('PaymentMeans/PaymentMeansCode'), PAYMENT_MEANS),
    code(matching('SpecifiedTradeSettlementPaymentMeans/TypeCode'), PAYMENT_MEANS),
  ],
  [
    'BR-CL-17',
    'BT-118',
    code(matching('TaxCategory/ID'), VAT_CATEGORY_CODES),
    code(matching('CategoryTradeTax/CategoryCode'), VAT_CATEGORY_CODES),
  ],
  [
    'BR-CL-18',
    'BT-151',
    code(matching('ClassifiedTaxCategory/ID'), VAT_CATEGORY_CODES),
    code(matching('ApplicableTradeTax/CategoryCode'), VAT_CATEGORY_CODES),
  ],
  ['BR-CL-19', 'BT-98', code(reasonsUbl(false), ALLOWANCE_REASONS), code(reasonsCii(false), ALLOWANCE_REASONS)],
  ['BR-CL-20', 'BT-105', code(reasonsUbl(true), CHARGE_REASONS), code(reasonsCii(true), CHARGE_REASONS)],
  [
    'BR-CL-21',
    'BT-157',
    code(matching('StandardItemIdentification/ID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
    code(matching('SpecifiedTradeProduct/GlobalID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
  ],
  [
    'BR-CL-22',
    'BT-121',
    code(named('TaxExemptionReasonCode'), EXEMPTION_REASONS, upperCase),
    code(named('ExemptionReasonCode'), EXEMPTION_REASONS, upperCase),
  ],
  [
    'BR-CL-23',
    'BT-130',
    code(quantitiesUbl('InvoicedQuantity', 'BaseQuantity', 'CreditedQuantity'), UNITS, attribute('unitCode')),
    code(quantitiesUbl('BasisQuantity', 'BilledQuantity'), UNITS, attribute('unitCode')),
  ],
  ['BR-CL-24', 'BT-125', mimeType('EmbeddedDocumentBinaryObject'), mimeType('AttachmentBinaryObject')],
  [
    'BR-CL-25',
    'BT-34',
    code(matching('EndpointID', having('schemeID')), ADDRESS_SCHEMES, scheme),
    code(matching('URIUniversalCommunication/URIID', having('schemeID')), ADDRESS_SCHEMES, scheme),
  ],
  [
    'BR-CL-26',
    'BT-71',
    code(matching('DeliveryLocation/ID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
    code(
      matching('ApplicableHeaderTradeDelivery/ShipToTradeParty/GlobalID', having('schemeID')),
      IDENTIFIER_SCHEMES,
      scheme,
    ),
  ],
  [
    'BR-CO-09',
    'BT-31',
    test(matching('PartyTaxScheme', isVat), 'vat_id', (node) =>
      COUNTRIES_OF_VAT_UBL.includes(text(node, 'CompanyID').slice(0, 2)),
    ),
    test(
      matching('SpecifiedTaxRegistration/ID', (node) => node.attributes.get('schemeID') === 'VA'),
      'vat_id',
      (node) => COUNTRIES_OF_VAT_CII.has(node.text.slice(0, 2)),
    ),
  ],
]);

function mimeType(name: string): Test {
  return test(matching(name, having('mimeCode')), 'code', (node) =>
    ATTACHMENT_TYPES.has(node.attributes.get('mimeCode')!),
  );
}

/** A subject between two `#` at the beginning of a note is one of the list. */
function hasKnownSubject({ text: note }: XmlNode): boolean {
  const from = note.indexOf('#');
  const to = note.indexOf('#', from + 1);
  const subject = from >= 0 && to >= 0 ? note.slice(from + 1, to) : '';
  return subject.length !== 3 || NOTE_SUBJECTS_UBL.has(subject);
}

/** The creditor identifier of SEPA is one of the seller or the payee only. */
function isKnownParty(node: XmlNode): boolean {
  const known = normalize(scheme(node) ?? '');
  return (
    IDENTIFIER_SCHEMES.has(known) ||
    (known === 'SEPA' && (node.hasAncestor('AccountingSupplierParty') || node.hasAncestor('PayeeParty')))
  );
}
