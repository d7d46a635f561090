import { count, exists, normalized, select, some } from '../engine/select';
import { matching, named, ROOT, type Selector, test, ublRules } from '../engine/tests';
import { codeIn } from '../xrechnung/places';
import { lineNetUbl } from '../xrechnung/peppol-line-rules';
import { percentageUbl } from '../xrechnung/peppol-rules';
import { CENTS } from '../xrechnung/slack';
import { bothGerman } from './countries';
import { processOf } from './process';
import { PEPPOL_BIS } from './specification';

const CREDIT_NOTE: Selector = ({ root }) => (root.name === 'CreditNote' ? [root] : []);
const LINES = named('InvoiceLine', 'CreditNoteLine');
/** All amounts but the total VAT in the accounting currency. */
const AMOUNTS_IN_CURRENCY = matching(
  'Amount|BaseAmount|PriceAmount|TaxAmount|TaxableAmount|LineExtensionAmount|TaxExclusiveAmount|TaxInclusiveAmount|AllowanceTotalAmount|ChargeTotalAmount|PrepaidAmount|PayableRoundingAmount|PayableAmount',
  ({ name, parent }) =>
    name !== 'TaxAmount' ||
    parent?.name === 'TaxSubtotal' ||
    (parent?.name === 'TaxTotal' && exists(parent, 'TaxSubtotal')),
);

/** The rules of Peppol BIS Billing for the document and its lines that XRechnung does not have, or not so. */
export const PEPPOL_DOCUMENT_RULES = ublRules([
  [
    'PEPPOL-EN16931-R002',
    'BT-22',
    test(ROOT, 'one_note', (root, invoice) => count(root, 'Note') <= 1 || bothGerman(root, invoice)),
  ],
  [
    'PEPPOL-EN16931-R003',
    'BT-10',
    test(ROOT, 'buyer_or_order_reference', (root) => exists(root, 'BuyerReference|OrderReference/ID')),
  ],
  [
    'PEPPOL-EN16931-R004',
    'BT-24',
    test(ROOT, 'peppol_specification', (root) => normalized(root, 'CustomizationID').startsWith(PEPPOL_BIS)),
  ],
  ['PEPPOL-EN16931-R007', 'BT-23', test(ROOT, 'peppol_process', (_root, invoice) => processOf(invoice) !== undefined)],
  ['PEPPOL-EN16931-R040', null, percentageUbl(CENTS)],
  [
    'PEPPOL-EN16931-R051',
    'BT-5',
    test(AMOUNTS_IN_CURRENCY, 'invoice_currency', (node, { root }) =>
      select(node, '@currencyID').some((currency) => some(root, 'DocumentCurrencyCode', currency.text)),
    ),
  ],
  [
    'PEPPOL-EN16931-R061',
    'BT-89',
    test(matching('PaymentMeans', codeIn('PaymentMeansCode', ['49', '59'])), 'missing', (node) =>
      exists(node, 'PaymentMandate/ID'),
    ),
  ],
  [
    'PEPPOL-EN16931-R080',
    'BT-11',
    test(
      CREDIT_NOTE,
      'at_most',
      (root) =>
        select(root, 'AdditionalDocumentReference').filter((each) => some(each, 'DocumentTypeCode', '50')).length <= 1,
      { most: '1', name: 'AdditionalDocumentReference' },
    ),
  ],
  [
    'PEPPOL-EN16931-R100',
    'BT-128',
    test(LINES, 'at_most', (line) => count(line, 'DocumentReference') <= 1, { most: '1', name: 'DocumentReference' }),
  ],
  ['PEPPOL-EN16931-R120', 'BT-131', lineNetUbl(CENTS)],
]);
