import {
  absolute,
  type Decimal,
  decimalOf,
  equal,
  hundredth,
  less,
  minus,
  plus,
  times,
  toCents,
  total,
  whole,
  ZERO,
} from '../../engine/exact-decimal';
import type { InvoiceDocument } from '../../engine/invoice-document';
import type { Rule } from '../../engine/rule';
import {
  decimal,
  decimals,
  doubleIn,
  doubles,
  exists,
  isTrue,
  normalize,
  normalized,
  select,
  single,
  some,
} from '../../engine/select';
import { fromRoot, matching, ROOT } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { isVat } from '../groups';
import type { VatCategory } from './vat-categories';
import { vatCategoryRules } from './vat-category-rules';
import { hasPartiesUbl } from './vat-parties-ubl';

const LINES = ['InvoiceLine', 'CreditNoteLine'] as const;

const isOf = (category: XmlNode, code: string) => normalized(category, 'ID') === code;
const isVatOf = (code: string) => (category: XmlNode) => isOf(category, code) && isVat(category);

const ITEMS = 'InvoiceLine/Item/ClassifiedTaxCategory|CreditNoteLine/Item/ClassifiedTaxCategory';

/** The rules of the VAT categories in UBL. */
export const VAT_RULES_UBL: readonly Rule[] = vatCategoryRules({
  categories: (code, of) =>
    of === 'LINE'
      ? matching(ITEMS, isVatOf(code))
      : matching(
          'AllowanceCharge/TaxCategory',
          (node) => isTrue(node, '../ChargeIndicator', of === 'CHARGE') && isVatOf(code)(node),
        ),
  breakdowns: (code) => fromRoot('TaxTotal/TaxSubtotal/TaxCategory', isVatOf(code)),
  parties: (category, of) => ({
    at: ROOT,
    holds: (_root, invoice) =>
      of === 'LINE' ? linesHaveParties(invoice, category) : levelHasParties(invoice, category, of === 'CHARGE'),
  }),
  rateOf: ({ rate }) => rate,
  hasRate,
  hasBreakdown,
  hasTaxable,
  hasTax,
  reason: 'TaxExemptionReason|TaxExemptionReasonCode',
});

function breakdownIds(invoice: InvoiceDocument, code: string): XmlNode[] {
  return select(invoice.root, 'TaxTotal/TaxSubtotal/TaxCategory')
    .filter(isVat)
    .flatMap((each) => select(each, 'ID').filter((id) => normalize(id.text) === code));
}

function hasBreakdown(invoice: InvoiceDocument, { code, perRate }: VatCategory): boolean {
  if (!perRate) {
    const used = [...invoice.named('TaxCategory'), ...invoice.named('ClassifiedTaxCategory')].some(
      (each) => isVat(each) && select(each, 'ID').some((id) => normalize(id.text) === code),
    );
    return !used || breakdownIds(invoice, code).length === 1;
  }
  const counts = (each: XmlNode) => isOf(each, code) && (code === 'S' || isVat(each));
  const used =
    invoice.named('TaxCategory').some((each) => each.parent?.name === 'AllowanceCharge' && counts(each)) ||
    invoice.named('ClassifiedTaxCategory').some(counts);
  const breakdowns = select(invoice.root, 'TaxTotal/TaxSubtotal/TaxCategory');
  // IGIC is compared without its tax scheme where it is used.
  return used
    ? breakdowns.some((each) =>
        code === 'S' ? isOf(each, code) : some(each, 'ID', code) && (code === 'L' || isVat(each)),
      )
    : !breakdowns.some(counts);
}

function linesHaveParties(invoice: InvoiceDocument, category: VatCategory): boolean {
  const items = invoice.named('ClassifiedTaxCategory').filter((each) => isOf(each, category.code));
  const applies = items.some(isVat);
  if (category.code === 'S') return items.length === 0 || (applies && hasPartiesUbl(invoice, category));
  return !applies || hasPartiesUbl(invoice, category);
}

