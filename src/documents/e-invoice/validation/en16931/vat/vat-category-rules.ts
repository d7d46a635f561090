import type { InvoiceDocument } from '../../engine/invoice-document';
import type { Rule } from '../../engine/rule';
import { exists } from '../../engine/select';
import { calculation, type Condition, ROOT, rule, type Selector, type Test, test } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { VAT_CATEGORIES, type VatCategory } from './vat-categories';

/** What has a VAT category: a line, or an allowance or charge of the whole invoice. */
export type Categorized = 'LINE' | 'ALLOWANCE' | 'CHARGE';

/** How a syntax expresses what the rules of VAT categories test. */
export interface VatSyntax {
  /** The category of each line, allowance or charge that has this one. */
  readonly categories: (code: string, of: Categorized) => Selector;
  /** The breakdowns of a category. */
  readonly breakdowns: (code: string) => Selector;
  /** The parties have the numbers that the category needs, where it is used. */
  readonly parties: (category: VatCategory, of: Categorized) => Pick<Test, 'at' | 'holds'>;
  readonly rateOf: (category: VatCategory) => VatCategory['rate'];
  readonly hasRate: (node: XmlNode, rate: VatCategory['rate']) => boolean;
  readonly hasBreakdown: (invoice: InvoiceDocument, category: VatCategory) => boolean;
  readonly hasTaxable: (node: XmlNode, invoice: InvoiceDocument, category: VatCategory) => boolean;
  readonly hasTax: (node: XmlNode, category: VatCategory) => boolean;
  /** The path of the reason for an exemption, below a breakdown's category. */
  readonly reason: string;
}

/** The rules of all VAT categories: ten of each, with the same numbers. */
export function vatCategoryRules(syntax: VatSyntax): Rule[] {
  return VAT_CATEGORIES.flatMap((category) => rulesOf(category, syntax));
}

function rulesOf(category: VatCategory, syntax: VatSyntax): Rule[] {
  const { code, prefix, perRate, reason } = category;
  const values = { category: code };
  const neededRate = syntax.rateOf(category);
  const numbered = (number: string, term: string, tested: Test) => rule(`${prefix}-${number}`, term, tested);
  const parties = (of: Categorized) => {
    const { at, holds } = syntax.parties(category, of);
    return test(at, `vat_parties_${category.parties}`, holds, values);
  };
  const hasRate: Condition = (node) => syntax.hasRate(node, neededRate);
  const rate = (of: Categorized) =>
    test(syntax.categories(code, of), `vat_rate_${neededRate}`, hasRate, { ...values, rate: neededRate });
  const hasBreakdown: Condition = (_root, invoice) => syntax.hasBreakdown(invoice, category);
  const hasTaxable: Condition = (node, invoice) => syntax.hasTaxable(node, invoice, category);
  const hasTax: Condition = (node) => syntax.hasTax(node, category);
  const hasReason: Condition = (node) => exists(node, syntax.reason) === reason;
  const breakdowns = syntax.breakdowns(code);
  return [
    numbered('01', 'BG-23', test(ROOT, 'vat_breakdown', hasBreakdown, values)),
    numbered('02', 'BT-151', parties('LINE')),
    numbered('03', 'BT-95', parties('ALLOWANCE')),
    numbered('04', 'BT-102', parties('CHARGE')),
    numbered('05', 'BT-152', rate('LINE')),
    numbered('06', 'BT-96', rate('ALLOWANCE')),
    numbered('07', 'BT-103', rate('CHARGE')),
    numbered('08', 'BT-116', calculation(breakdowns, 'vat_taxable', hasTaxable, values)),
    numbered('09', 'BT-117', calculation(breakdowns, perRate ? 'vat_tax' : 'vat_no_tax', hasTax, values)),
    numbered('10', 'BT-120', test(breakdowns, reason ? 'vat_reason' : 'vat_no_reason', hasReason, values)),
  ];
}
