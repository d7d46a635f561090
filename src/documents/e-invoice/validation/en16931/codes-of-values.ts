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
import { UNITS } from '../codes/units';
import { isTrue, normalize } from '../engine/select';
import { fromRoot, matching, named, type Selector, table, test, type Test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { attribute, code, having } from './code-test';

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

const quantitiesUbl =
  (...names: readonly string[]): Selector =>
  (invoice) =>
    named(...names)(invoice).filter((node) => node.attributes.has('unitCode'));

const upperCase = (node: XmlNode) => node.text.toUpperCase();

/** The rules for codes of documents, currencies, countries, payment, VAT, reasons and units. */
export const VALUE_CODE_RULES = table([
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
  ['BR-CL-08', 'BT-21', test(fromRoot('Note'), 'code', hasKnownSubject), code(named('SubjectCode'), NOTE_SUBJECTS_CII)],
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
