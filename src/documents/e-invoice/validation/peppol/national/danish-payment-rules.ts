import { normalized, some, text } from '../../engine/select';
import { type Condition, fromRoot, type Test, test, type UblRow, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { all, BUYER, isExactlyIn, SELLER } from '../countries';

export const bothDanish: Condition = all(isExactlyIn(SELLER, 'DK'), isExactlyIn(BUYER, 'DK'));

const CODES = '1 10 31 42 48 49 50 58 59 93 97';
const ACCOUNT = 'PayeeFinancialAccount/ID';
const PAYMENT = fromRoot(
  'PaymentMeans',
  (node, invoice) => invoice.root.name === 'Invoice' && bothDanish(node, invoice),
);

const filled = (node: XmlNode, ...paths: readonly string[]) => paths.every((path) => normalized(node, path) !== '');
/** A rule for payment means with one of these codes. */
const onlyFor = (codes: readonly string[], key: string, holds: (node: XmlNode) => boolean): Test =>
  test(PAYMENT, key, (node) => !codes.some((code) => some(node, 'PaymentMeansCode', code)) || holds(node));
const begins = (node: XmlNode, ...kinds: readonly string[]) => {
  const reference = text(node, 'PaymentID');
  return kinds.some((kind) => reference.startsWith(kind));
};
const hasLength = (node: XmlNode, ...lengths: readonly number[]) => lengths.includes(text(node, 'PaymentID').length);

const ROWS: readonly UblRow[] = [
  [
    'DK-R-005',
    'BT-81',
    test(PAYMENT, 'payment_codes', (node) => ` ${CODES} `.includes(` ${text(node, 'PaymentMeansCode')} `), {
      codes: CODES,
    }),
  ],
  [
    'DK-R-006',
    'BT-84',
    onlyFor(['31', '42'], 'dk_account', (node) =>
      filled(node, ACCOUNT, 'PayeeFinancialAccount/FinancialInstitutionBranch/ID'),
    ),
  ],
  [
    'DK-R-007',
    'BT-89',
    onlyFor(['49'], 'dk_mandate', (node) =>
      filled(node, 'PaymentMandate/ID', 'PaymentMandate/PayerFinancialAccount/ID'),
    ),
  ],
  [
    'DK-R-008',
    'BT-83',
    onlyFor(['50'], 'dk_giro', (node) => begins(node, '01#', '04#', '15#') && /^[0-9]{7,8}$/.test(text(node, ACCOUNT))),
  ],
  [
    'DK-R-009',
    'BT-83',
    onlyFor(['50'], 'dk_giro_reference', (node) => !begins(node, '04#', '15#') || hasLength(node, 19)),
  ],
  [
    'DK-R-010',
    'BT-83',
    onlyFor(['93'], 'dk_fik', (node) => begins(node, '71#', '73#', '75#') && text(node, ACCOUNT).length === 8),
  ],
  [
    'DK-R-011',
    'BT-83',
    onlyFor(['93'], 'dk_fik_reference', (node) => !begins(node, '71#', '75#') || hasLength(node, 18, 19)),
  ],
];

/** The rules of Denmark for payment instructions. */
export const DANISH_PAYMENT_RULES = ublRules(ROWS);
