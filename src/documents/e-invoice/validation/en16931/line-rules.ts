import { doubles, exists, normalized, select } from '../engine/select';
import {
  filled,
  matching,
  named,
  present,
  table,
  test,
  twoPlaces,
  twoPlacesOfFirst,
  type Selector,
} from '../engine/tests';
import { Unreadable } from '../engine/unreadable';
import type { XmlNode } from '../engine/xml-node';
import { CII, hasReasonCii, hasReasonUbl, isVat, isVatCii, LINE_SUM, UBL } from './groups';

const NET_PRICE = 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount';
const GROSS_PRICE = 'SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/ChargeAmount';
const QUANTITY = 'SpecifiedLineTradeDelivery/BilledQuantity';

const notNegative = (path: string, required: boolean) => (node: XmlNode) =>
  (!required && !exists(node, path)) || doubles(node, path).some((value) => value >= 0);

const reason = (ubl: Selector, cii: Selector) =>
  [test(ubl, 'reason', hasReasonUbl), test(cii, 'reason', hasReasonCii)] as const;

/** The rules for lines, allowances, charges and periods. */
export const LINE_RULES = table([
  ['BR-21', 'BT-126', filled(UBL.LINE, 'ID'), filled(CII.LINE, 'AssociatedDocumentLineDocument/LineID')],
  ['BR-22', 'BT-129', present(UBL.LINE, 'InvoicedQuantity|CreditedQuantity'), present(CII.LINE, QUANTITY)],
  [
    'BR-23',
    'BT-130',
    present(UBL.LINE, 'InvoicedQuantity/@unitCode|CreditedQuantity/@unitCode'),
    present(CII.LINE, `${QUANTITY}/@unitCode`),
  ],
  ['BR-24', 'BT-131', present(UBL.LINE, 'LineExtensionAmount'), present(CII.LINE, `${LINE_SUM}/LineTotalAmount`)],
  ['BR-25', 'BT-153', filled(UBL.LINE, 'Item/Name'), filled(CII.LINE, 'SpecifiedTradeProduct/Name')],
  ['BR-26', 'BT-146', present(UBL.LINE, 'Price/PriceAmount'), present(CII.LINE, NET_PRICE)],
  [
    'BR-27',
    'BT-146',
    test(UBL.LINE, 'negative', notNegative('Price/PriceAmount', true)),
    test(CII.LINE, 'negative', notNegative(NET_PRICE, true)),
  ],
  [
    'BR-28',
    'BT-148',
    test(UBL.LINE, 'negative', notNegative('Price/AllowanceCharge/BaseAmount', false)),
    test(CII.LINE, 'negative', notNegative(GROSS_PRICE, false)),
  ],
  ['BR-29', 'BT-74', test(UBL.PERIOD, 'period', inOrderUbl), test(CII.PERIOD, 'period', inOrderCii)],
  ['BR-30', 'BT-135', test(UBL.LINE_PERIOD, 'period', inOrderUbl), test(CII.LINE_PERIOD, 'period', inOrderCii)],
  ['BR-31', 'BT-92', present(UBL.ALLOWANCE, 'Amount'), present(CII.ALLOWANCE, 'ActualAmount')],
  ['BR-32', 'BT-95', test(UBL.ALLOWANCE, 'missing', hasCategoryUbl), test(CII.ALLOWANCE, 'missing', hasCategoryCii)],
  ['BR-33', 'BT-97', ...reason(UBL.ALLOWANCE, CII.ALLOWANCE)],
  ['BR-36', 'BT-99', present(UBL.CHARGE, 'Amount'), present(CII.CHARGE, 'ActualAmount')],
  ['BR-37', 'BT-102', test(UBL.CHARGE, 'missing', hasCategoryUbl), test(CII.CHARGE, 'missing', hasCategoryCii)],
  ['BR-38', 'BT-104', ...reason(UBL.CHARGE, CII.CHARGE)],
  ['BR-41', 'BT-136', present(UBL.LINE_ALLOWANCE, 'Amount'), present(CII.LINE_ALLOWANCE, 'ActualAmount')],
  ['BR-42', 'BT-139', ...reason(UBL.LINE_ALLOWANCE, CII.LINE_ALLOWANCE)],
  ['BR-43', 'BT-141', present(UBL.LINE_CHARGE, 'Amount'), present(CII.LINE_CHARGE, 'ActualAmount')],
  ['BR-44', 'BT-144', ...reason(UBL.LINE_CHARGE, CII.LINE_CHARGE)],
  [
    'BR-54',
    'BG-32',
    test(named('AdditionalItemProperty'), 'attribute', (node) => exists(node, 'Name') && exists(node, 'Value')),
    test(
      named('ApplicableProductCharacteristic'),
      'attribute',
      (node) => exists(node, 'Description') && exists(node, 'Value'),
    ),
  ],
  [
    'BR-64',
    'BT-157',
    test(
      matching('InvoiceLine/Item/StandardItemIdentification/ID|CreditNoteLine/Item/StandardItemIdentification/ID'),
      'scheme',
      (node) => exists(node, '@schemeID'),
    ),
    test(CII.LINE, 'scheme', (node) => schemeIfPresent(node, 'SpecifiedTradeProduct/GlobalID', '@schemeID')),
  ],
  [
    'BR-65',
    'BT-158',
    test(
      matching(
        'InvoiceLine/Item/CommodityClassification/ItemClassificationCode|CreditNoteLine/Item/CommodityClassification/ItemClassificationCode',
      ),
      'scheme',
      (node) => exists(node, '@listID'),
    ),
    test(named('DesignatedProductClassification'), 'scheme', (node) => schemeIfPresent(node, 'ClassCode', '@listID')),
  ],
  [
    'BR-CO-04',
    'BT-151',
    test(UBL.LINE, 'missing', (node) =>
      select(node, 'Item/ClassifiedTaxCategory').some((category) => isVat(category) && exists(category, 'ID')),
    ),
    test(CII.LINE, 'missing', (node) =>
      select(node, 'SpecifiedLineTradeSettlement/ApplicableTradeTax').some(
        (tax) => isVatCii(tax) && exists(tax, 'CategoryCode'),
      ),
    ),
  ],
  [
    'BR-CO-19',
    'BG-14',
    test(UBL.PERIOD, 'period_dates', (node) => exists(node, 'StartDate|EndDate|DescriptionCode')),
    present(CII.PERIOD, 'StartDateTime|EndDateTime'),
  ],
  [
    'BR-CO-20',
    'BG-26',
    present(UBL.LINE_PERIOD, 'StartDate|EndDate'),
    present(CII.LINE_PERIOD, 'StartDateTime|EndDateTime'),
  ],
  ['BR-CO-21', 'BT-97', ...reason(UBL.ALLOWANCE, CII.ALLOWANCE)],
  ['BR-CO-22', 'BT-104', ...reason(UBL.CHARGE, CII.CHARGE)],
  ['BR-CO-23', 'BT-139', ...reason(UBL.LINE_ALLOWANCE, CII.LINE_ALLOWANCE)],
  ['BR-CO-24', 'BT-144', ...reason(UBL.LINE_CHARGE, CII.LINE_CHARGE)],
  ['BR-DEC-01', 'BT-92', twoPlaces(UBL.ALLOWANCE, 'Amount'), twoPlacesOfFirst(CII.ALLOWANCE, 'ActualAmount')],
  ['BR-DEC-02', 'BT-93', twoPlaces(UBL.ALLOWANCE, 'BaseAmount'), twoPlaces(CII.ALLOWANCE, 'BasisAmount')],
  ['BR-DEC-05', 'BT-99', twoPlaces(UBL.CHARGE, 'Amount'), twoPlacesOfFirst(CII.CHARGE, 'ActualAmount')],
  ['BR-DEC-06', 'BT-100', twoPlaces(UBL.CHARGE, 'BaseAmount'), twoPlaces(CII.CHARGE, 'BasisAmount')],
  [
    'BR-DEC-23',
    'BT-131',
    twoPlaces(UBL.LINE, 'LineExtensionAmount'),
    twoPlaces(CII.LINE, `${LINE_SUM}/LineTotalAmount`),
  ],
  [
    'BR-DEC-24',
    'BT-136',
    twoPlaces(UBL.LINE_ALLOWANCE, 'Amount'),
    twoPlacesOfFirst(CII.LINE_ALLOWANCE, 'ActualAmount'),
  ],
  ['BR-DEC-25', 'BT-137', twoPlaces(UBL.LINE_ALLOWANCE, 'BaseAmount'), twoPlaces(CII.LINE_ALLOWANCE, 'BasisAmount')],
  ['BR-DEC-27', 'BT-141', twoPlaces(UBL.LINE_CHARGE, 'Amount'), twoPlacesOfFirst(CII.LINE_CHARGE, 'ActualAmount')],
  ['BR-DEC-28', 'BT-142', twoPlaces(UBL.LINE_CHARGE, 'BaseAmount'), twoPlaces(CII.LINE_CHARGE, 'BasisAmount')],
]);

