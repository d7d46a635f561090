import type { InvoiceDocument } from '../engine/invoice-document';
import type { Rule, Severity } from '../engine/rule';
import { count, exists, isTrue, normalize, normalized, select, some } from '../engine/select';
import { type Condition, fromRoot, matching, named, ROOT, rule, type Selector, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { AGREEMENT, DELIVERY, SETTLEMENT } from '../en16931/groups';
import { CII_FORBIDDEN } from './cii-forbidden';
import { CII_UNUSED_HEADER } from './cii-unused-header';
import { CII_UNUSED_LINE } from './cii-unused-line';
import { type Excepted, unused } from './unused';

const LINE = 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem';
const PRICE = 'GrossPriceProductTradePrice/AppliedTradeAllowanceCharge';

function atMost(number: string, severity: Severity, at: Selector, path: string): Rule {
  return rule(
    `CII-SR-${number}`,
    null,
    test(at, 'at_most', (node) => count(node, path) <= 1, { most: '1', name: path }),
    severity,
  );
}

function exactlyOne(number: string, severity: Severity, at: Selector, path: string): Rule {
  return rule(
    `CII-SR-${number}`,
    null,
    test(at, 'exactly_one', (node) => count(node, path) === 1, { name: path }),
    severity,
  );
}

function condition(id: string, severity: Severity, at: Selector, key: string, holds: Condition, name = ''): Rule {
  return rule(`CII-${id}`, null, test(at, key, holds, { name, most: '1' }), severity);
}

/** Additional documents of a type below the agreement or a line. */
const documents = (node: XmlNode, type: string) =>
  select(node, 'AdditionalReferencedDocument').filter((document) => normalized(document, 'TypeCode') === type);

/** A party has an ID or a GlobalID, not both. */
const oneIdentifier = (party: string) => (node: XmlNode) =>
  !(exists(node, `${party}/ID`) && exists(node, `${party}/GlobalID`));
const oneContactName = (party: string) => (node: XmlNode) =>
  !(
    exists(node, `${party}/DefinedTradeContact/PersonName`) &&
    exists(node, `${party}/DefinedTradeContact/DepartmentName`)
  );

/** All payment means say the same. */
const alike = (name: string) => (_root: XmlNode, invoice: InvoiceDocument) => {
  const [first, ...others] = invoice
    .named('SpecifiedTradeSettlementPaymentMeans')
    .flatMap((means) => select(means, name));
  return others.every((other) => normalize(other.text) === normalize(first!.text));
};

const context = fromRoot('ExchangedDocumentContext');
const agreement = fromRoot(AGREEMENT);
const settlement = fromRoot(SETTLEMENT);
const sums = fromRoot(`${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`);
const lineDocument = fromRoot(`${LINE}/AssociatedDocumentLineDocument`);
const lineAgreement = fromRoot(`${LINE}/SpecifiedLineTradeAgreement`);
const lineSettlement = fromRoot(`${LINE}/SpecifiedLineTradeSettlement`);
const product = fromRoot(`${LINE}/SpecifiedTradeProduct`);
const characteristic = fromRoot(`${LINE}/SpecifiedTradeProduct/ApplicableProductCharacteristic`);
const allowanceCharge = named('SpecifiedTradeAllowanceCharge');

const SUMS: readonly (readonly [number: string, name: string])[] = [
  ['477', 'LineTotalAmount'],
  ['478', 'ChargeTotalAmount'],
  ['479', 'AllowanceTotalAmount'],
  ['480', 'TaxBasisTotalAmount'],
  ['481', 'RoundingAmount'],
  ['482', 'GrandTotalAmount'],
  ['483', 'InformationAmount'],
  ['484', 'TotalPrepaidAmount'],
  ['485', 'TotalDiscountAmount'],
  ['486', 'TotalAllowanceChargeAmount'],
  ['487', 'DuePayableAmount'],
  ['488', 'RetailValueExcludingTaxInformationAmount'],
  ['489', 'TotalDepositFeeInformationAmount'],
  ['490', 'ProductValueExcludingTobaccoTaxInformationAmount'],
  ['491', 'TotalRetailValueInformationAmount'],
  ['492', 'GrossLineTotalAmount'],
  ['493', 'NetLineTotalAmount'],
  ['494', 'NetIncludingTaxesLineTotalAmount'],
];

/** The identifiers that have rules of their own. */
export const PLAIN_IDENTIFIERS = [
  'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID',
  'ExchangedDocument/ID',
  `${LINE}/AssociatedDocumentLineDocument/LineID`,
  `${LINE}/SpecifiedTradeProduct/SellerAssignedID`,
].join('|');

const excepted: Excepted = (node, group) => {
  if (group === '//*Amount') return node.name === 'TaxTotalAmount' || isOutsideRam(node);
  if (group === '//*ID') return isPlainIdentifier(node);
  return isOutsideRam(node);
};

function isOutsideRam(node: XmlNode): boolean {
  return node.name.startsWith('{}');
}

function isPlainIdentifier(node: XmlNode): boolean {
  const path: string[] = [];
  for (let each: XmlNode | undefined = node; each?.parent; each = each.parent) path.unshift(each.name);
  return PLAIN_IDENTIFIERS.split('|').includes(path.join('/'));
}

/** The rules of the syntax CII (CII-SR, CII-DT). */
export const CII_SYNTAX_RULES: readonly Rule[] = [
  atMost('003', 'WARNING', context, 'BusinessProcessSpecifiedDocumentContextParameter'),
  exactlyOne('009', 'FATAL', context, 'GuidelineSpecifiedDocumentContextParameter'),
  exactlyOne('010', 'FATAL', context, 'GuidelineSpecifiedDocumentContextParameter/ID'),
  exactlyOne('014', 'FATAL', fromRoot('ExchangedDocument'), 'TypeCode'),
  atMost('030', 'WARNING', fromRoot('ExchangedDocument/IncludedNote'), 'Content'),
  atMost('039', 'WARNING', lineDocument, 'IncludedNote'),
  atMost('040', 'WARNING', lineDocument, 'IncludedNote/Content'),
  condition(
    'SR-046',
    'FATAL',
    product,
    'attribute_missing',
    (node) => !exists(node, 'GlobalID') || exists(node, 'GlobalID/@schemeID'),
    'schemeID',
  ),
  exactlyOne('069', 'FATAL', characteristic, 'Description'),
  exactlyOne('072', 'FATAL', characteristic, 'Value'),
  condition(
    'SR-090',
    'FATAL',
    product,
    'exactly_one',
    (node) => !exists(node, 'OriginTradeCountry') || count(node, 'OriginTradeCountry/ID') === 1,
    'OriginTradeCountry/ID',
  ),
  condition('SR-119', 'WARNING', lineAgreement, 'price_discount', (node) => {
    const indicated = select(node, `${PRICE}/ChargeIndicator`);
    const stated = exists(node, `${PRICE}/ActualAmount`);
    return (
      (stated && indicated.some((each) => isTrue(each, 'Indicator', false))) || (indicated.length === 0 && !stated)
    );
  }),
  exactlyOne('439', 'FATAL', lineAgreement, 'NetPriceProductTradePrice/ChargeAmount'),
  atMost('440', 'FATAL', matching(PRICE), 'ActualAmount'),
  atMost('441', 'FATAL', lineAgreement, 'NetPriceProductTradePrice/ChargeAmount'),
  condition('SR-449', 'WARNING', fromRoot(DELIVERY), 'one_identifier', oneIdentifier('ShipToTradeParty')),
  condition('SR-450', 'WARNING', agreement, 'one_identifier', oneIdentifier('BuyerTradeParty')),
  condition('SR-451', 'WARNING', settlement, 'one_identifier', oneIdentifier('PayeeTradeParty')),
  atMost('452', 'WARNING', settlement, 'SpecifiedTradePaymentTerms'),
  atMost('453', 'WARNING', settlement, 'SpecifiedTradePaymentTerms/Description'),
  exactlyOne('454', 'WARNING', lineSettlement, 'ApplicableTradeTax'),
  atMost('455', 'FATAL', agreement, 'SellerTradeParty/DefinedTradeContact'),
  atMost('456', 'FATAL', agreement, 'BuyerTradeParty/DefinedTradeContact'),
  condition(
    'SR-457',
    'WARNING',
    agreement,
    'at_most',
    (node) => select(node, 'AdditionalReferencedDocument').filter((each) => some(each, 'TypeCode', '50')).length <= 1,
    'AdditionalReferencedDocument',
  ),
  condition(
    'SR-458',
    'WARNING',
    agreement,
    'at_most',
    (node) => select(node, 'AdditionalReferencedDocument').filter((each) => some(each, 'TypeCode', '130')).length <= 1,
    'AdditionalReferencedDocument',
  ),
  atMost('459', 'FATAL', agreement, 'SellerTradeParty/URIUniversalCommunication'),
  atMost('460', 'FATAL', agreement, 'BuyerTradeParty/URIUniversalCommunication'),
  atMost('461', 'FATAL', settlement, 'ApplicableTradeTax/TaxPointDate'),
  condition(
    'SR-462',
    'FATAL',
    settlement,
    'at_most',
    (_node, invoice) =>
      new Set(
        invoice.named('ApplicableTradeTax').flatMap((tax) => select(tax, 'DueDateTypeCode').map((code) => code.text)),
      ).size <= 1,
    'DueDateTypeCode',
  ),
  condition(
    'SR-463',
    'FATAL',
    allowanceCharge,
    'element_missing',
    (node) => exists(node, 'ChargeIndicator'),
    'ChargeIndicator',
  ),
  condition('SR-465', 'WARNING', agreement, 'one_contact_name', oneContactName('SellerTradeParty')),
  condition('SR-466', 'WARNING', agreement, 'one_contact_name', oneContactName('BuyerTradeParty')),
  condition('SR-467', 'FATAL', ROOT, 'payment_alike', alike('TypeCode')),
  condition('SR-468', 'FATAL', ROOT, 'payment_alike', alike('Information')),
  condition(
    'SR-469',
    'FATAL',
    ROOT,
    'at_most',
    (_root, invoice) =>
      invoice.named('ApplicableHeaderTradeSettlement').flatMap((node) => select(node, 'PaymentReference')).length <= 1,
    'PaymentReference',
  ),
  condition('SR-470', 'FATAL', settlement, 'transfer_account', (node) =>
    select(node, 'SpecifiedTradeSettlementPaymentMeans').every(
      (means) =>
        exists(means, 'PayeePartyCreditorFinancialAccount/IBANID|PayeePartyCreditorFinancialAccount/ProprietaryID') ||
        !['30', '58'].includes(normalized(means, 'TypeCode')),
    ),
  ),
  atMost('471', 'FATAL', allowanceCharge, 'RateApplicablePercent'),
  atMost('472', 'FATAL', allowanceCharge, 'CategoryTradeTax'),
  atMost('473', 'FATAL', allowanceCharge, 'ActualAmount'),
  condition(
    'SR-474',
    'WARNING',
    lineSettlement,
    'at_most',
    (node) => documents(node, '130').length <= 1,
    'AdditionalReferencedDocument',
  ),
  condition(
    'SR-475',
    'WARNING',
    agreement,
    'at_most',
    (node) => documents(node, '916').flatMap((each) => select(each, 'Name')).length <= 1,
    'AdditionalReferencedDocument/Name',
  ),
  condition(
    'SR-476',
    'WARNING',
    agreement,
    'at_most',
    (node) => documents(node, '916').flatMap((each) => select(each, 'AttachmentBinaryObject')).length <= 1,
    'AdditionalReferencedDocument/AttachmentBinaryObject',
  ),
  ...SUMS.map(([number, name]) => atMost(number, 'FATAL', sums, name)),
  ...unused({ syntax: 'CII', series: 'SR', severity: 'WARNING' }, CII_UNUSED_LINE, excepted),
  ...unused({ syntax: 'CII', series: 'SR', severity: 'WARNING' }, CII_UNUSED_HEADER, excepted),
  ...unused({ syntax: 'CII', series: 'DT', severity: 'FATAL' }, CII_FORBIDDEN, excepted),
];
