import { ADDRESS_SCHEMES, IDENTIFIER_SCHEMES } from '../codes/identifier-schemes';
import { ATTACHMENT_TYPES } from '../codes/payment-and-tax';
import { extended } from '../codes/codes';
import { equal, minus, plus, toCents, total, ZERO } from '../engine/exact-decimal';
import { count, decimal, decimals, exists, normalize, places, select, some, text } from '../engine/select';
import {
  calculation,
  type Condition,
  fromRoot,
  matching,
  named,
  notBlank,
  type Selector,
  table,
  type Test,
  test,
} from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';

/** The codes of digital health applications; the published list takes an empty one too. */
const DIGITAL_HEALTH = ['XR01', 'XR02', 'XR03', ''];
const IDENTIFIERS = extended(IDENTIFIER_SCHEMES, DIGITAL_HEALTH);
const ADDRESSES = extended(ADDRESS_SCHEMES, DIGITAL_HEALTH);
const ATTACHMENTS = extended(ATTACHMENT_TYPES, ['application/xml']);

const schemeOf = (node: XmlNode) => normalize(node.attributes.get('schemeID')!);
const withScheme = (pattern: string, where?: Condition): Selector =>
  matching(
    pattern,
    (node, invoice) => node.attributes.has('schemeID') && (where === undefined || where(node, invoice)),
  );
const scheme = (at: Selector, list: ReadonlySet<string>): Test => test(at, 'code', (node) => list.has(schemeOf(node)));
const sepa = (node: XmlNode) =>
  ['SEPA', ''].includes(schemeOf(node)) &&
  (node.hasAncestor('AccountingSupplierParty') || node.hasAncestor('PayeeParty'));

const attachment = (name: string) =>
  test(named(name), 'code', (node) => ATTACHMENTS.has(node.attributes.get('mimeCode') ?? ''));

const INVOICE: Selector = ({ root }) => (root.name === 'Invoice' ? [root] : []);
const PREPAID = fromRoot('PrepaidPayment', (node) => node.parent?.name === 'Invoice');
const SUB_LINE = 'SubInvoiceLine';
const NET = 'LineExtensionAmount';

const isSumOfSubLines = (line: XmlNode) =>
  !exists(line, SUB_LINE) || equal(decimal(line, NET), total(decimals(line, `${SUB_LINE}/${NET}`)));
const sumsOfSubLines: Condition = (root, invoice) =>
  select(root, 'InvoiceLine').every(isSumOfSubLines) && invoice.named(SUB_LINE).every(isSumOfSubLines);

const due: Condition = (totals) => {
  const paid = select(totals, '../PrepaidPayment/PaidAmount');
  const others = paid.some((each) => normalize(each.text) !== '')
    ? total(decimals(totals, '../PrepaidPayment/PaidAmount'))
    : ZERO;
  const rounding = decimal(totals, 'PayableRoundingAmount') ?? ZERO;
  const gross = minus(decimal(totals, 'TaxInclusiveAmount'), decimal(totals, 'PrepaidAmount') ?? ZERO);
  return equal(toCents(minus(decimal(totals, 'PayableAmount'), rounding)), toCents(plus(gross, others)));
};

/** The rules of the extension of XRechnung: sub lines, payments by others, digital health applications, XML attachments. */
export const EXTENSION_RULES = table([
  ['BR-DEX-01', 'BT-125', attachment('EmbeddedDocumentBinaryObject'), attachment('AttachmentBinaryObject')],
  ['BR-DEX-02', 'BT-131', calculation(INVOICE, 'sub_lines', sumsOfSubLines), undefined, 'WARNING'],
  [
    'BR-DEX-03',
    'BT-151',
    test(INVOICE, 'sub_line_category', (_root, invoice) =>
      invoice
        .named(SUB_LINE)
        .every((line) => select(line, 'Item').every((item) => count(item, 'ClassifiedTaxCategory') === 1)),
    ),
    undefined,
  ],
  [
    'BR-DEX-04',
    null,
    test(withScheme('PartyIdentification/ID'), 'code', (node) => IDENTIFIERS.has(schemeOf(node)) || sepa(node)),
    scheme(
      withScheme(
        'GlobalID',
        (node) => !node.hasAncestor('SpecifiedTradeProduct') && !node.hasAncestor('ShipToTradeParty'),
      ),
      IDENTIFIERS,
    ),
  ],
  [
    'BR-DEX-05',
    null,
    scheme(withScheme('PartyLegalEntity/CompanyID'), IDENTIFIERS),
    scheme(
      withScheme('ID', (node) => !node.hasAncestor('SpecifiedTaxRegistration')),
      IDENTIFIERS,
    ),
  ],
  [
    'BR-DEX-06',
    'BT-157',
    scheme(withScheme('StandardItemIdentification/ID'), IDENTIFIERS),
    scheme(withScheme('SpecifiedTradeProduct/GlobalID'), IDENTIFIERS),
  ],
  [
    'BR-DEX-07',
    null,
    scheme(withScheme('EndpointID'), ADDRESSES),
    scheme(withScheme('URIUniversalCommunication/URIID'), ADDRESSES),
  ],
  [
    'BR-DEX-08',
    'BT-71',
    scheme(withScheme('DeliveryLocation/ID'), IDENTIFIERS),
    scheme(withScheme('ApplicableHeaderTradeDelivery/ShipToTradeParty/GlobalID'), IDENTIFIERS),
  ],
  ['BR-DEX-09', 'BT-115', calculation(named('LegalMonetaryTotal'), 'due_of_others', due), undefined],
  ['BR-DEX-10', null, notBlank(PREPAID, 'ID'), undefined],
  ['BR-DEX-11', null, notBlank(PREPAID, 'PaidAmount'), undefined],
  ['BR-DEX-12', null, notBlank(PREPAID, 'InstructionID'), undefined],
  ['BR-DEX-13', null, test(PREPAID, 'places', (node) => places(text(node, 'PaidAmount')) <= 2), undefined],
  [
    'BR-DEX-14',
    null,
    test(PREPAID, 'paid_currency', (node) =>
      select(node, 'PaidAmount/@currencyID').some((each) => some(node, '../DocumentCurrencyCode', each.text)),
    ),
    undefined,
  ],
  [
    'BR-DEX-15',
    'BT-126',
    undefined,
    test(
      matching('IncludedSupplyChainTradeLineItem/AssociatedDocumentLineDocument'),
      'parent_line',
      (_node, invoice) => invoice.named('ParentLineID').length === 0,
    ),
    'WARNING',
  ],
]);
