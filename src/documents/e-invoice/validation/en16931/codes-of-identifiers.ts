import { extended } from '../codes/codes';
import { COUNTRIES_CII, COUNTRIES_UBL } from '../codes/countries';
import { ADDRESS_SCHEMES, IDENTIFIER_SCHEMES, ITEM_CLASSIFICATIONS } from '../codes/identifier-schemes';
import { REFERENCE_TYPES } from '../codes/references';
import { normalize, some, text } from '../engine/select';
import { matching, named, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { attribute, code, having } from './code-test';
import { isVat } from './groups';

const objectReference = matching(
  'AdditionalDocumentReference/ID|DocumentReference/ID',
  having('schemeID', (node) => some(node, '../DocumentTypeCode', '130')),
);

const scheme = attribute('schemeID');

const COUNTRIES_OF_VAT_UBL = ` ${[...extended(COUNTRIES_UBL, ['EL'])].join(' ')} `;

const COUNTRIES_OF_VAT_CII = extended(COUNTRIES_CII, ['EL']);

/** The rules for the schemes of identifiers, item classifications and electronic addresses. */
export const IDENTIFIER_CODE_RULES = table([
  [
    'BR-CL-07',
    'BT-18',
    code(objectReference, REFERENCE_TYPES, scheme),
    code(named('ReferenceTypeCode'), REFERENCE_TYPES),
  ],
  [
    'BR-CL-10',
    'BT-29',
    test(matching('PartyIdentification/ID', having('schemeID')), 'code', isKnownParty),
    code(
      matching(
        'GlobalID',
        having(
          'schemeID',
          (node) => !node.hasAncestor('SpecifiedTradeProduct') && !node.hasAncestor('ShipToTradeParty'),
        ),
      ),
      IDENTIFIER_SCHEMES,
      scheme,
    ),
  ],
  [
    'BR-CL-11',
    'BT-30',
    code(matching('PartyLegalEntity/CompanyID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
    code(
      matching(
        'ID',
        having('schemeID', (node) => !node.hasAncestor('SpecifiedTaxRegistration')),
      ),
      IDENTIFIER_SCHEMES,
      scheme,
    ),
  ],
  [
    'BR-CL-13',
    'BT-158',
    code(
      matching('CommodityClassification/ItemClassificationCode', having('listID')),
      ITEM_CLASSIFICATIONS,
      attribute('listID'),
    ),
    code(matching('ClassCode', having('listID')), ITEM_CLASSIFICATIONS, attribute('listID')),
  ],
  [
    'BR-CL-21',
    'BT-157',
    code(matching('StandardItemIdentification/ID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
    code(matching('SpecifiedTradeProduct/GlobalID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
  ],
  [
    'BR-CL-25',
    'BT-34',
    code(matching('EndpointID', having('schemeID')), ADDRESS_SCHEMES, scheme),
    code(matching('URIUniversalCommunication/URIID', having('schemeID')), ADDRESS_SCHEMES, scheme),
  ],
  [
    'BR-CL-26',
    'BT-71',
    code(matching('DeliveryLocation/ID', having('schemeID')), IDENTIFIER_SCHEMES, scheme),
    code(
      matching('ApplicableHeaderTradeDelivery/ShipToTradeParty/GlobalID', having('schemeID')),
      IDENTIFIER_SCHEMES,
      scheme,
    ),
  ],
  [
    'BR-CO-09',
    'BT-31',
    test(matching('PartyTaxScheme', isVat), 'vat_id', (node) =>
      COUNTRIES_OF_VAT_UBL.includes(text(node, 'CompanyID').slice(0, 2)),
    ),
    test(
      matching('SpecifiedTaxRegistration/ID', (node) => node.attributes.get('schemeID') === 'VA'),
      'vat_id',
      (node) => COUNTRIES_OF_VAT_CII.has(node.text.slice(0, 2)),
    ),
  ],
]);

/** The creditor identifier of SEPA is one of the seller or the payee only. */
function isKnownParty(node: XmlNode): boolean {
  const known = normalize(scheme(node) ?? '');
  return (
    IDENTIFIER_SCHEMES.has(known) ||
    (known === 'SEPA' && (node.hasAncestor('AccountingSupplierParty') || node.hasAncestor('PayeeParty')))
  );
}