function levelHasParties(invoice: InvoiceDocument, category: VatCategory, charge: boolean): boolean {
  const ofDocumentOnly = category.code === 'O';
  const applies = invoice
    .named('AllowanceCharge')
    .filter((each) => (!ofDocumentOnly || each.parent === invoice.root) && isTrue(each, 'ChargeIndicator', charge))
    .some((each) =>
      select(each, 'TaxCategory').some((tax) => isVatOf(category.code)(tax) && isWritten(tax, category, charge)),
    );
  return !applies || hasPartiesUbl(invoice, category);
}

/** For charges with IGIC the artifact does not normalize the code. */
function isWritten(tax: XmlNode, { code }: VatCategory, charge: boolean): boolean {
  return !charge || code !== 'L' || some(tax, 'ID', code);
}

function hasRate(node: XmlNode, rate: VatCategory['rate']): boolean {
  if (rate === 'NONE') return !exists(node, 'Percent');
  if (rate === 'ZERO') return equal(decimal(node, 'Percent'), ZERO);
  return doubles(node, 'Percent').some((value) => (rate === 'POSITIVE' ? value > 0 : value >= 0));
}

function hasTax(node: XmlNode, { perRate }: VatCategory): boolean {
  const tax = decimal(node, '../TaxAmount');
  if (!perRate) return equal(tax, ZERO);
  const expected = toCents(times(absolute(decimal(node, '../TaxableAmount')), hundredth(decimal(node, 'Percent'))));
  const stated = absolute(tax);
  return less(minus(stated, whole(1)), expected) && less(expected, plus(stated, whole(1)));
}

function hasTaxable(node: XmlNode, invoice: InvoiceDocument, category: VatCategory): boolean {
  if (!category.perRate) {
    const stated = decimal(node, '../TaxableAmount');
    return LINES.some(
      (lines) => invoice.named(lines).length > 0 && equal(stated, taxable(invoice, category.code, lines)),
    );
  }
  const rate = decimal(node, 'Percent');
  if (rate === undefined) return true;
  const stated = single(select(node, '../TaxableAmount'));
  return LINES.some((lines) => {
    if (!applies(invoice, category.code, lines, rate) || !stated) return false;
    // The artifact subtracts and adds the unit that is tolerated as xs:double.
    const value = doubleIn(stated);
    const sum = taxable(invoice, category.code, lines, rate);
    return less(decimalOf(value - 1), sum) && less(sum, decimalOf(value + 1));
  });
}

function applies(invoice: InvoiceDocument, code: string, lines: string, rate: Decimal): boolean {
  if (code !== 'S') return invoice.named(lines).length > 0;
  return (
    invoice.named(lines).some((line) => isAt(line, 'Item/ClassifiedTaxCategory', code, rate)) ||
    invoice.named('AllowanceCharge').some((each) => isAt(each, 'TaxCategory', code, rate))
  );
}

function isAt(node: XmlNode, path: string, code: string, rate: Decimal | undefined): boolean {
  const categories = select(node, path);
  return (
    categories.some((each) => isOf(each, code)) &&
    (rate === undefined || categories.some((each) => decimal(each, 'Percent') === rate))
  );
}

/** Lines plus charges minus allowances of a category, and of a rate where one is given. */
function taxable(invoice: InvoiceDocument, code: string, lines: string, rate?: Decimal): Decimal {
  return invoice.once(`taxable ${code} ${lines} ${String(rate)}`, () => {
    const { root } = invoice;
    const ofLines = select(root, lines).filter((line) => isAt(line, 'Item/ClassifiedTaxCategory', code, rate));
    const level = (charge: boolean) =>
      select(root, 'AllowanceCharge')
        .filter((each) => isTrue(each, 'ChargeIndicator', charge) && isAt(each, 'TaxCategory', code, rate))
        .flatMap((each) => decimals(each, 'Amount'));
    const sum = total(ofLines.flatMap((line) => decimals(line, 'LineExtensionAmount')));
    return sum + total(level(true)) - total(level(false));
  });
}
