import { select, text } from '../../engine/select';
import type { InvoiceDocument } from '../../engine/invoice-document';
import { fromRoot, type Test, test, type UblRow, ublRules } from '../../engine/tests';
import { isGreekNumber } from '../check-digits';
import { REPRESENTATIVE, SELLER, sellerCountry, vatSchemes } from '../countries';
import { numberOf } from './numbers';

/** Greek rules know the country by both of its codes. */
export const isGreek = (country: string) => country === 'GR' || country === 'EL';

const TYPES = ['1.1', '1.6', '2.1', '2.4', '5.1', '5.2'];
const DATE = /^(0?[1-9]|[12][0-9]|3[01])[-\\/ ]?(0?[1-9]|1[0-2])[-\\/ ]?(19|20)[0-9]{2}/;

/** A rule for the parts of the invoice number, which `|` divides. */
const parts = (key: string, holds: (parts: readonly string[], invoice: InvoiceDocument) => boolean): Test =>
  test(
    fromRoot('ID', (_node, invoice) => isGreek(sellerCountry(invoice))),
    key,
    (node, invoice) => holds(node.text === '' ? [] : node.text.split('|'), invoice),
  );

function isTaxNumberOfSeller(number: string, { root }: InvoiceDocument): boolean {
  if (number.trim().length !== 9 || !isGreekNumber(number)) return false;
  return select(root, `${SELLER}|${REPRESENTATIVE}`)
    .flatMap(vatSchemes)
    .some((scheme) => text(scheme, 'CompanyID').slice(2, 11) === number);
}

/** The day of issue as day, month and year. */
function isDateOfIssue(date: string, { root }: InvoiceDocument): boolean {
  const [year, month, day] = text(root, 'IssueDate').split('-');
  const [ownDay, ownMonth, ownYear] = date.split('/');
  return DATE.test(date) && day !== undefined && ownDay === day && ownMonth === month && ownYear === year;
}

const isBranch = (branch: string) => /^\s*[+-]?[0-9]+\s*$/.test(branch) && numberOf(branch) >= 0;

const ROWS: readonly UblRow[] = [
  ['GR-R-001-1', 'BT-1', parts('gr_parts', (all) => all.length === 6)],
  ['GR-R-001-2', 'BT-1', parts('gr_part_1', ([part = ''], invoice) => isTaxNumberOfSeller(part, invoice))],
  ['GR-R-001-3', 'BT-1', parts('gr_part_2', ([, part = ''], invoice) => isDateOfIssue(part, invoice))],
  ['GR-R-001-4', 'BT-1', parts('gr_part_3', ([, , part = '']) => isBranch(part))],
  ['GR-R-001-5', 'BT-1', parts('gr_part_4', ([, , , part = '']) => TYPES.includes(part))],
  ['GR-R-001-6', 'BT-1', parts('gr_part_5', ([, , , , part = '']) => part !== '')],
  ['GR-R-001-7', 'BT-1', parts('gr_part_6', ([, , , , , part = '']) => part !== '')],
];

/** The rules of Greece for the invoice numbers of its sellers. */
export const GREEK_NUMBER_RULES = ublRules(ROWS);
