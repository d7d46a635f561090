// The codes of UNTDID 4461 that occur in practice. 1 (not defined) and ZZZ (mutually defined) carry no information.
const METHODS = new Map([
  ['10', 'CASH'],
  ['20', 'CHEQUE'],
  ['30', 'CREDIT_TRANSFER'],
  ['31', 'CREDIT_TRANSFER'],
  ['42', 'CREDIT_TRANSFER'],
  ['48', 'CARD'],
  ['49', 'DIRECT_DEBIT'],
  ['54', 'CREDIT_CARD'],
  ['55', 'DEBIT_CARD'],
  ['57', 'STANDING_AGREEMENT'],
  ['58', 'SEPA_CREDIT_TRANSFER'],
  ['59', 'SEPA_DIRECT_DEBIT'],
  ['68', 'ONLINE_PAYMENT_SERVICE'],
  ['97', 'CLEARING'],
]);

/** The payment method of the codes (BT-81); undefined when they are unknown or offer a choice. */
export function paymentMethod(codes: readonly string[]): string | undefined {
  const methods = new Set(codes.map((code) => METHODS.get(code)));
  return methods.size === 1 ? [...methods][0] : undefined;
}
