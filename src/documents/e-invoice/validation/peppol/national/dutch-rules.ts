import { less, ZERO } from '../../engine/exact-decimal';
import { decimal, exists, normalize, normalized } from '../../engine/select';
import { type Condition, matching, type Selector, test, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { all, BUYER, isIn, REPRESENTATIVE, SELLER } from '../countries';

const seller = isIn(SELLER, 'NL');
const sellerAndBuyer = all(seller, isIn(BUYER, 'NL'));
const sellerAndRepresentative = all(seller, isIn(REPRESENTATIVE, 'NL'));

const CODES = ['30', '48', '49', '57', '58', '59'];

const address = (at: Selector) =>
  test(at, 'nl_address', (node) => ['StreetName', 'CityName', 'PostalZone'].every((name) => exists(node, name)));
/** A number of the chamber of commerce or of an authority. */
const number = (at: Selector) =>
  test(
    at,
    'scheme_is',
    (node) => / (?:0106|0190) /.test(` ${node.attributes.get('schemeID') ?? ''} `) && normalize(node.text) !== '',
    { schemes: '0106, 0190' },
  );

/** The payment goes to the buyer, or its means are given. */
const hasPayment: Condition = (node, invoice) => {
  const due = decimal(node, 'PayableAmount');
  const owed = invoice.root.name === 'Invoice' ? less(ZERO, due) : less(due, ZERO);
  return (due !== undefined && !owed) || invoice.named('PaymentMeans').length > 0;
};
const refersToOrder = (_node: XmlNode, { root }: { root: XmlNode }) => exists(root, 'OrderReference/ID');

/** The rules of the Netherlands for their sellers. */
export const DUTCH_RULES = ublRules([
  [
    'NL-R-001',
    'BG-3',
    test(matching('CreditNoteTypeCode', seller), 'missing', (_node, { root }) =>
      exists(root, 'BillingReference/InvoiceDocumentReference/ID'),
    ),
  ],
  ['NL-R-002', 'BG-5', address(matching(`${SELLER}/PostalAddress`, seller))],
  ['NL-R-003', 'BT-30', number(matching(`${SELLER}/PartyLegalEntity/CompanyID`, seller))],
  ['NL-R-004', 'BG-8', address(matching(`${BUYER}/PostalAddress`, sellerAndBuyer))],
  ['NL-R-005', 'BT-47', number(matching(`${BUYER}/PartyLegalEntity/CompanyID`, sellerAndBuyer))],
  ['NL-R-006', 'BG-12', address(matching(`${REPRESENTATIVE}/PostalAddress`, sellerAndRepresentative))],
  ['NL-R-007', 'BG-16', test(matching('LegalMonetaryTotal', seller), 'missing', hasPayment)],
  [
    'NL-R-008',
    'BT-81',
    test(
      matching('PaymentMeans', sellerAndBuyer),
      'payment_codes',
      (node) => CODES.includes(normalized(node, 'PaymentMeansCode')),
      { codes: CODES.join(' ') },
    ),
  ],
  ['NL-R-009', 'BT-13', test(matching('OrderLineReference/LineID', seller), 'missing', refersToOrder)],
]);
