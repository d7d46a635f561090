import type { Rule } from '../engine/rule';
import type { XmlNode } from '../engine/xml-node';
import { CII_FORBIDDEN } from './cii-forbidden';
import { LINE } from './cii-places';
import { CII_UNUSED_HEADER } from './cii-unused-header';
import { CII_UNUSED_LINE } from './cii-unused-line';
import { type Excepted, unused } from './unused';

/** The identifiers that have rules of their own. */
export const PLAIN_IDENTIFIERS = [
  'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID',
  'ExchangedDocument/ID',
  `${LINE}/AssociatedDocumentLineDocument/LineID`,
  `${LINE}/SpecifiedTradeProduct/SellerAssignedID`,
].join('|');

const excepted: Excepted = (node, group) => {
  if (group === '//*Amount') return node.name === 'TaxTotalAmount' || isOutsideRam(node);
  if (group === '//*ID') return isPlainIdentifier(node);
  return isOutsideRam(node);
};

/** The rules for elements of CII that EN 16931 does not use (CII-SR, CII-DT). */
export const CII_UNUSED_RULES: readonly Rule[] = [
  ...unused({ syntax: 'CII', series: 'SR', severity: 'WARNING' }, CII_UNUSED_LINE, excepted),
  ...unused({ syntax: 'CII', series: 'SR', severity: 'WARNING' }, CII_UNUSED_HEADER, excepted),
  ...unused({ syntax: 'CII', series: 'DT', severity: 'FATAL' }, CII_FORBIDDEN, excepted),
];

function isOutsideRam(node: XmlNode): boolean {
  return node.name.startsWith('{}');
}

function isPlainIdentifier(node: XmlNode): boolean {
  const path: string[] = [];
  for (let each: XmlNode | undefined = node; each?.parent; each = each.parent) path.unshift(each.name);
  return PLAIN_IDENTIFIERS.split('|').includes(path.join('/'));
}