function hasCategoryUbl(node: XmlNode): boolean {
  return select(node, 'TaxCategory').some((category) => isVat(category) && exists(category, 'ID'));
}

function hasCategoryCii(node: XmlNode): boolean {
  return select(node, 'CategoryTradeTax').some((tax) => isVatCii(tax) && exists(tax, 'CategoryCode'));
}

function schemeIfPresent(node: XmlNode, path: string, scheme: string): boolean {
  return !exists(node, path) || normalized(node, `${path}/${scheme}`) !== '';
}

const DATE = /^\s*(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?\s*$/;

function day(node: XmlNode): string {
  const found = DATE.exec(node.text)?.[1];
  if (!found || Number.isNaN(Date.parse(found)) || new Date(found).toISOString().slice(0, 10) !== found) {
    throw new Unreadable('date', node);
  }
  return found;
}

function inOrderUbl(node: XmlNode): boolean {
  const [start] = select(node, 'StartDate');
  const [end] = select(node, 'EndDate');
  return !start || !end || day(end) >= day(start);
}

function inOrderCii(node: XmlNode): boolean {
  if (!exists(node, 'EndDateTime') || !exists(node, 'StartDateTime')) return true;
  const days = (path: string) =>
    select(node, `${path}/DateTimeString`)
      .filter((each) => each.attributes.get('format') === '102')
      .map((each) => each.text);
  const starts = days('StartDateTime');
  return days('EndDateTime').some((end) => starts.some((start) => end >= start));
}
