import { DELIVERY } from '../en16931/groups';
import type { InvoiceDocument } from '../engine/invoice-document';
import type { Rule } from '../engine/rule';
import { exists, isTrue, normalize, normalized, select } from '../engine/select';
import { fromRoot, ROOT } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { PRICE, condition, agreement, settlement, lineAgreement, product, allowanceCharge } from './cii-places';

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

/** The rules for the use of single elements of CII (CII-SR). */
export const CII_USE_RULES: readonly Rule[] = [
  condition(
    'SR-046',
    'FATAL',
    product,
    'attribute_missing',
    (node) => !exists(node, 'GlobalID') || exists(node, 'GlobalID/@schemeID'),
    'schemeID',
  ),
  condition('SR-119', 'WARNING', lineAgreement, 'price_discount', (node) => {
    const indicated = select(node, `${PRICE}/ChargeIndicator`);
    const stated = exists(node, `${PRICE}/ActualAmount`);
    return (
      (stated && indicated.some((each) => isTrue(each, 'Indicator', false))) || (indicated.length === 0 && !stated)
    );
  }),
  condition('SR-449', 'WARNING', fromRoot(DELIVERY), 'one_identifier', oneIdentifier('ShipToTradeParty')),
  condition('SR-450', 'WARNING', agreement, 'one_identifier', oneIdentifier('BuyerTradeParty')),
  condition('SR-451', 'WARNING', settlement, 'one_identifier', oneIdentifier('PayeeTradeParty')),
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
  condition('SR-470', 'FATAL', settlement, 'transfer_account', (node) =>
    select(node, 'SpecifiedTradeSettlementPaymentMeans').every(
      (means) =>
        exists(means, 'PayeePartyCreditorFinancialAccount/IBANID|PayeePartyCreditorFinancialAccount/ProprietaryID') ||
        !['30', '58'].includes(normalized(means, 'TypeCode')),
    ),
  ),
];
