import { exists, normalize, normalized, select, single } from '../engine/select';
import { filled, filledIf, fromRoot, matching, present, ROOT, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { CII, DELIVERY, SETTLEMENT, UBL } from './groups';

const HEADER = 'ExchangedDocument';

const DATE_102 = (node: XmlNode) =>
  normalize(
    single(
      select(node, `${HEADER}/IssueDateTime/DateTimeString`).filter((each) => each.attributes.get('format') === '102'),
    )?.text ?? '',
  ) !== '';

/** The rules for the document itself, its references, its delivery and its currencies. */
export const DOCUMENT_RULES = table([
  [
    'BR-01',
    'BT-24',
    filled(ROOT, 'CustomizationID'),
    filled(ROOT, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
  ],
  ['BR-02', 'BT-1', filled(ROOT, 'ID'), filled(ROOT, `${HEADER}/ID`)],
  ['BR-03', 'BT-2', filled(ROOT, 'IssueDate'), test(ROOT, 'missing', DATE_102)],
  [
    'BR-04',
    'BT-3',
    test(
      ROOT,
      'missing',
      (root) => normalized(root, 'InvoiceTypeCode') + normalized(root, 'CreditNoteTypeCode') !== '',
    ),
    filled(ROOT, `${HEADER}/TypeCode`),
  ],
  ['BR-05', 'BT-5', filled(ROOT, 'DocumentCurrencyCode'), filled(ROOT, `${SETTLEMENT}/InvoiceCurrencyCode`)],
  [
    'BR-16',
    'BG-25',
    present(ROOT, 'InvoiceLine|CreditNoteLine'),
    test(ROOT, 'missing', (_root, invoice) => CII.LINE(invoice).length > 0),
  ],
  ['BR-52', 'BT-122', filled(UBL.DOCUMENT, 'ID'), filled(CII.DOCUMENT, 'IssuerAssignedID')],
  [
    'BR-53',
    'BT-111',
    test(ROOT, 'accounting_tax', accountingTaxUbl),
    test(CII.TOTALS, 'accounting_tax', accountingTaxCii),
  ],
  [
    'BR-55',
    'BT-25',
    present(matching('BillingReference'), 'InvoiceDocumentReference/ID'),
    filled(fromRoot(`${SETTLEMENT}/InvoiceReferencedDocument`), 'IssuerAssignedID'),
  ],
  [
    'BR-57',
    'BT-80',
    present(matching('Delivery/DeliveryLocation/Address'), 'Country/IdentificationCode'),
    filledIf(
      fromRoot(DELIVERY),
      'ShipToTradeParty/PostalTradeAddress',
      'ShipToTradeParty/PostalTradeAddress/CountryID',
    ),
  ],
  [
    'BR-CO-03',
    'BT-7',
    test(ROOT, 'tax_point', (root) => !(exists(root, 'TaxPointDate') && exists(root, 'InvoicePeriod/DescriptionCode'))),
    test(
      CII.BREAKDOWN,
      'tax_point',
      (_node, invoice) => invoice.named('TaxPointDate').length === 0 || invoice.named('DueDateTypeCode').length === 0,
    ),
  ],
  [
    'BR-CO-18',
    'BG-23',
    present(ROOT, 'TaxTotal/TaxSubtotal'),
    test(CII.LINE, 'missing', (_node, invoice) => select(invoice.root, `${SETTLEMENT}/ApplicableTradeTax`).length > 0),
  ],
]);

function accountingTaxUbl(root: XmlNode, invoice: { named(name: string): readonly XmlNode[] }): boolean {
  const currencies = new Set(
    invoice.named('TaxTotal').flatMap((each) => select(each, 'TaxAmount/@currencyID').map((currency) => currency.text)),
  );
  return select(root, 'TaxCurrencyCode').every((code) => currencies.has(code.text));
}

function accountingTaxCii(node: XmlNode, { root }: { root: XmlNode }): boolean {
  const accounting = select(root, `${SETTLEMENT}/TaxCurrencyCode`).map((code) => code.text);
  if (accounting.length === 0) return true;
  const stated = select(node, 'TaxTotalAmount/@currencyID').map((each) => each.text);
  const own = select(root, `${SETTLEMENT}/InvoiceCurrencyCode`).map((code) => code.text);
  return accounting.some((code) => stated.includes(code)) && !accounting.some((code) => own.includes(code));
}
