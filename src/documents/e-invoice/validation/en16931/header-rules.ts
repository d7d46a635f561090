import { exists, normalize, normalized, select, single, some } from '../engine/select';
import { filled, filledIf, fromRoot, matching, present, ROOT, type Selector, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { AGREEMENT, CII, DELIVERY, isVat, SETTLEMENT, UBL } from './groups';

const SUPPLIER = 'AccountingSupplierParty/Party';
const CUSTOMER = 'AccountingCustomerParty/Party';
const LEGAL_NAME = 'PartyLegalEntity/RegistrationName';
const SELLER = `${AGREEMENT}/SellerTradeParty`;
const BUYER = `${AGREEMENT}/BuyerTradeParty`;
const HEADER = 'ExchangedDocument';

const transfers = (node: XmlNode) => ['30', '58'].includes(normalized(node, 'PaymentMeansCode'));
const codeIs = (node: XmlNode, path: string, codes: readonly string[]) => codes.some((code) => some(node, path, code));

const DATE_102 = (node: XmlNode) =>
  normalize(
    single(
      select(node, `${HEADER}/IssueDateTime/DateTimeString`).filter((each) => each.attributes.get('format') === '102'),
    )?.text ?? '',
  ) !== '';

const TRANSFER_ACCOUNT_UBL: Selector = matching('PaymentMeans/PayeeFinancialAccount', ({ parent }) =>
  codeIs(parent!, 'PaymentMeansCode', ['30', '58']),
);
const TRANSFER_ACCOUNT_CII: Selector = matching(
  'SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount',
  ({ parent }) => codeIs(parent!, 'TypeCode', ['30', '58']),
);

const CARD = 'card';

/** The rules for what the header of an invoice has to contain: document, parties, delivery, payment, references. */
export const HEADER_RULES = table([
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
  ['BR-06', 'BT-27', filled(ROOT, `${SUPPLIER}/${LEGAL_NAME}`), filled(ROOT, `${SELLER}/Name`)],
  ['BR-07', 'BT-44', filled(ROOT, `${CUSTOMER}/${LEGAL_NAME}`), filled(ROOT, `${BUYER}/Name`)],
  ['BR-08', 'BG-5', present(ROOT, `${SUPPLIER}/PostalAddress`), present(ROOT, `${SELLER}/PostalTradeAddress`)],
  [
    'BR-09',
    'BT-40',
    filled(matching(`${SUPPLIER}/PostalAddress`), 'Country/IdentificationCode'),
    filled(ROOT, `${SELLER}/PostalTradeAddress/CountryID`),
  ],
  ['BR-10', 'BG-8', present(ROOT, `${CUSTOMER}/PostalAddress`), present(ROOT, `${BUYER}/PostalTradeAddress`)],
  [
    'BR-11',
    'BT-55',
    filled(matching(`${CUSTOMER}/PostalAddress`), 'Country/IdentificationCode'),
    filled(ROOT, `${BUYER}/PostalTradeAddress/CountryID`),
  ],
  [
    'BR-16',
    'BG-25',
    present(ROOT, 'InvoiceLine|CreditNoteLine'),
    test(ROOT, 'missing', (_root, invoice) => CII.LINE(invoice).length > 0),
  ],
  ['BR-17', 'BT-59', test(UBL.PAYEE, 'payee', payeeDiffersUbl), test(CII.PAYEE, 'payee', payeeDiffersCii)],
  ['BR-18', 'BT-62', filled(UBL.REPRESENTATIVE, 'PartyName/Name'), filled(CII.REPRESENTATIVE, 'Name')],
  ['BR-19', 'BG-12', present(UBL.REPRESENTATIVE, 'PostalAddress'), present(CII.REPRESENTATIVE, 'PostalTradeAddress')],
  [
    'BR-20',
    'BT-69',
    filled(matching('TaxRepresentativeParty/PostalAddress'), 'Country/IdentificationCode'),
    filled(CII.REPRESENTATIVE, 'PostalTradeAddress/CountryID'),
  ],
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
    'BR-56',
    'BT-63',
    test(UBL.REPRESENTATIVE, 'missing', (node) =>
      select(node, 'PartyTaxScheme').some((scheme) => isVat(scheme) && exists(scheme, 'CompanyID')),
    ),
    test(
      CII.REPRESENTATIVE,
      'missing',
      (node) =>
        normalize(
          vatIds(node)
            .map((each) => each.text)
            .join(' '),
        ) !== '',
    ),
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
    'BR-61',
    'BT-84',
    test(UBL.PAYMENT, 'missing', (node) => !transfers(node) || exists(node, 'PayeeFinancialAccount/ID')),
    present(TRANSFER_ACCOUNT_CII, 'IBANID|ProprietaryID'),
  ],
  ['BR-62', 'BT-34', present(matching(`${SUPPLIER}/EndpointID`), '@schemeID'), addressScheme(SELLER)],
  ['BR-63', 'BT-49', present(matching(`${CUSTOMER}/EndpointID`), '@schemeID'), addressScheme(BUYER)],
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
  [
    'BR-CO-26',
    'BT-29',
    test(
      UBL.SELLER,
      'seller_identifier',
      (node) =>
        select(node, 'Party/PartyTaxScheme').some((scheme) => isVat(scheme) && exists(scheme, 'CompanyID')) ||
        select(node, 'Party/PartyIdentification/ID').some((id) => id.attributes.get('schemeID') !== 'SEPA') ||
        exists(node, 'Party/PartyLegalEntity/CompanyID'),
    ),
    test(
      CII.SELLER,
      'seller_identifier',
      (node) => exists(node, 'ID|GlobalID|SpecifiedLegalOrganization/ID') || vatIds(node).length > 0,
    ),
  ],
]);

function vatIds(party: XmlNode): XmlNode[] {
  return select(party, 'SpecifiedTaxRegistration/ID').filter((id) => id.attributes.get('schemeID') === 'VA');
}

/** The first electronic address has a scheme. */
function addressScheme(party: string) {
  return test(ROOT, 'scheme', (root) => {
    const addresses = select(root, `${party}/URIUniversalCommunication`);
    return (
      addresses.length === 0 ||
      normalize(
        select(addresses[0]!, 'URIID/@schemeID')
          .map((each) => each.text)
          .join(' '),
      ) !== ''
    );
  });
}

function shares(node: XmlNode, own: string, others: string): boolean {
  const values = new Set(select(node, others).map((each) => each.text));
  return select(node, own).some((each) => values.has(each.text));
}

function payeeDiffersUbl(node: XmlNode): boolean {
  const seller = `../${SUPPLIER}`;
  return (
    exists(node, 'PartyName/Name') &&
    !shares(node, 'PartyName/Name', `${seller}/PartyName/Name`) &&
    !shares(node, 'PartyIdentification/ID', `${seller}/PartyIdentification/ID`)
  );
}

function payeeDiffersCii(node: XmlNode): boolean {
  const seller = '../../ApplicableHeaderTradeAgreement/SellerTradeParty';
  const alike = (path: string) => shares(node, path, `${seller}/${path}`);
  return exists(node, 'Name') && !alike('Name') && !alike('ID') && !alike('SpecifiedLegalOrganization/ID');
}

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
