import { equal, minus, ZERO } from '../engine/exact-decimal';
import { decimal, decimalIn, exists, normalized, select, single, some } from '../engine/select';
import { calculation, type Condition, matching, named, table, type Test, test } from '../engine/tests';
import { CENTS_OR_HALF_FORINT, isLineNet, type Slack } from './slack';

const INDICATOR = 'ChargeIndicator/Indicator';
const LINES_UBL = named('InvoiceLine', 'CreditNoteLine');
const LINES_CII = named('IncludedSupplyChainTradeLineItem');
const AGREED = 'SpecifiedLineTradeAgreement';
const GROSS = matching(
  `SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem/${AGREED}/GrossPriceProductTradePrice`,
);
const DISCOUNT = 'AppliedTradeAllowanceCharge';
const REFERENCE = 'SpecifiedLineTradeSettlement/AdditionalReferencedDocument';

const netOfDiscountUbl: Condition = (node) =>
  !exists(node, 'BaseAmount') ||
  equal(decimal(node, '../PriceAmount'), minus(decimal(node, 'BaseAmount'), decimal(node, 'Amount')));
const netOfDiscountCii: Condition = (node) => {
  if (!exists(node, 'ChargeAmount')) return true;
  const amounts = select(node, DISCOUNT).flatMap((each) => select(each, 'ActualAmount').slice(0, 1));
  const discount = single(amounts);
  return equal(
    decimal(node, '../NetPriceProductTradePrice/ChargeAmount'),
    minus(decimal(node, 'ChargeAmount'), discount ? decimalIn(discount) : ZERO),
  );
};

/** The net amount of a line of UBL is quantity times price plus charges minus allowances. */
export function lineNetUbl(slack: Slack): Test {
  return calculation(LINES_UBL, 'line_net', (line, invoice) => {
    const paths = {
      net: 'LineExtensionAmount',
      quantity: invoice.root.name === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity',
      price: 'Price/PriceAmount',
      bases: ['Price/BaseQuantity'],
      allowances: 'AllowanceCharge',
      indicator: 'ChargeIndicator',
      amount: 'Amount',
    };
    return isLineNet(line, paths, slack(invoice));
  });
}

const SETTLED = 'SpecifiedLineTradeSettlement';
const LINE_PATHS_CII = {
  net: `${SETTLED}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`,
  quantity: 'SpecifiedLineTradeDelivery/BilledQuantity',
  price: `${AGREED}/NetPriceProductTradePrice/ChargeAmount`,
  bases: [`${AGREED}/NetPriceProductTradePrice/BasisQuantity`, `${AGREED}/GrossPriceProductTradePrice/BasisQuantity`],
  allowances: `${SETTLED}/SpecifiedTradeAllowanceCharge`,
  indicator: INDICATOR,
  amount: 'ActualAmount',
};

const positive =
  (path: string): Condition =>
  (node) => {
    const quantity = decimal(node, path);
    return quantity === undefined || quantity > ZERO;
  };
const sameUnit =
  (quantity: string): Condition =>
  (node) =>
    some(node, `${quantity}/@unitCode`, node.attributes.get('unitCode')!);
const sameUnitUbl: Condition = (node, invoice) =>
  !exists(node, '../../InvoicedQuantity|../../CreditedQuantity') ||
  sameUnit(invoice.root.name === 'Invoice' ? '../../InvoicedQuantity' : '../../CreditedQuantity')(node, invoice);
const withUnit: Condition = (node) => node.attributes.has('unitCode');

/** The rules of Peppol that XRechnung includes for lines and prices. */
export const PEPPOL_LINE_RULES = table([
  [
    'PEPPOL-EN16931-R044',
    'BT-147',
    test(
      matching('Price/AllowanceCharge'),
      'price_discount',
      (node) => normalized(node, 'ChargeIndicator') === 'false',
    ),
    test(
      GROSS,
      'price_discount',
      (node) => !exists(node, `${DISCOUNT}/ActualAmount`) || some(node, `${DISCOUNT}/${INDICATOR}`, 'false'),
    ),
  ],
  [
    'PEPPOL-EN16931-R046',
    'BT-146',
    calculation(matching('Price/AllowanceCharge'), 'net_price', netOfDiscountUbl),
    calculation(GROSS, 'net_price', netOfDiscountCii),
  ],
  [
    'PEPPOL-EN16931-R101',
    'BT-128',
    test(
      LINES_UBL,
      'line_document',
      (line) => !exists(line, 'DocumentReference') || some(line, 'DocumentReference/DocumentTypeCode', '130'),
    ),
    test(LINES_CII, 'line_document', (line) => !exists(line, REFERENCE) || some(line, `${REFERENCE}/TypeCode`, '130')),
  ],
  [
    'PEPPOL-EN16931-R120',
    'BT-131',
    lineNetUbl(CENTS_OR_HALF_FORINT),
    calculation(LINES_CII, 'line_net', (line, invoice) =>
      isLineNet(line, LINE_PATHS_CII, CENTS_OR_HALF_FORINT(invoice)),
    ),
    'WARNING',
  ],
  [
    'PEPPOL-EN16931-R121',
    'BT-149',
    test(LINES_UBL, 'positive', positive('Price/BaseQuantity')),
    test(named('NetPriceProductTradePrice', 'GrossPriceProductTradePrice'), 'positive', positive('BasisQuantity')),
  ],
  [
    'PEPPOL-EN16931-R130',
    'BT-150',
    test(matching('Price/BaseQuantity', withUnit), 'same_unit', sameUnitUbl),
    test(
      matching('NetPriceProductTradePrice/BasisQuantity|GrossPriceProductTradePrice/BasisQuantity', withUnit),
      'same_unit',
      sameUnit('../../../SpecifiedLineTradeDelivery/BilledQuantity'),
    ),
  ],
]);
