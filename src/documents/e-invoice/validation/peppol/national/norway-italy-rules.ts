import { normalized, select, text } from '../../engine/select';
import { matching, present, test, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { isNorwegianNumber } from '../check-digits';
import { SELLER, sellerCountry } from '../countries';

const sellerIn = (country: string) => matching(SELLER, (_node, invoice) => sellerCountry(invoice) === country);
const NORWEGIAN = sellerIn('NO');
const ITALIAN = sellerIn('IT');

const registrations = (party: XmlNode, scheme: string) =>
  select(party, 'PartyTaxScheme').filter((each) => normalized(each, 'TaxScheme/ID') === scheme);

/** NO, an organization number and MVA; numbers of other countries are not tested. */
function hasNorwegianVatNumber(party: XmlNode): boolean {
  const numbers = registrations(party, 'VAT').map((each) => text(each, 'CompanyID'));
  if (!numbers.some((number) => number.startsWith('NO'))) return true;
  return numbers.some((number) => /^..[0-9]{9}MVA$/.test(number) && isNorwegianNumber(number.slice(2, 11)));
}

/** The rules of Norway for its sellers. */
export const NORWEGIAN_RULES = ublRules([
  ['NO-R-001', 'BT-31', test(NORWEGIAN, 'no_vat_number', hasNorwegianVatNumber)],
  [
    'NO-R-002',
    'BT-32',
    test(NORWEGIAN, 'no_register', (party) =>
      registrations(party, 'TAX').some((each) => normalized(each, 'CompanyID') === 'Foretaksregisteret'),
    ),
    'WARNING',
  ],
]);

/** The rules of Italy for its sellers. */
export const ITALIAN_RULES = ublRules([
  [
    'IT-R-001',
    'BT-32',
    test(
      matching(
        `${SELLER}/PartyTaxScheme`,
        (node, invoice) => sellerCountry(invoice) === 'IT' && normalized(node, 'TaxScheme/ID') !== 'VAT',
      ),
      'it_tax_number',
      (node) => /^[A-Z0-9]{11,16}$/.test(normalized(node, 'CompanyID')),
    ),
  ],
  ['IT-R-002', 'BT-35', present(ITALIAN, 'PostalAddress/StreetName')],
  ['IT-R-003', 'BT-37', present(ITALIAN, 'PostalAddress/CityName')],
  ['IT-R-004', 'BT-38', present(ITALIAN, 'PostalAddress/PostalZone')],
]);
