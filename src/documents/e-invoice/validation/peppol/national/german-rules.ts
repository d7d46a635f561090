import type { Rule } from '../../engine/rule';
import { exists, normalize, select, some, text } from '../../engine/select';
import { type Condition, fromRoot, ROOT, type Selector, test, type UblRow, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { GERMAN_HEADER_RULES } from '../../xrechnung/header-rules';
import { isIban } from '../../xrechnung/iban';
import { GERMAN_PAYMENT_RULES } from '../../xrechnung/payment-rules';
import { followsSkontoPattern } from '../../xrechnung/skonto';
import { bothGerman } from '../countries';

/** The rules that are those of XRechnung under other numbers. */
const SAME = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '14', '15', '16', '22', '27', '30', '31'];

const TYPES = ['326', '380', '381', '384', '389', '875', '876', '877'];
const CORRECTION = 384;
const SKONTO = /#SKONTO#TAGE=[0-9]+#PROZENT=[0-9]+\.[0-9]{2}(?:#BASISBETRAG=-?[0-9]+\.[0-9]{2})?#$/;

/** Both parties are German. */
const german =
  (at: Selector): Selector =>
  (invoice) =>
    bothGerman(invoice.root, invoice) ? at(invoice) : [];

const numbered = (rule: Rule): Rule => ({
  ...rule,
  id: rule.id.replace(/^BR-DE-(\d+)/, (_id, number: string) => `DE-R-${number.padStart(3, '0')}`),
  at: german(rule.at),
});
const shared = [...GERMAN_HEADER_RULES.ubl, ...GERMAN_PAYMENT_RULES.ubl]
  .filter(({ id }) => SAME.includes(id.replace('BR-DE-', '')))
  .map(numbered);

/** Payment means with one of these codes, compared as numbers. */
const paidBy = (...codes: readonly number[]): Selector =>
  german(
    fromRoot('PaymentMeans', (node) =>
      select(node, 'PaymentMeansCode').some((code) => codes.includes(Number(code.text))),
    ),
  );
const has =
  (path: string): Condition =>
  (node) =>
    exists(node, path);
const without =
  (path: string): Condition =>
  (node) =>
    !exists(node, path);
const validAccount =
  (code: string, path: string): Condition =>
  (node) =>
    !some(node, 'PaymentMeansCode', code) || isIban(text(node, path));

const LOCAL = /^[a-zA-Z0-9!#$%&"*+/=?^_`{|}~-]+$/;
const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

function isMailAddress(address: string): boolean {
  const [local = '', domain = '', ...further] = address.split('@');
  const labels = domain.split('.');
  return (
    further.length === 0 &&
    labels.length > 1 &&
    local.split('.').every((part) => LOCAL.test(part)) &&
    labels.every((label) => LABEL.test(label))
  );
}

const isCorrection = (root: XmlNode) =>
  select(root, 'InvoiceTypeCode|CreditNoteTypeCode').some((code) => Number(code.text) === CORRECTION);
const ROOT_OF_GERMANS = german(ROOT);

const PAYMENT_ROWS: readonly UblRow[] = [
  ['DE-R-019', 'BT-84', test(paidBy(30, 58), 'iban', validAccount('58', 'PayeeFinancialAccount/ID')), 'WARNING'],
  [
    'DE-R-020',
    'BT-91',
    test(paidBy(59), 'iban', validAccount('59', 'PaymentMandate/PayerFinancialAccount/ID')),
    'WARNING',
  ],
  ['DE-R-023-1', 'BG-17', test(paidBy(30, 58), 'missing', has('PayeeFinancialAccount'))],
  ['DE-R-023-2', 'BG-16', test(paidBy(30, 58), 'other_payment', without('CardAccount|PaymentMandate'))],
  ['DE-R-024-1', 'BG-18', test(paidBy(48, 54, 55), 'missing', has('CardAccount'))],
  ['DE-R-024-2', 'BG-16', test(paidBy(48, 54, 55), 'other_payment', without('PayeeFinancialAccount|PaymentMandate'))],
  ['DE-R-025-1', 'BG-19', test(paidBy(59), 'missing', has('PaymentMandate'))],
  ['DE-R-025-2', 'BG-16', test(paidBy(59), 'other_payment', without('PayeeFinancialAccount|CardAccount'))],
];

/** The rules of Germany for invoices between German parties. */
export const GERMAN_RULES: readonly Rule[] = [
  ...shared,
  ...ublRules([
    [
      'DE-R-017',
      'BT-3',
      test(ROOT_OF_GERMANS, 'code', (root) =>
        TYPES.some((type) => some(root, 'InvoiceTypeCode|CreditNoteTypeCode', type)),
      ),
      'WARNING',
    ],
    [
      'DE-R-018',
      'BT-20',
      test(ROOT_OF_GERMANS, 'skonto', (root) => followsSkontoPattern(root, 'PaymentTerms', 'Note', SKONTO)),
    ],
    [
      'DE-R-026',
      'BG-3',
      test(
        ROOT_OF_GERMANS,
        'correction',
        (root) => !isCorrection(root) || exists(root, 'BillingReference/InvoiceDocumentReference'),
      ),
      'WARNING',
    ],
    [
      'DE-R-028',
      'BT-43',
      test(german(fromRoot('AccountingSupplierParty/Party/Contact')), 'mail_address', (contact) =>
        isMailAddress(normalize(text(contact, 'ElectronicMail'))),
      ),
      'WARNING',
    ],
    ...PAYMENT_ROWS,
  ]),
];
