import type { InvoiceDocument } from '../../engine/invoice-document';
import { exists, isTrue, normalize, normalized, select, some, text } from '../../engine/select';
import { matching, ROOT, table, test } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { DELIVERY, isVat, isVatCii } from '../groups';

const K = { category: 'K' };
const O = { category: 'O' };

const breakdowns = (root: XmlNode) => select(root, 'TaxTotal/TaxSubtotal/TaxCategory');

/** Whether UBL has a VAT breakdown of this category. */
function hasBreakdown(root: XmlNode, code: string): boolean {
  return breakdowns(root).some((each) => isVat(each) && select(each, 'ID').some((id) => normalize(id.text) === code));
}

const isOther = (code: string) => (each: XmlNode) => isVat(each) && normalized(each, 'ID') !== code;
const onlyIf =
  (code: string, holds: (root: XmlNode, invoice: InvoiceDocument) => boolean) =>
  (root: XmlNode, invoice: InvoiceDocument) =>
    !hasBreakdown(root, code) || holds(root, invoice);

function noOtherLevel(charge: boolean) {
  return (_root: XmlNode, invoice: InvoiceDocument) =>
    !invoice
      .named('AllowanceCharge')
      .filter((each) => isTrue(each, 'ChargeIndicator', charge))
      .some((each) => select(each, 'TaxCategory').some(isOther('O')));
}

const SUPPLY_CII = matching(
  'ApplicableHeaderTradeSettlement/ApplicableTradeTax',
  (node) => some(node, 'CategoryCode', 'K') && isVatCii(node),
);
const OUTSIDE_CII = matching(
  'ApplicableHeaderTradeSettlement/ApplicableTradeTax',
  (node) => some(node, 'CategoryCode', 'O') && isVatCii(node),
);
const noOtherCii = (name: string) => (_node: XmlNode, invoice: InvoiceDocument) =>
  !invoice.named(name).some((tax) => select(tax, 'CategoryCode').some((code) => code.text !== 'O'));

const usesUbl = (invoice: InvoiceDocument, code: string) =>
  [...invoice.named('TaxCategory'), ...invoice.named('ClassifiedTaxCategory')].some((each) => some(each, 'ID', code));
const usesAtDocumentUbl = (root: XmlNode, invoice: InvoiceDocument, code: string) =>
  [...breakdowns(root), ...select(root, 'AllowanceCharge/TaxCategory'), ...invoice.named('ClassifiedTaxCategory')].some(
    (each) => some(each, 'ID', code),
  );
const usesCii = (invoice: InvoiceDocument, code: string) =>
  invoice.named('CategoryCode').some((each) => each.text === code);
const onlyItaly = (invoice: InvoiceDocument, name: string) => !invoice.named(name).some((each) => each.text !== 'IT');

/** Rules of single VAT categories: intra-community supply, outside the scope of VAT, Italian split payment. */
export const SPECIAL_VAT_RULES = table([
  [
    'BR-IC-11',
    'BT-72',
    test(
      ROOT,
      'supply_date',
      onlyIf('K', (root) => text(root, 'Delivery/ActualDeliveryDate').length > 1 || exists(root, 'InvoicePeriod/*')),
      K,
    ),
    test(
      SUPPLY_CII,
      'supply_date',
      (node, { root }) =>
        exists(root, `${DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString`) ||
        exists(node, '../BillingSpecifiedPeriod/StartDateTime|../BillingSpecifiedPeriod/EndDateTime'),
      K,
    ),
  ],
  [
    'BR-IC-12',
    'BT-80',
    test(
      ROOT,
      'supply_country',
      onlyIf('K', (root) => text(root, 'Delivery/DeliveryLocation/Address/Country/IdentificationCode').length > 1),
      K,
    ),
    test(
      SUPPLY_CII,
      'supply_country',
      (_node, { root }) => exists(root, `${DELIVERY}/ShipToTradeParty/PostalTradeAddress/CountryID`),
      K,
    ),
  ],
  [
    'BR-O-11',
    'BG-23',
    test(
      ROOT,
      'only_outside',
      onlyIf('O', (root) => !breakdowns(root).some(isOther('O'))),
      O,
    ),
    test(OUTSIDE_CII, 'only_outside', noOtherCii('ApplicableTradeTax'), O),
  ],
  [
    'BR-O-12',
    'BT-151',
    test(
      ROOT,
      'only_outside',
      onlyIf('O', (_root, invoice) => !invoice.named('ClassifiedTaxCategory').some(isOther('O'))),
      O,
    ),
    test(OUTSIDE_CII, 'only_outside', noOtherCii('ApplicableTradeTax'), O),
  ],
  [
    'BR-O-13',
    'BT-95',
    test(ROOT, 'only_outside', onlyIf('O', noOtherLevel(false)), O),
    test(OUTSIDE_CII, 'only_outside', noOtherCii('CategoryTradeTax'), O),
  ],
  [
    'BR-O-14',
    'BT-102',
    test(ROOT, 'only_outside', onlyIf('O', noOtherLevel(true)), O),
    test(OUTSIDE_CII, 'only_outside', noOtherCii('CategoryTradeTax'), O),
  ],
  [
    'BR-B-01',
    'BT-151',
    test(
      ROOT,
      'split_payment_country',
      (_root, invoice) => !usesUbl(invoice, 'B') || onlyItaly(invoice, 'IdentificationCode'),
    ),
    test(ROOT, 'split_payment_country', (_root, invoice) => !usesCii(invoice, 'B') || onlyItaly(invoice, 'CountryID')),
  ],
  [
    'BR-B-02',
    'BT-151',
    test(
      ROOT,
      'split_payment_only',
      (root, invoice) => !usesAtDocumentUbl(root, invoice, 'B') || !usesAtDocumentUbl(root, invoice, 'S'),
    ),
    test(ROOT, 'split_payment_only', (_root, invoice) => !usesCii(invoice, 'B') || !usesCii(invoice, 'S')),
  ],
]);
