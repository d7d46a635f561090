import { xsdDay } from '../../calendar-day';
import { SETTLEMENT } from '../en16931/groups';
import { doubleIn, exists, normalize, normalized, select, single } from '../engine/select';
import { type Condition, matching, named, ROOT, type Selector, table, test } from '../engine/tests';
import { Unreadable } from '../engine/unreadable';
import type { XmlNode } from '../engine/xml-node';

const TOTALS = 'SpecifiedTradeSettlementHeaderMonetarySummation/TaxTotalAmount';
const SETTLED = named('ApplicableHeaderTradeSettlement');

const currenciesOf = (root: XmlNode, name: string) => select(root, `${SETTLEMENT}/${name}`).map((each) => each.text);
const totalsIn = (nodes: readonly XmlNode[], currencies: readonly string[]) =>
  nodes.filter((node) => currencies.includes(node.attributes.get('currencyID') ?? '\0'));
const valuesOf = (nodes: readonly XmlNode[]) => nodes.map(doubleIn);

/** Some value of each list is negative, or some value of each is not; `zeroIsBoth` lets zero pass for negative too. */
function sameSign(a: readonly number[], b: readonly number[], zeroIsBoth: boolean): boolean {
  const down = (value: number) => (zeroIsBoth ? value <= 0 : value < 0);
  const up = (value: number) => value >= 0;
  return (a.some(down) && b.some(down)) || (a.some(up) && b.some(up));
}

const sameSignUbl: Condition = (root) => {
  if (!exists(root, 'TaxCurrencyCode')) return true;
  const amounts = select(root, 'TaxTotal/TaxAmount');
  const inCurrency = (code: string) => valuesOf(totalsIn(amounts, [normalized(root, code)]));
  return sameSign(inCurrency('TaxCurrencyCode'), inCurrency('DocumentCurrencyCode'), true);
};
const sameSignCii: Condition = (node, { root }) => {
  const inInvoice = totalsIn(select(node, TOTALS), currenciesOf(root, 'InvoiceCurrencyCode'));
  if (!exists(root, `${SETTLEMENT}/TaxCurrencyCode`) || inInvoice.length === 0) return true;
  const inAccounting = totalsIn(select(node, TOTALS), currenciesOf(root, 'TaxCurrencyCode'));
  return sameSign(valuesOf(inAccounting), valuesOf(inInvoice), false);
};

const ofOtherCurrency = (node: XmlNode, currencies: readonly string[]) =>
  select(node, TOTALS).filter((each) => {
    const given = each.attributes.get('currencyID');
    return given !== undefined && currencies.some((currency) => currency !== given);
  });
const oneIf = (node: XmlNode, condition: string) => (exists(node, condition) ? 1 : 0);
const taxTotals = (root: XmlNode, divided: boolean) =>
  select(root, 'TaxTotal').filter((each) => exists(each, 'TaxSubtotal') === divided).length;

function dayIn(node: XmlNode): string {
  const day = xsdDay(node.text.trim());
  if (day === undefined) throw new Unreadable('date', node);
  return day;
}

/** The dates of the lines' periods where the invoice has a period with such a date. */
const lineDatesUbl = (name: string): Selector =>
  matching(
    `InvoiceLine/InvoicePeriod/${name}|CreditNoteLine/InvoicePeriod/${name}`,
    ({ parent }) => parent?.parent?.parent !== undefined && exists(parent.parent.parent, `InvoicePeriod/${name}`),
  );
const PERIOD = 'ApplicableHeaderTradeSettlement/BillingSpecifiedPeriod';
const lineDatesCii = (name: string): Selector =>
  matching(
    `SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/SpecifiedLineTradeSettlement/BillingSpecifiedPeriod/${name}`,
    (node) => exists(node, `../../../../${PERIOD}/${name}`),
  );

type Order = (line: string, invoice: string) => boolean;
const notBefore: Order = (line, invoice) => line >= invoice;
const notAfter: Order = (line, invoice) => line <= invoice;
const withinUbl =
  (name: string, order: Order): Condition =>
  (node) => {
    const all = select(node, `../../../InvoicePeriod/${name}`);
    const own = dayIn(node);
    return order(own, dayIn(single(all)!));
  };
const withinCii =
  (name: string, order: Order): Condition =>
  (node) => {
    const all = select(node, `../../../../${PERIOD}/${name}/DateTimeString`);
    return select(node, 'DateTimeString').some((own) => all.some((each) => order(own.text, each.text)));
  };

/** The rules of Peppol that XRechnung includes for the totals of VAT and for the periods of lines. */
export const VAT_TOTAL_RULES = table([
  [
    'PEPPOL-EN16931-R005',
    'BT-6',
    test(
      named('TaxCurrencyCode'),
      'other_currency',
      (node) => normalize(node.text) !== normalized(node, '../DocumentCurrencyCode'),
    ),
    test(
      SETTLED,
      'other_currency',
      (node) =>
        !exists(node, 'TaxCurrencyCode') ||
        normalized(node, 'TaxCurrencyCode') !== normalized(node, 'InvoiceCurrencyCode'),
    ),
  ],
  [
    'PEPPOL-EN16931-R053',
    'BT-110',
    test(ROOT, 'one_tax_total', (root) => taxTotals(root, true) === 1),
    test(
      SETTLED,
      'one_tax_total',
      (node, { root }) => totalsIn(select(node, TOTALS), currenciesOf(root, 'InvoiceCurrencyCode')).length <= 1,
    ),
  ],
  [
    'PEPPOL-EN16931-R054',
    'BT-111',
    test(ROOT, 'one_accounting_tax', (root) => taxTotals(root, false) === oneIf(root, 'TaxCurrencyCode')),
    test(
      SETTLED,
      'one_accounting_tax',
      (node, { root }) =>
        ofOtherCurrency(node, currenciesOf(root, 'InvoiceCurrencyCode')).length === oneIf(node, 'TaxCurrencyCode'),
    ),
  ],
  ['PEPPOL-EN16931-R055', 'BT-111', test(ROOT, 'same_sign', sameSignUbl), test(SETTLED, 'same_sign', sameSignCii)],
  [
    'PEPPOL-EN16931-R110',
    'BT-134',
    test(lineDatesUbl('StartDate'), 'within_period', withinUbl('StartDate', notBefore)),
    test(lineDatesCii('StartDateTime'), 'within_period', withinCii('StartDateTime', notBefore)),
  ],
  [
    'PEPPOL-EN16931-R111',
    'BT-135',
    test(lineDatesUbl('EndDate'), 'within_period', withinUbl('EndDate', notAfter)),
    test(lineDatesCii('EndDateTime'), 'within_period', withinCii('EndDateTime', notAfter)),
  ],
]);
