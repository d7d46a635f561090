import { absolute, type Decimal, doubleOf, toCents, total } from '../../engine/exact-decimal';
import type { InvoiceDocument } from '../../engine/invoice-document';
import type { Rule } from '../../engine/rule';
import { decimal, decimalIn, decimals, doubles, exists, isTrue, select, some } from '../../engine/select';
import { type Condition, matching } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { isVatCii, LINE_SUM, SETTLEMENT } from '../groups';
import type { VatCategory } from './vat-categories';
import { vatCategoryRules, type VatSyntax } from './vat-category-rules';
import { hasPartiesCii } from './vat-parties-cii';

const isVatOf =
  (code: string): Condition =>
  (tax) =>
    some(tax, 'CategoryCode', code) && isVatCii(tax);

const ITEMS =
  'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/ApplicableTradeTax';

const categories: VatSyntax['categories'] = (code, of) =>
  of === 'LINE'
    ? matching(ITEMS, isVatOf(code))
    : matching(
        'SpecifiedTradeAllowanceCharge/CategoryTradeTax',
        (node, invoice) =>
          isTrue(node, '../ChargeIndicator/Indicator', of === 'CHARGE') && isVatOf(code)(node, invoice),
      );

/** The rules of the VAT categories in CII. */
export const VAT_RULES_CII: readonly Rule[] = vatCategoryRules({
  categories,
  // Standard and zero rate are tested whatever the type of the tax is.
  breakdowns: (code) =>
    matching('ApplicableHeaderTradeSettlement/ApplicableTradeTax', (node) =>
      code === 'S' || code === 'Z'
        ? some(node, 'CategoryCode', code)
        : some(node, 'CategoryCode', code) && isVatCii(node),
    ),
  parties: (category, of) => ({
    at: categories(category.code, of),
    holds: (_node, invoice) => hasPartiesCii(invoice, category),
  }),
  // In CII the artifact refuses a rate of zero for IGIC.
  rateOf: ({ code, rate }) => (code === 'L' ? 'POSITIVE' : rate),
  hasRate,
  hasBreakdown,
  hasTaxable,
  hasTax,
  reason: 'ExemptionReason|ExemptionReasonCode',
});

function hasBreakdown(invoice: InvoiceDocument, { code, perRate }: VatCategory): boolean {
  const of = (name: string, parent?: string) =>
    invoice
      .named(name)
      .filter((tax) => (parent === undefined || tax.parent?.name === parent) && some(tax, 'CategoryCode', code)).length;
  const breakdowns = of('ApplicableTradeTax', 'ApplicableHeaderTradeSettlement');
  const items = of('ApplicableTradeTax', 'SpecifiedLineTradeSettlement');
  const levels = of('CategoryTradeTax');
  if (perRate) return (items === 0 || items + breakdowns >= 2) && (levels === 0 || levels + breakdowns >= 2);
  if (breakdowns === 0) return code === 'O' || items + levels === 0;
  return breakdowns === 1 && items + levels > 0;
}

function hasRate(node: XmlNode, rate: VatCategory['rate']): boolean {
  if (rate === 'NONE') return !exists(node, 'RateApplicablePercent');
  return doubles(node, 'RateApplicablePercent').some((value) =>
    rate === 'ZERO' ? value === 0 : rate === 'POSITIVE' ? value > 0 : value >= 0,
  );
}

function hasTax(node: XmlNode, { code, perRate }: VatCategory): boolean {
  if (!perRate) return doubles(node, 'CalculatedAmount').includes(0);
  if (code !== 'S') return true;
  const stated = absolute(decimal(node, 'CalculatedAmount'));
  const basis = absolute(decimal(node, 'BasisAmount'));
  const [rate] = doubles(node, 'RateApplicablePercent');
  if (stated === undefined || basis === undefined || rate === undefined) return false;
  const expected = Math.round(doubleOf(basis) * rate) / 100;
  const unit = 10n ** 24n;
  return doubleOf(stated - unit) < expected && doubleOf(stated + unit) > expected;
}

function hasTaxable(node: XmlNode, invoice: InvoiceDocument, { code, perRate }: VatCategory): boolean {
  if (perRate && code !== 'S') return true;
  const stated = doubles(node, 'BasisAmount');
  if (perRate) {
    return decimals(node, 'RateApplicablePercent').every((rate) =>
      stated.includes(doubleOf(taxable(invoice, code, rate))),
    );
  }
  const sum = doubleOf(taxable(invoice, code));
  if (code === 'O') return stated.includes(sum);
  return stated.some((value) => value - 1 < sum && value + 1 > sum);
}

/** Lines plus charges minus allowances of a category, each sum in cents, and of a rate where one is given. */
function taxable(invoice: InvoiceDocument, code: string, rate?: Decimal): Decimal {
  return invoice.once(`taxable ${code} ${String(rate)}`, () => {
    const { root } = invoice;
    const isAt = (node: XmlNode, path: string) =>
      select(node, path).some((tax) => some(tax, 'CategoryCode', code)) &&
      (rate === undefined || select(node, path).some((tax) => decimal(tax, 'RateApplicablePercent') === rate));
    const items = select(root, 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem').filter((line) =>
      isAt(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax'),
    );
    const level = (charge: boolean) =>
      cents(
        select(root, `${SETTLEMENT}/SpecifiedTradeAllowanceCharge`)
          .filter((each) => isTrue(each, 'ChargeIndicator/Indicator', charge) && isAt(each, 'CategoryTradeTax'))
          .flatMap((each) => select(each, 'ActualAmount').slice(0, 1).map(decimalIn)),
      );
    return cents(items.flatMap((line) => decimals(line, `${LINE_SUM}/LineTotalAmount`))) + level(true) - level(false);
  });
}

function cents(amounts: readonly Decimal[]): Decimal {
  return toCents(total(amounts))!;
}
