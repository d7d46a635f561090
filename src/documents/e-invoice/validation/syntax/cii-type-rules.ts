import type { Rule, Severity } from '../engine/rule';
import { exists, some } from '../engine/select';
import { fromRoot, matching, rule, type Selector, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { PLAIN_IDENTIFIERS } from './cii-unused-rules';

const isRam = (node: XmlNode) => !node.name.startsWith('{}');
const DOCUMENTS: Selector = (invoice) => invoice.endingWith('ReferencedDocument').filter(isRam);
const TAXES: Selector = (invoice) => invoice.endingWith('TradeTax').filter(isRam);
const QUANTITIES: Selector = (invoice) => invoice.endingWith('Quantity').filter(isRam);
const DAYS = matching('DateTimeString', (node) => node.attributes.get('format') === '102');

/** `102` is a day as YYYYMMDD. */
const DAY = /^\s*\d{4}(?:1[0-2]|0[1-9])(?:3[01]|[12][0-9]|0[1-9])\s*$/;

function unless(
  number: string,
  severity: Severity,
  at: Selector,
  name: string,
  except: (node: XmlNode) => boolean,
): Rule {
  return rule(
    `CII-DT-${number}`,
    null,
    test(at, 'unused_element', (node) => !exists(node, name) || except(node), { name }),
    severity,
  );
}

const isAdditional =
  (...types: readonly string[]) =>
  (node: XmlNode) =>
    node.name === 'AdditionalReferencedDocument' && types.some((type) => some(node, 'TypeCode', type));
const isOfHeader = (node: XmlNode) => node.hasAncestor('ApplicableHeaderTradeSettlement');
const isBreakdownOrItem = (node: XmlNode) => node.name === 'ApplicableTradeTax';

const IDENTIFIER_ATTRIBUTES = [
  'schemeName',
  'schemeAgencyName',
  'schemeDataURI',
  'schemeURI',
  'schemeID',
  'schemeAgencyID',
  'schemeVersionID',
];

/** The rules for the data types of CII that have exceptions. */
export const CII_TYPE_RULES: readonly Rule[] = [
  ...IDENTIFIER_ATTRIBUTES.map((name, at) =>
    rule(
      `CII-DT-00${at + 1}`,
      null,
      test(fromRoot(PLAIN_IDENTIFIERS), 'unused_attribute', (node) => !exists(node, `@${name}`), { name }),
    ),
  ),
  unless('015', 'FATAL', DOCUMENTS, 'URIID', isAdditional('916')),
  unless('018', 'FATAL', DOCUMENTS, 'TypeCode', isAdditional('50', '130', '916')),
  unless('021', 'FATAL', DOCUMENTS, 'Name', isAdditional('916')),
  unless('022', 'FATAL', DOCUMENTS, 'AttachmentBinaryObject', isAdditional('916')),
  unless('024', 'FATAL', DOCUMENTS, 'ReferenceTypeCode', isAdditional('130')),
  unless('027', 'FATAL', DOCUMENTS, 'FormattedIssueDateTime', (node) => node.name === 'InvoiceReferencedDocument'),
  rule(
    'CII-DT-033',
    null,
    test(
      QUANTITIES,
      'unused_attribute',
      (node, invoice) =>
        !exists(node, '@unitCode') ||
        exists(
          invoice.root,
          'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeDelivery/BilledQuantity/@unitCode',
        ),
      { name: 'unitCode' },
    ),
  ),
  unless('037', 'FATAL', TAXES, 'TypeCode', (node) => some(node, 'TypeCode', 'VAT')),
  unless('041', 'WARNING', TAXES, 'BasisAmount', isOfHeader),
  unless('052', 'WARNING', TAXES, 'ExemptionReasonCode', isBreakdownOrItem),
  unless('054', 'WARNING', TAXES, 'TaxPointDate', isOfHeader),
  unless('058', 'WARNING', TAXES, 'DueDateTypeCode', isOfHeader),
  unless('098', 'WARNING', TAXES, 'ExemptionReason', isBreakdownOrItem),
  rule('CII-DT-097', null, { ...test(DAYS, 'day', (node) => DAY.test(node.text)), class: 'FORMAT' }),
];
