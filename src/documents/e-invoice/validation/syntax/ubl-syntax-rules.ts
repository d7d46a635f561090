import type { InvoiceDocument } from '../engine/invoice-document';
import type { Rule } from '../engine/rule';
import { count, exists, isTrue, normalize, places, select, single, some } from '../engine/select';
import { type Condition, fromRoot, matching, named, ROOT, rule, type Selector, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { UBL } from '../en16931/groups';
import { UBL_UNUSED_HEADER } from './ubl-unused-header';
import { UBL_UNUSED_LINE } from './ubl-unused-line';
import { unused } from './unused';

const WARNING = 'WARNING';

/** At most `most` of something below each node. */
function atMost(number: string, at: Selector, path: string, most = 1): Rule {
  return rule(
    `UBL-SR-${number}`,
    null,
    test(at, 'at_most', (node) => count(node, path) <= most, { most: String(most), name: path }),
  );
}

/** At most one of what a function finds. */
function atMostOne(
  number: string,
  at: Selector,
  name: string,
  find: (node: XmlNode, invoice: InvoiceDocument) => readonly unknown[],
): Rule {
  const holds: Condition = (node, invoice) => find(node, invoice).length <= 1;
  return rule(`UBL-SR-${number}`, null, test(at, 'at_most', holds, { most: '1', name }));
}

const SELLER = 'AccountingSupplierParty/Party';
const BUYER = 'AccountingCustomerParty/Party';

const registrations = (party: string, vat: boolean) => (root: XmlNode) =>
  select(root, `${party}/PartyTaxScheme`)
    .filter((scheme) =>
      select(scheme, 'TaxScheme').some((each) => (single(select(each, 'ID'))?.text.toUpperCase() === 'VAT') === vat),
    )
    .flatMap((scheme) => select(scheme, 'CompanyID'));

const different = (name: string) => (_root: XmlNode, invoice: InvoiceDocument) => [
  ...new Set(invoice.named(name).map((node) => node.text)),
];

/** The payee's name is not the seller's legal name. */
const payeeDiffers = (node: XmlNode) => {
  const names = select(node, 'PartyName/Name').map((each) => each.text);
  const sellers = select(node, `../${SELLER}/PartyLegalEntity/RegistrationName`).map((each) => each.text);
  return names.some((name) => sellers.some((seller) => seller !== name));
};
const payee = (number: string, found: (node: XmlNode) => number) =>
  rule(
    `UBL-SR-${number}`,
    null,
    test(UBL.PAYEE, 'payee_once', (node) => found(node) <= 1 && payeeDiffers(node)),
  );

const isObject = (node: XmlNode) => some(node, 'DocumentTypeCode', '130');
const AMOUNTS: Selector = (invoice) =>
  invoice.endingWith('Amount').filter((node) => !node.name.endsWith('PriceAmount') && !isInPriceAllowance(node));

function isInPriceAllowance(node: XmlNode): boolean {
  for (let each = node.parent; each; each = each.parent)
    if (each.name === 'AllowanceCharge' && each.parent?.name === 'Price') return true;
  return false;
}

const BINARY: Selector = (invoice) => invoice.endingWith('BinaryObject');
const ALLOWANCES = matching('AllowanceCharge', (node) => isTrue(node, 'ChargeIndicator', false));
const CHARGES = matching('AllowanceCharge', (node) => isTrue(node, 'ChargeIndicator', true));

const REPEATS: readonly Rule[] = [
  ['01', 'ContractDocumentReference/ID'],
  ['02', 'ReceiptDocumentReference/ID'],
  ['03', 'DespatchDocumentReference/ID'],
  ['05', 'PaymentTerms/Note'],
  ['08', 'InvoicePeriod'],
  ['09', `${SELLER}/PartyLegalEntity/RegistrationName`],
  ['10', `${SELLER}/PartyName/Name`],
  ['11', `${SELLER}/PartyLegalEntity/CompanyID`],
  ['14', `${SELLER}/PartyLegalEntity/CompanyLegalForm`],
  ['15', `${BUYER}/PartyLegalEntity/RegistrationName`],
  ['16', `${BUYER}/PartyIdentification/ID`],
  ['17', `${BUYER}/PartyLegalEntity/CompanyID`],
  ['24', 'Delivery'],
  ['39', 'ProjectReference/ID'],
  ['40', `${BUYER}/PartyName/Name`],
  ['45', 'PaymentMeans/PaymentDueDate'],
  ['46', 'PaymentMeans/PaymentMeansCode/@name'],
  ['49', 'InvoicePeriod/DescriptionCode'],
  ['54', 'PaymentMeans/CardAccount'],
  ['55', 'PaymentMeans/PaymentMandate'],
  ['56', 'OriginatorDocumentReference/ID'],
].map(([number, path]) => atMost(number!, ROOT, path!));

/** The rules of the syntax UBL (UBL-SR, UBL-DT, UBL-CR). */
export const UBL_SYNTAX_RULES: readonly Rule[] = [
  ...REPEATS,
  atMostOne('04', ROOT, 'AdditionalDocumentReference', (root) =>
    select(root, 'AdditionalDocumentReference')
      .filter(isObject)
      .flatMap((node) => select(node, 'ID')),
  ),
  atMost('06', matching('BillingReference'), 'InvoiceDocumentReference'),
  rule(
    'UBL-SR-07',
    'BT-25',
    test(matching('BillingReference'), 'missing', (node) => exists(node, 'InvoiceDocumentReference/ID')),
  ),
  atMostOne('12', ROOT, 'PartyTaxScheme/CompanyID', registrations(SELLER, true)),
  atMostOne('13', ROOT, 'PartyTaxScheme/CompanyID', registrations(SELLER, false)),
  atMostOne('18', ROOT, 'PartyTaxScheme/CompanyID', registrations(BUYER, true)),
  payee('19', (node) => count(node, 'PartyName/Name')),
  payee(
    '20',
    (node) =>
      select(node, 'PartyIdentification/ID').filter((id) => id.attributes.get('schemeID')?.toUpperCase() !== 'SEPA')
        .length,
  ),
  payee('21', (node) => count(node, 'PartyLegalEntity/CompanyID')),
  atMost('22', UBL.REPRESENTATIVE, 'PartyName/Name'),
  atMost('23', UBL.REPRESENTATIVE, 'PartyTaxScheme/CompanyID'),
  atMost('25', named('Delivery'), 'DeliveryParty/PartyName/Name'),
  atMost('26', UBL.PAYMENT, 'PaymentID'),
  atMost('27', UBL.PAYMENT, 'PaymentMeansCode'),
  atMost('28', UBL.PAYMENT, 'PaymentMandate/ID'),
  atMostOne('29', ROOT, 'PartyIdentification/ID', (_root, invoice) =>
    invoice
      .named('PartyIdentification')
      .flatMap((node) => select(node, 'ID/@schemeID').filter((scheme) => scheme.text.toUpperCase() === 'SEPA')),
  ),
  atMost('30', ALLOWANCES, 'AllowanceChargeReason'),
  atMost('31', CHARGES, 'AllowanceChargeReason'),
  atMost('32', named('TaxSubtotal'), 'TaxCategory/TaxExemptionReason'),
  atMost('33', UBL.DOCUMENT, 'DocumentDescription'),
  atMost('34', UBL.LINE, 'Note'),
  atMost('35', UBL.LINE, 'OrderLineReference/LineID'),
  atMost('36', UBL.LINE, 'InvoicePeriod'),
  atMost('37', UBL.LINE, 'Price/AllowanceCharge/Amount'),
  atMost('42', matching(SELLER), 'PartyTaxScheme', 2),
  rule(
    'UBL-SR-43',
    'BT-122',
    test(
      UBL.DOCUMENT,
      'document_scheme',
      (node, { root }) =>
        isObject(node) ||
        (root.name === 'CreditNote' && some(node, 'DocumentTypeCode', '50')) ||
        !exists(node, 'ID/@schemeID|DocumentTypeCode'),
    ),
  ),
  atMostOne('44', ROOT, 'PaymentID', different('PaymentID')),
  atMostOne('47', ROOT, 'PaymentMeansCode', different('PaymentMeansCode')),
  rule(
    'UBL-SR-48',
    'BT-151',
    test(UBL.LINE, 'exactly_one', (node) => count(node, 'Item/ClassifiedTaxCategory') === 1, {
      name: 'ClassifiedTaxCategory',
    }),
  ),
  atMost('50', UBL.LINE, 'Item/Description'),
  atMost('51', named('PostalAddress', 'Address'), 'AddressLine'),
  atMost('52', UBL.LINE, 'DocumentReference'),
  rule(
    'UBL-SR-53',
    'BT-31',
    test(named('PartyTaxScheme'), 'registration', (node) => exists(node, 'TaxScheme/ID') && exists(node, 'CompanyID')),
  ),
  rule(
    'UBL-DT-01',
    null,
    test(AMOUNTS, 'places', (node) => places(node.text) <= 2),
  ),
  rule(
    'UBL-DT-06',
    'BT-125',
    test(BINARY, 'attribute_missing', (node) => exists(node, '@mimeCode'), { name: 'mimeCode' }),
  ),
  rule(
    'UBL-DT-07',
    'BT-125',
    test(BINARY, 'attribute_missing', (node) => exists(node, '@filename'), { name: 'filename' }),
  ),
  rule(
    'UBL-DT-18',
    null,
    test(
      ROOT,
      'unused_attribute',
      (_root, invoice) => invoice.withAttribute('name').every((node) => node.name === 'PaymentMeansCode'),
      { name: 'name' },
    ),
    WARNING,
  ),
  rule(
    'UBL-CR-002',
    null,
    test(ROOT, 'ubl_version', (root) => !exists(root, 'UBLVersionID') || some(root, 'UBLVersionID', '2.1')),
    WARNING,
  ),
  rule(
    'UBL-CR-412',
    null,
    test(fromRoot('PaymentMeans/PaymentDueDate'), 'unused_element', (_node, { root }) => root.name === 'CreditNote', {
      name: 'PaymentDueDate',
    }),
    WARNING,
  ),
  rule(
    'UBL-CR-665',
    null,
    test(
      matching('AdditionalDocumentReference/ID'),
      'unused_attribute',
      (node) => !exists(node, '@schemeID') || !isOtherDocument(node.parent!),
      { name: 'schemeID' },
    ),
    WARNING,
  ),
  rule(
    'UBL-CR-666',
    null,
    test(UBL.DOCUMENT, 'unused_element', (node) => !isObject(node) || !exists(node, 'Attachment'), {
      name: 'Attachment',
    }),
  ),
  rule(
    'UBL-CR-673',
    null,
    test(UBL.DOCUMENT, 'unused_element', (node) => !isObject(node) || !exists(node, 'DocumentDescription'), {
      name: 'DocumentDescription',
    }),
  ),
  ...unused({ syntax: 'UBL', series: 'CR', severity: WARNING }, UBL_UNUSED_HEADER),
  ...unused({ syntax: 'UBL', series: 'CR', severity: WARNING }, UBL_UNUSED_LINE),
];

function isOtherDocument(node: XmlNode): boolean {
  const types = select(node, 'DocumentTypeCode');
  return types.length === 0 || types.some((type) => normalize(type.text) !== '130');
}
