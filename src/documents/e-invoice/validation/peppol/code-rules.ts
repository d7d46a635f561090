// cspell:ignore VATEX
import { xsdDay } from '../../calendar-day';
import { CURRENCIES } from '../codes/currencies';
import { ATTACHMENT_TYPES, TAX_POINTS_UBL } from '../codes/payment-and-tax';
import { ALLOWANCE_REASONS, CHARGE_REASONS } from '../codes/reasons';
import { codes } from '../codes/codes';
import { normalize, normalized, select, some } from '../engine/select';
import { type Condition, matching, named, test, type UblRow, ublRules } from '../engine/tests';
import { bothGerman } from './countries';
import { processOf } from './process';

/** The schemes of electronic addresses in Peppol's network. */
const ADDRESS_SCHEMES = codes(`
  0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191
  0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218
  0221 0225 0230 0235 0240 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932
  9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959
`);
/** The types of process 01. */
const INVOICE_TYPES = codes(`
  71 80 82 84 102 218 219 326 331 380 382 383 384 386 388 393 395 553 575 623 780 817 870 875 876 877
`);
const CREDIT_NOTE_TYPES = codes('81 83 381 396 532');
const GERMAN_TYPES = ['326', '384'];

const reasons = (charge: 'true' | 'false') =>
  matching('AllowanceCharge/AllowanceChargeReasonCode', (node) => some(node, '../ChargeIndicator', charge));
const inList =
  (list: ReadonlySet<string>): Condition =>
  (node) =>
    list.has(normalize(node.text));
const inListOfProcess =
  (list: ReadonlySet<string>): Condition =>
  (node, invoice) =>
    processOf(invoice) !== '01' || list.has(normalize(node.text));

/** A reason for an exemption belongs to one VAT category. */
const EXEMPTIONS = [
  ['104', 'VATEX-EU-G', 'G'],
  ['105', 'VATEX-EU-O', 'O'],
  ['106', 'VATEX-EU-IC', 'K'],
  ['107', 'VATEX-EU-AE', 'AE'],
  ['108', 'VATEX-EU-D', 'E'],
  ['109', 'VATEX-EU-F', 'E'],
  ['110', 'VATEX-EU-I', 'E'],
  ['111', 'VATEX-EU-J', 'E'],
] as const;
const hasOnlyReason =
  (code: string): Condition =>
  (node) => {
    const [reason, ...further] = select(node, 'TaxExemptionReasonCode');
    return reason?.text.toUpperCase() === code && further.length === 0;
  };

/** The rules of Peppol BIS Billing for codes and dates. */
export const PEPPOL_CODE_RULES = ublRules([
  [
    'PEPPOL-EN16931-CL001',
    'BT-125',
    test(
      matching('EmbeddedDocumentBinaryObject', ({ attributes }) => attributes.has('mimeCode')),
      'code',
      ({ attributes }) => ATTACHMENT_TYPES.has(attributes.get('mimeCode')!),
    ),
  ],
  ['PEPPOL-EN16931-CL002', 'BT-98', test(reasons('false'), 'code', inList(ALLOWANCE_REASONS))],
  ['PEPPOL-EN16931-CL003', 'BT-105', test(reasons('true'), 'code', inList(CHARGE_REASONS))],
  ['PEPPOL-EN16931-CL006', 'BT-8', test(matching('InvoicePeriod/DescriptionCode'), 'code', inList(TAX_POINTS_UBL))],
  [
    'PEPPOL-EN16931-CL007',
    null,
    test(
      matching(
        'Amount|BaseAmount|PriceAmount|TaxAmount|TaxableAmount|LineExtensionAmount|TaxExclusiveAmount|TaxInclusiveAmount|AllowanceTotalAmount|ChargeTotalAmount|PrepaidAmount|PayableRoundingAmount|PayableAmount',
      ),
      'code',
      ({ attributes }) => CURRENCIES.has(attributes.get('currencyID') ?? ''),
    ),
  ],
  [
    'PEPPOL-EN16931-CL008',
    'BT-34',
    test(
      matching('EndpointID', ({ attributes }) => attributes.has('schemeID')),
      'code',
      ({ attributes }) => ADDRESS_SCHEMES.has(attributes.get('schemeID')!),
    ),
  ],
  ['PEPPOL-EN16931-P0100', 'BT-3', test(named('InvoiceTypeCode'), 'process_type', inListOfProcess(INVOICE_TYPES))],
  [
    'PEPPOL-EN16931-P0101',
    'BT-3',
    test(named('CreditNoteTypeCode'), 'process_type', inListOfProcess(CREDIT_NOTE_TYPES)),
  ],
  [
    'PEPPOL-EN16931-P0112',
    'BT-3',
    test(
      named('InvoiceTypeCode'),
      'german_type',
      (node, invoice) => !GERMAN_TYPES.includes(normalize(node.text)) || bothGerman(node, invoice),
    ),
  ],
  ...EXEMPTIONS.map(([number, reason, category]): UblRow => [
    `PEPPOL-EN16931-P0${number}`,
    'BT-118',
    test(
      matching('TaxCategory', hasOnlyReason(reason)),
      'exemption_category',
      (node) => normalized(node, 'ID') === category,
      { category },
    ),
  ]),
  [
    'PEPPOL-EN16931-F001',
    null,
    test(
      named('IssueDate', 'DueDate', 'TaxPointDate', 'StartDate', 'EndDate', 'ActualDeliveryDate'),
      'date_form',
      ({ text }) => text.length === 10 && xsdDay(text) !== undefined,
    ),
  ],
]);
