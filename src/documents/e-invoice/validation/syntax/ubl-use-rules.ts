import { UBL } from '../en16931/groups';
import type { Rule } from '../engine/rule';
import { exists, normalize, places, select, some } from '../engine/select';
import { fromRoot, matching, named, ROOT, rule, type Selector, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { isObject } from './ubl-repeat-rules';

const AMOUNTS: Selector = (invoice) =>
  invoice.endingWith('Amount').filter((node) => !node.name.endsWith('PriceAmount') && !isInPriceAllowance(node));

const BINARY: Selector = (invoice) => invoice.endingWith('BinaryObject');

/** The rules for the use of single elements and attributes of UBL (UBL-SR, UBL-DT, UBL-CR). */
export const UBL_USE_RULES: readonly Rule[] = [
  rule(
    'UBL-SR-07',
    'BT-25',
    test(matching('BillingReference'), 'missing', (node) => exists(node, 'InvoiceDocumentReference/ID')),
  ),
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
    'WARNING',
  ),
  rule(
    'UBL-CR-002',
    null,
    test(ROOT, 'ubl_version', (root) => !exists(root, 'UBLVersionID') || some(root, 'UBLVersionID', '2.1')),
    'WARNING',
  ),
  rule(
    'UBL-CR-412',
    null,
    test(fromRoot('PaymentMeans/PaymentDueDate'), 'unused_element', (_node, { root }) => root.name === 'CreditNote', {
      name: 'PaymentDueDate',
    }),
    'WARNING',
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
    'WARNING',
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
];

function isInPriceAllowance(node: XmlNode): boolean {
  for (let each = node.parent; each; each = each.parent)
    if (each.name === 'AllowanceCharge' && each.parent?.name === 'Price') return true;
  return false;
}

function isOtherDocument(node: XmlNode): boolean {
  const types = select(node, 'DocumentTypeCode');
  return types.length === 0 || types.some((type) => normalize(type.text) !== '130');
}
