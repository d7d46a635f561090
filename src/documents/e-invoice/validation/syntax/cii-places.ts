import { AGREEMENT, SETTLEMENT } from '../en16931/groups';
import type { Rule, Severity } from '../engine/rule';
import { type Condition, fromRoot, named, rule, type Selector, test } from '../engine/tests';

export const LINE = 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem';

export const PRICE = 'GrossPriceProductTradePrice/AppliedTradeAllowanceCharge';

export function condition(
  id: string,
  severity: Severity,
  at: Selector,
  key: string,
  holds: Condition,
  name = '',
): Rule {
  return rule(`CII-${id}`, null, test(at, key, holds, { name, most: '1' }), severity);
}

export const agreement = fromRoot(AGREEMENT);

export const settlement = fromRoot(SETTLEMENT);

export const lineAgreement = fromRoot(`${LINE}/SpecifiedLineTradeAgreement`);

export const product = fromRoot(`${LINE}/SpecifiedTradeProduct`);

export const allowanceCharge = named('SpecifiedTradeAllowanceCharge');
