import { SETTLEMENT } from '../en16931/groups';
import type { Rule, Severity } from '../engine/rule';
import { count, exists, normalized, select, some } from '../engine/select';
import { fromRoot, matching, ROOT, rule, type Selector, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { LINE, PRICE, condition, agreement, settlement, lineAgreement, product, allowanceCharge } from './cii-places';

/** Additional documents of a type below the agreement or a line. */
const documents = (node: XmlNode, type: string) =>
  select(node, 'AdditionalReferencedDocument').filter((document) => normalized(document, 'TypeCode') === type);

const context = fromRoot('ExchangedDocumentContext');

const sums = fromRoot(`${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`);

const lineDocument = fromRoot(`${LINE}/AssociatedDocumentLineDocument`);

const lineSettlement = fromRoot(`${LINE}/SpecifiedLineTradeSettlement`);

const characteristic = fromRoot(`${LINE}/SpecifiedTradeProduct/ApplicableProductCharacteristic`);

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

/** The rules for how often elements of CII have to and may occur (CII-SR). */
export const CII_REPEAT_RULES: readonly Rule[] = [
  atMost('003', 'WARNING', context, 'BusinessProcessSpecifiedDocumentContextParameter'),
  exactlyOne('009', 'FATAL', context, 'GuidelineSpecifiedDocumentContextParameter'),
  exactlyOne('010', 'FATAL', context, 'GuidelineSpecifiedDocumentContextParameter/ID'),
  exactlyOne('014', 'FATAL', fromRoot('ExchangedDocument'), 'TypeCode'),
  atMost('030', 'WARNING', fromRoot('ExchangedDocument/IncludedNote'), 'Content'),
  atMost('039', 'WARNING', lineDocument, 'IncludedNote'),
  atMost('040', 'WARNING', lineDocument, 'IncludedNote/Content'),
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
  exactlyOne('439', 'FATAL', lineAgreement, 'NetPriceProductTradePrice/ChargeAmount'),
  atMost('440', 'FATAL', matching(PRICE), 'ActualAmount'),
  atMost('441', 'FATAL', lineAgreement, 'NetPriceProductTradePrice/ChargeAmount'),
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
    'SR-469',
    'FATAL',
    ROOT,
    'at_most',
    (_root, invoice) =>
      invoice.named('ApplicableHeaderTradeSettlement').flatMap((node) => select(node, 'PaymentReference')).length <= 1,
    'PaymentReference',
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
];

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
