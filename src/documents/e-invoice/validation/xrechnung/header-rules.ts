import { AGREEMENT, SETTLEMENT } from '../en16931/groups';
import { count, exists, normalized, select, some, text } from '../engine/select';
import { type Condition, fromRoot, notBlank, present, ROOT, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { AT_CII, AT_UBL } from './places';
import { followsSkontoPattern } from './skonto';
import { isSellerRegisteredCii, isSellerRegisteredUbl } from './seller-registration';
import { SPECIFICATIONS } from './specifications';

const TYPES = ['326', '380', '381', '384', '389', '875', '876', '877'];
const CORRECTION = '384';

const typesUbl = (root: XmlNode) => [normalized(root, 'InvoiceTypeCode'), normalized(root, 'CreditNoteTypeCode')];
const typeCii = (root: XmlNode) => normalized(root, 'ExchangedDocument/TypeCode');
const oneOf = (nodes: readonly XmlNode[], values: readonly string[]) =>
  nodes.some((node) => values.includes(node.text));

/** No attachment has the file name of one before it. */
const filenamesDiffer = (documents: readonly XmlNode[], attachment: string): boolean => {
  const given = documents.map((each) => [each.parent, select(each, `${attachment}/@filename`)] as const);
  const seen = new Map<XmlNode | undefined, Set<string>>();
  return given.every(([parent, names]) => {
    const before = seen.get(parent) ?? new Set<string>();
    seen.set(parent, before);
    if (names.some(({ text: name }) => before.has(name))) return false;
    for (const { text: name } of names) before.add(name);
    return true;
  });
};

const threeDigits = (path: string) => (node: XmlNode) => (normalized(node, path).match(/[0-9]/g) ?? []).length >= 3;
const mailAddress = (path: string) => (node: XmlNode) => /^[^@ ]+@([^@. ]+\.)+[^@. ]+$/.test(normalized(node, path));
const isUrl = (value: string) => /^[a-zA-Z][a-zA-Z0-9+.-]+:/.test(value);

const BASIS = 'SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/BasisQuantity';
const NET_BASIS = 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/BasisQuantity';
const same = (line: XmlNode, attribute: string) => {
  const net = select(line, `${NET_BASIS}${attribute}`).map((each) => each.text);
  return select(line, `${BASIS}${attribute}`).some((each) => net.includes(each.text));
};
const sameBasis: Condition = (line) => {
  if (!exists(line, BASIS) || !exists(line, NET_BASIS)) return true;
  const units = exists(line, `${BASIS}/@unitCode`) && exists(line, `${NET_BASIS}/@unitCode`);
  return same(line, '') && (!units || same(line, '/@unitCode'));
};

/** What XRechnung requires of the document and of its parties. */
export const GERMAN_HEADER_RULES = table([
  [
    'BR-DE-1',
    'BG-16',
    present(ROOT, 'PaymentMeans'),
    present(ROOT, `${SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans`),
  ],
  ['BR-DE-2', 'BG-6', present(AT_UBL.SELLER, 'Party/Contact'), present(AT_CII.SELLER, 'DefinedTradeContact')],
  ['BR-DE-3', 'BT-37', notBlank(AT_UBL.SELLER_ADDRESS, 'CityName'), notBlank(AT_CII.SELLER_ADDRESS, 'CityName')],
  ['BR-DE-4', 'BT-38', notBlank(AT_UBL.SELLER_ADDRESS, 'PostalZone'), notBlank(AT_CII.SELLER_ADDRESS, 'PostcodeCode')],
  [
    'BR-DE-5',
    'BT-41',
    notBlank(AT_UBL.SELLER_CONTACT, 'Name'),
    notBlank(AT_CII.SELLER_CONTACT, 'PersonName|DepartmentName'),
  ],
  [
    'BR-DE-6',
    'BT-42',
    notBlank(AT_UBL.SELLER_CONTACT, 'Telephone'),
    notBlank(AT_CII.SELLER_CONTACT, 'TelephoneUniversalCommunication/CompleteNumber'),
  ],
  [
    'BR-DE-7',
    'BT-43',
    notBlank(AT_UBL.SELLER_CONTACT, 'ElectronicMail'),
    notBlank(AT_CII.SELLER_CONTACT, 'EmailURIUniversalCommunication/URIID'),
  ],
  ['BR-DE-8', 'BT-52', notBlank(AT_UBL.BUYER_ADDRESS, 'CityName'), notBlank(AT_CII.BUYER_ADDRESS, 'CityName')],
  ['BR-DE-9', 'BT-53', notBlank(AT_UBL.BUYER_ADDRESS, 'PostalZone'), notBlank(AT_CII.BUYER_ADDRESS, 'PostcodeCode')],
  ['BR-DE-10', 'BT-77', notBlank(AT_UBL.DELIVERY_ADDRESS, 'CityName'), notBlank(AT_CII.DELIVERY_ADDRESS, 'CityName')],
  [
    'BR-DE-11',
    'BT-78',
    notBlank(AT_UBL.DELIVERY_ADDRESS, 'PostalZone'),
    notBlank(AT_CII.DELIVERY_ADDRESS, 'PostcodeCode'),
  ],
  [
    'BR-DE-14',
    'BT-119',
    notBlank(AT_UBL.BREAKDOWN, 'TaxCategory/Percent'),
    notBlank(AT_CII.BREAKDOWN, 'RateApplicablePercent'),
  ],
  ['BR-DE-15', 'BT-10', notBlank(ROOT, 'BuyerReference'), notBlank(ROOT, `${AGREEMENT}/BuyerReference`)],
  [
    'BR-DE-16',
    'BT-31',
    test(ROOT, 'seller_registration', isSellerRegisteredUbl),
    test(ROOT, 'seller_registration', isSellerRegisteredCii),
  ],
  [
    'BR-DE-17',
    'BT-3',
    test(ROOT, 'invoice_type', (root) => typesUbl(root).some((type) => TYPES.includes(type))),
    test(ROOT, 'invoice_type', (root) => TYPES.includes(typeCii(root))),
    'WARNING',
  ],
  [
    'BR-DE-18',
    'BT-20',
    test(ROOT, 'skonto', (root) => followsSkontoPattern(root, 'PaymentTerms', 'Note')),
    test(ROOT, 'skonto', (root) =>
      followsSkontoPattern(root, `${SETTLEMENT}/SpecifiedTradePaymentTerms`, 'Description'),
    ),
  ],
  [
    'BR-DE-21',
    'BT-24',
    test(ROOT, 'specification', (root) => oneOf(select(root, 'CustomizationID'), SPECIFICATIONS)),
    test(AT_CII.CONTEXT, 'specification', (node) =>
      oneOf(select(node, 'GuidelineSpecifiedDocumentContextParameter/ID'), SPECIFICATIONS),
    ),
    'WARNING',
  ],
  [
    'BR-DE-22',
    'BT-125',
    test(ROOT, 'filenames', (root) =>
      filenamesDiffer(select(root, 'AdditionalDocumentReference'), 'Attachment/EmbeddedDocumentBinaryObject'),
    ),
    test(ROOT, 'filenames', (_root, invoice) =>
      filenamesDiffer(invoice.named('AdditionalReferencedDocument'), 'AttachmentBinaryObject'),
    ),
  ],
  [
    'BR-DE-26',
    'BG-3',
    test(
      ROOT,
      'correction',
      (root) => !typesUbl(root).includes(CORRECTION) || exists(root, 'BillingReference/InvoiceDocumentReference'),
    ),
    test(
      ROOT,
      'correction',
      (root) => typeCii(root) !== CORRECTION || count(root, `${SETTLEMENT}/InvoiceReferencedDocument`) > 0,
    ),
    'WARNING',
  ],
  [
    'BR-DE-27',
    'BT-42',
    test(AT_UBL.SELLER_CONTACT, 'telephone', threeDigits('Telephone')),
    test(AT_CII.SELLER_CONTACT, 'telephone', threeDigits('TelephoneUniversalCommunication/CompleteNumber')),
    'WARNING',
  ],
  [
    'BR-DE-28',
    'BT-43',
    test(AT_UBL.SELLER_CONTACT, 'mail_address', mailAddress('ElectronicMail')),
    test(AT_CII.SELLER_CONTACT, 'mail_address', mailAddress('EmailURIUniversalCommunication/URIID')),
    'WARNING',
  ],
  [
    'BR-TMP-2',
    'BT-124',
    test(fromRoot('AdditionalDocumentReference/Attachment/ExternalReference'), 'url', (node) =>
      isUrl(text(node, 'URI')),
    ),
    test(
      fromRoot(`${AGREEMENT}/AdditionalReferencedDocument`, (node) => some(node, 'TypeCode', '916')),
      'url',
      (node) => !exists(node, 'URIID') || isUrl(text(node, 'URIID')),
    ),
    'WARNING',
  ],
  [
    'BR-TMP-3',
    'BT-149',
    undefined,
    test(fromRoot('SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem'), 'same_base_quantity', sameBasis),
  ],
]);
