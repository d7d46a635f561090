// cspell:ignore UNSPSC
import { exists, normalized, select, some, text } from '../../engine/select';
import { fromRoot, matching, type Selector, test, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { BUYER, isExactlyIn, SELLER } from '../countries';
import { bothDanish } from './danish-payment-rules';
import { numberOf } from './numbers';

const isDanishSeller = isExactlyIn(SELLER, 'DK');
const DANISH: Selector = (invoice) => (isDanishSeller(invoice.root, invoice) ? [invoice.root] : []);
const NUMBER = `${SELLER}/PartyLegalEntity/CompanyID`;

const CLASSIFICATION = 'Item/CommodityClassification/ItemClassificationCode';
const VERSIONS = ['19.05.01', '19.0501', '26.08.01', '26.0801'];

/** Four digits for a tax other than VAT, or a text that contains a number sign, neither first nor last. */
function isTaxReason(node: XmlNode): boolean {
  const reason = text(node, 'AllowanceChargeReason');
  const number = numberOf(reason);
  if (normalized(node, 'AllowanceChargeReason').length === 4 && number >= 0 && number <= 9999) return true;
  return reason.includes('#') && !reason.startsWith('#') && !reason.endsWith('#');
}

/** The rules of Denmark for its sellers, and for invoices between Danish parties. */
export const DANISH_RULES = ublRules([
  ['DK-R-002', 'BT-30', test(DANISH, 'missing', (root) => normalized(root, NUMBER) !== '')],
  [
    'DK-R-003',
    'BT-158',
    test(
      fromRoot('InvoiceLine|CreditNoteLine', bothDanish),
      'dk_classification',
      (line) =>
        !some(line, `${CLASSIFICATION}/@listID`, 'TST') ||
        VERSIONS.some((version) => some(line, `${CLASSIFICATION}/@listVersionID`, version)),
    ),
    'WARNING',
  ],
  [
    'DK-R-004',
    'BT-97',
    test(
      matching('AllowanceCharge', bothDanish),
      'dk_tax_reason',
      (node) => !some(node, 'AllowanceChargeReasonCode', 'ZZZ') || isTaxReason(node),
    ),
  ],
  [
    'DK-R-013',
    'BT-29',
    test(
      fromRoot(`${SELLER}/PartyIdentification|${BUYER}/PartyIdentification`, bothDanish),
      'scheme',
      (node) => !exists(node, 'ID') || normalized(node, 'ID/@schemeID') !== '',
    ),
  ],
  [
    'DK-R-014',
    'BT-30',
    test(DANISH, 'scheme_is', (root) => !exists(root, NUMBER) || normalized(root, `${NUMBER}/@schemeID`) === '0184', {
      schemes: '0184',
    }),
  ],
  [
    'DK-R-016',
    'BT-115',
    test(
      DANISH,
      'dk_negative',
      (root, invoice) =>
        root.name !== 'CreditNote' ||
        !isExactlyIn(BUYER, 'DK')(root, invoice) ||
        !select(root, 'LegalMonetaryTotal/PayableAmount').some(({ text: amount }) => numberOf(amount) < 0),
    ),
  ],
]);
