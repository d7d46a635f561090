import { exists, normalize, normalized, some } from '../engine/select';
import { filled, matching, present, type Selector, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { CII, UBL } from './groups';

const transfers = (node: XmlNode) => ['30', '58'].includes(normalized(node, 'PaymentMeansCode'));

const codeIs = (node: XmlNode, path: string, codes: readonly string[]) => codes.some((code) => some(node, path, code));

const TRANSFER_ACCOUNT_UBL: Selector = matching('PaymentMeans/PayeeFinancialAccount', ({ parent }) =>
  codeIs(parent!, 'PaymentMeansCode', ['30', '58']),
);

const TRANSFER_ACCOUNT_CII: Selector = matching(
  'SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount',
  ({ parent }) => codeIs(parent!, 'TypeCode', ['30', '58']),
);

const CARD = 'card';

/** The rules for payment instructions. */
export const PAYMENT_RULES = table([
  ['BR-49', 'BT-81', present(UBL.PAYMENT, 'PaymentMeansCode'), present(CII.PAYMENT, 'TypeCode')],
  [
    'BR-50',
    'BT-84',
    filled(TRANSFER_ACCOUNT_UBL, 'ID'),
    test(
      TRANSFER_ACCOUNT_CII,
      'missing',
      (node) => normalized(node, 'IBANID') + normalized(node, 'ProprietaryID') !== '',
    ),
  ],
  [
    'BR-51',
    'BT-87',
    test(
      matching('PaymentMeans/CardAccount/PrimaryAccountNumberID'),
      CARD,
      (node) => normalize(node.text).length <= 10,
    ),
    undefined,
    'WARNING',
  ],
  [
    'BR-51',
    'BT-87',
    undefined,
    test(matching('ApplicableTradeSettlementFinancialCard'), CARD, (node) => normalized(node, 'ID').length <= 10),
  ],
  [
    'BR-61',
    'BT-84',
    test(UBL.PAYMENT, 'missing', (node) => !transfers(node) || exists(node, 'PayeeFinancialAccount/ID')),
    present(TRANSFER_ACCOUNT_CII, 'IBANID|ProprietaryID'),
  ],
]);
