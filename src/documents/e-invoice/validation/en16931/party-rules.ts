import { exists, normalize, select } from '../engine/select';
import { filled, matching, present, ROOT, table, test } from '../engine/tests';
import type { XmlNode } from '../engine/xml-node';
import { AGREEMENT, CII, isVat, UBL } from './groups';

const SUPPLIER = 'AccountingSupplierParty/Party';

const CUSTOMER = 'AccountingCustomerParty/Party';

const LEGAL_NAME = 'PartyLegalEntity/RegistrationName';

const SELLER = `${AGREEMENT}/SellerTradeParty`;

const BUYER = `${AGREEMENT}/BuyerTradeParty`;

/** The rules for seller, buyer, payee and tax representative. */
export const PARTY_RULES = table([
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
  ['BR-17', 'BT-59', test(UBL.PAYEE, 'payee', payeeDiffersUbl), test(CII.PAYEE, 'payee', payeeDiffersCii)],
  ['BR-18', 'BT-62', filled(UBL.REPRESENTATIVE, 'PartyName/Name'), filled(CII.REPRESENTATIVE, 'Name')],
  ['BR-19', 'BG-12', present(UBL.REPRESENTATIVE, 'PostalAddress'), present(CII.REPRESENTATIVE, 'PostalTradeAddress')],
  [
    'BR-20',
    'BT-69',
    filled(matching('TaxRepresentativeParty/PostalAddress'), 'Country/IdentificationCode'),
    filled(CII.REPRESENTATIVE, 'PostalTradeAddress/CountryID'),
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
  ['BR-62', 'BT-34', present(matching(`${SUPPLIER}/EndpointID`), '@schemeID'), addressScheme(SELLER)],
  ['BR-63', 'BT-49', present(matching(`${CUSTOMER}/EndpointID`), '@schemeID'), addressScheme(BUYER)],
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
