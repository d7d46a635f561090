import { UBL } from '../en16931/groups';
import type { InvoiceDocument } from '../engine/invoice-document';
import type { Rule } from '../engine/rule';
import { count, isTrue, select, single, some } from '../engine/select';
import { type Condition, matching, named, ROOT, rule, type Selector, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';

/** The document refers to an invoiced object (BT-18). */
export const isObject = (node: XmlNode) => some(node, 'DocumentTypeCode', '130');

const SELLER = 'AccountingSupplierParty/Party';

const BUYER = 'AccountingCustomerParty/Party';

const registrations = (party: string, vat: boolean) => (root: XmlNode) =>
  select(root, `${party}/PartyTaxScheme`)
    .filter((scheme) =>
      select(scheme, 'TaxScheme').some((each) => (single(select(each, 'ID'))?.text.toUpperCase() === 'VAT') === vat),
    )
    .flatMap((scheme) => select(scheme, 'CompanyID'));

const different = (name: string) => (_root: XmlNode, invoice: InvoiceDocument) => [
  ...new Set(invoice.named(name).map((node) => node.text)),
];

/** The payee's name is not the seller's legal name. */
const payeeDiffers = (node: XmlNode) => {
  const names = select(node, 'PartyName/Name').map((each) => each.text);
  const sellers = select(node, `../${SELLER}/PartyLegalEntity/RegistrationName`).map((each) => each.text);
  return names.some((name) => sellers.some((seller) => seller !== name));
};

const payee = (number: string, found: (node: XmlNode) => number) =>
  rule(
    `UBL-SR-${number}`,
    null,
    test(UBL.PAYEE, 'payee_once', (node) => found(node) <= 1 && payeeDiffers(node)),
  );

const ALLOWANCES = matching('AllowanceCharge', (node) => isTrue(node, 'ChargeIndicator', false));

const CHARGES = matching('AllowanceCharge', (node) => isTrue(node, 'ChargeIndicator', true));

const REPEATS: readonly Rule[] = [
  ['01', 'ContractDocumentReference/ID'],
  ['02', 'ReceiptDocumentReference/ID'],
  ['03', 'DespatchDocumentReference/ID'],
  ['05', 'PaymentTerms/Note'],
  ['08', 'InvoicePeriod'],
  ['09', `${SELLER}/PartyLegalEntity/RegistrationName`],
  ['10', `${SELLER}/PartyName/Name`],
  ['11', `${SELLER}/PartyLegalEntity/CompanyID`],
  ['14', `${SELLER}/PartyLegalEntity/CompanyLegalForm`],
  ['15', `${BUYER}/PartyLegalEntity/RegistrationName`],
  ['16', `${BUYER}/PartyIdentification/ID`],
  ['17', `${BUYER}/PartyLegalEntity/CompanyID`],
  ['24', 'Delivery'],
  ['39', 'ProjectReference/ID'],
  ['40', `${BUYER}/PartyName/Name`],
  ['45', 'PaymentMeans/PaymentDueDate'],
  ['46', 'PaymentMeans/PaymentMeansCode/@name'],
  ['49', 'InvoicePeriod/DescriptionCode'],
  ['54', 'PaymentMeans/CardAccount'],
  ['55', 'PaymentMeans/PaymentMandate'],
  ['56', 'OriginatorDocumentReference/ID'],
].map(([number, path]) => atMost(number!, ROOT, path!));

/** The rules for how often elements of UBL may occur (UBL-SR). */
export const UBL_REPEAT_RULES: readonly Rule[] = [
  ...REPEATS,
  atMostOne('04', ROOT, 'AdditionalDocumentReference', (root) =>
    select(root, 'AdditionalDocumentReference')
      .filter(isObject)
      .flatMap((node) => select(node, 'ID')),
  ),
  atMost('06', matching('BillingReference'), 'InvoiceDocumentReference'),
  atMostOne('12', ROOT, 'PartyTaxScheme/CompanyID', registrations(SELLER, true)),
  atMostOne('13', ROOT, 'PartyTaxScheme/CompanyID', registrations(SELLER, false)),
  atMostOne('18', ROOT, 'PartyTaxScheme/CompanyID', registrations(BUYER, true)),
  payee('19', (node) => count(node, 'PartyName/Name')),
  payee(
    '20',
    (node) =>
      select(node, 'PartyIdentification/ID').filter((id) => id.attributes.get('schemeID')?.toUpperCase() !== 'SEPA')
        .length,
  ),
  payee('21', (node) => count(node, 'PartyLegalEntity/CompanyID')),
  atMost('22', UBL.REPRESENTATIVE, 'PartyName/Name'),
  atMost('23', UBL.REPRESENTATIVE, 'PartyTaxScheme/CompanyID'),
  atMost('25', named('Delivery'), 'DeliveryParty/PartyName/Name'),
  atMost('26', UBL.PAYMENT, 'PaymentID'),
  atMost('27', UBL.PAYMENT, 'PaymentMeansCode'),
  atMost('28', UBL.PAYMENT, 'PaymentMandate/ID'),
  atMostOne('29', ROOT, 'PartyIdentification/ID', (_root, invoice) =>
    invoice
      .named('PartyIdentification')
      .flatMap((node) => select(node, 'ID/@schemeID').filter((scheme) => scheme.text.toUpperCase() === 'SEPA')),
  ),
  atMost('30', ALLOWANCES, 'AllowanceChargeReason'),
  atMost('31', CHARGES, 'AllowanceChargeReason'),
  atMost('32', named('TaxSubtotal'), 'TaxCategory/TaxExemptionReason'),
  atMost('33', UBL.DOCUMENT, 'DocumentDescription'),
  atMost('34', UBL.LINE, 'Note'),
  atMost('35', UBL.LINE, 'OrderLineReference/LineID'),
  atMost('36', UBL.LINE, 'InvoicePeriod'),
  atMost('37', UBL.LINE, 'Price/AllowanceCharge/Amount'),
  atMost('42', matching(SELLER), 'PartyTaxScheme', 2),
  atMostOne('44', ROOT, 'PaymentID', different('PaymentID')),
  atMostOne('47', ROOT, 'PaymentMeansCode', different('PaymentMeansCode')),
  rule(
    'UBL-SR-48',
    'BT-151',
    test(UBL.LINE, 'exactly_one', (node) => count(node, 'Item/ClassifiedTaxCategory') === 1, {
      name: 'ClassifiedTaxCategory',
    }),
  ),
  atMost('50', UBL.LINE, 'Item/Description'),
  atMost('51', named('PostalAddress', 'Address'), 'AddressLine'),
  atMost('52', UBL.LINE, 'DocumentReference'),
];

/** At most `most` of something below each node. */
function atMost(number: string, at: Selector, path: string, most = 1): Rule {
  return rule(
    `UBL-SR-${number}`,
    null,
    test(at, 'at_most', (node) => count(node, path) <= most, { most: String(most), name: path }),
  );
}

/** At most one of what a function finds. */
function atMostOne(
  number: string,
  at: Selector,
  name: string,
  find: (node: XmlNode, invoice: InvoiceDocument) => readonly unknown[],
): Rule {
  const holds: Condition = (node, invoice) => find(node, invoice).length <= 1;
  return rule(`UBL-SR-${number}`, null, test(at, 'at_most', holds, { most: '1', name }));
}
