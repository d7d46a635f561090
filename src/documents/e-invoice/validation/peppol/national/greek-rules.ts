import { normalize, normalized, select, single, some, text } from '../../engine/select';
import { all, BUYER, buyerCountry, COUNTRY, ownSellerCountry, SELLER, sellerCountry } from '../countries';
import { type Condition, matching, ROOT, type Selector, test, ublRules } from '../../engine/tests';
import type { XmlNode } from '../../engine/xml-node';
import { isGreekNumber } from '../check-digits';
import { isGreek } from './greek-number';

const greekSeller: Condition = (_node, invoice) => isGreek(sellerCountry(invoice));
const greekParties: Condition = (node, invoice) => greekSeller(node, invoice) && isGreek(buyerCountry(invoice));
const ownGreekSeller: Condition = (_node, invoice) => isGreek(ownSellerCountry(invoice));
const greekAddress = all(greekSeller, (_node, { root }) => some(root, `${SELLER}/${COUNTRY}`, 'GR'));

const where =
  (at: Selector, condition: Condition): Selector =>
  (invoice) =>
    at(invoice).filter((node) => condition(node, invoice));

const vatNumbers = (party: XmlNode) =>
  select(party, 'PartyTaxScheme')
    .filter((scheme) => normalized(scheme, 'TaxScheme/ID') === 'VAT')
    .flatMap((scheme) => select(scheme, 'CompanyID'));
const isGreekVatNumber = (number: string) => number.startsWith('EL') && isGreekNumber(number.slice(2));
const hasGreekVatNumber = (party: XmlNode) => {
  const [number, ...further] = vatNumbers(party);
  return number !== undefined && further.length === 0 && isGreekVatNumber(number.text);
};
const hasName = (party: XmlNode) => text(party, 'PartyName/Name') !== '';
const isGreekAddress: Condition = (node) => node.attributes.get('schemeID') === '9933' && isGreekNumber(node.text);

const MARK = '##M.AR.K##';
const URL = '##INVOICE|URL##';
const described = (root: XmlNode, description: string) =>
  select(root, 'AdditionalDocumentReference').filter((each) => some(each, 'DocumentDescription', description)).length;
const referred = (name: string, description: string, condition: Condition): Selector =>
  matching(name, (node, invoice) => {
    const reference = node.name === 'AdditionalDocumentReference' ? node : node.parent!;
    return some(reference, 'DocumentDescription', description) && condition(node, invoice);
  });

/** The rules of Greece for its sellers, and for invoices between Greek parties. */
export const GREEK_RULES = ublRules([
  ['GR-R-002', 'BT-28', test(matching(SELLER, greekSeller), 'missing', hasName)],
  [
    'GR-R-003',
    'BT-31',
    test(
      matching(
        `${SELLER}/PartyTaxScheme/CompanyID`,
        (node, invoice) => greekSeller(node, invoice) && normalized(node, '../TaxScheme/ID') === 'VAT',
      ),
      'gr_vat_number',
      ({ text: number }) => isGreekVatNumber(number),
    ),
  ],
  ['GR-R-004-1', 'BT-122', test(where(ROOT, greekAddress), 'gr_mark', (root) => described(root, MARK) === 1)],
  [
    'GR-R-004-2',
    'BT-122',
    test(referred('AdditionalDocumentReference/ID', MARK, greekAddress), 'gr_mark_number', ({ text: number }) =>
      /^[1-9]/.test(number),
    ),
  ],
  ['GR-R-005', 'BT-45', test(matching(BUYER, greekSeller), 'missing', hasName)],
  ['GR-R-006', 'BT-48', test(matching(BUYER, greekParties), 'gr_vat_number', hasGreekVatNumber)],
  ['GR-R-008-2', 'BT-122', test(where(ROOT, greekAddress), 'gr_one_url', (root) => described(root, URL) <= 1)],
  [
    'GR-R-008-3',
    'BT-124',
    test(
      referred('AdditionalDocumentReference', URL, greekSeller),
      'missing',
      (node) => normalize(single(select(node, 'Attachment/ExternalReference/URI'))?.text ?? '') !== '',
    ),
  ],
  ['GR-R-009', 'BT-34', test(matching(`${SELLER}/EndpointID`, ownGreekSeller), 'gr_address', isGreekAddress)],
  ['GR-R-010', 'BT-49', test(matching(`${BUYER}/EndpointID`, greekParties), 'gr_address', isGreekAddress)],
  ['GR-S-008-1', 'BT-124', test(where(ROOT, greekAddress), 'gr_url', (root) => described(root, URL) === 1), 'WARNING'],
  ['GR-S-011', 'BT-31', test(matching(SELLER, greekSeller), 'gr_vat_number', hasGreekVatNumber), 'WARNING'],
]);
