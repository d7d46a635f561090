// cspell:ignore EINDAGI
import { xsdDay } from '../../../calendar-day';
import { exists, normalize, normalized, select, single, some, text } from '../../engine/select';
import { type Condition, fromRoot, type Selector, test, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { all, BUYER, isExactlyIn, SELLER } from '../countries';

const isSeller = isExactlyIn(SELLER, 'IS');
const ICELANDIC: Selector = (invoice) => (isSeller(invoice.root, invoice) ? [invoice.root] : []);
const CUSTOMER = fromRoot('AccountingCustomerParty', all(isSeller, isExactlyIn(BUYER, 'IS')));

const TYPES = ['380', '381'];
const NUMBER = 'PartyLegalEntity/CompanyID';
const hasNumber =
  (party: string): Condition =>
  (node) =>
    exists(node, `${party}/${NUMBER}`) && some(node, `${party}/${NUMBER}/@schemeID`, '0196');
const hasAddress =
  (party: string): Condition =>
  (node) =>
    exists(node, `${party}/PostalAddress/StreetName`) && exists(node, `${party}/PostalAddress/PostalZone`);

/** Payment means with this code have an account of twelve characters. */
const hasAccount =
  (code: string): Condition =>
  (root) => {
    const means = select(root, 'PaymentMeans').filter((each) => some(each, 'PaymentMeansCode', code));
    const account = single(means.flatMap((each) => select(each, 'PayeeFinancialAccount/ID')));
    return means.length === 0 || normalize(account?.text ?? '').length === 12;
  };

const FINAL_DUE_DATE = 'EINDAGI';
const finalDueDates = (root: XmlNode) =>
  select(root, 'AdditionalDocumentReference').filter((each) => some(each, 'DocumentDescription', FINAL_DUE_DATE));
const finalDueDate =
  (holds: (dates: readonly XmlNode[], root: XmlNode) => boolean): Condition =>
  (root) => {
    const references = finalDueDates(root);
    return (
      references.length === 0 ||
      holds(
        references.flatMap((each) => select(each, 'ID')),
        root,
      )
    );
  };

/** The rules of Iceland for its sellers, and for invoices between Icelandic parties. */
export const ICELANDIC_RULES = ublRules([
  [
    'IS-R-001',
    'BT-3',
    test(
      ICELANDIC,
      'is_type',
      (root) =>
        TYPES.includes(normalized(root, 'InvoiceTypeCode')) || TYPES.includes(normalized(root, 'CreditNoteTypeCode')),
    ),
    'WARNING',
  ],
  ['IS-R-002', 'BT-30', test(ICELANDIC, 'scheme_is', hasNumber(SELLER), { schemes: '0196' })],
  ['IS-R-003', 'BG-5', test(ICELANDIC, 'street_and_post_code', hasAddress(SELLER))],
  ['IS-R-004', 'BT-47', test(CUSTOMER, 'scheme_is', hasNumber('Party'), { schemes: '0196' })],
  ['IS-R-005', 'BG-8', test(CUSTOMER, 'street_and_post_code', hasAddress('Party'))],
  ['IS-R-006', 'BT-84', test(ICELANDIC, 'length', hasAccount('9'), { length: '12' })],
  ['IS-R-007', 'BT-84', test(ICELANDIC, 'length', hasAccount('42'), { length: '12' })],
  [
    'IS-R-008',
    'BT-122',
    test(
      ICELANDIC,
      'is_final_due_date',
      finalDueDate((dates) => {
        const date = single(dates)?.text ?? '';
        return date.length === 10 && xsdDay(date) !== undefined;
      }),
    ),
  ],
  [
    'IS-R-009',
    'BT-9',
    test(
      ICELANDIC,
      'missing',
      finalDueDate((_dates, root) => exists(root, 'DueDate')),
    ),
  ],
  [
    'IS-R-010',
    'BT-122',
    test(
      ICELANDIC,
      'is_due_order',
      finalDueDate((dates, root) =>
        dates.some(({ text: date }) => exists(root, 'DueDate') && text(root, 'DueDate') <= date),
      ),
    ),
  ],
]);
