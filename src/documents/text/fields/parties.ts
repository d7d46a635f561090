import type { Party } from '../../metadata';
import type { Line } from '../layout/lines';
import { ibansIn } from '../values/iban-in';
import { vatIdsIn } from '../values/vat-id';
import { onlyValue } from './only-value';
import { supplierName } from './supplier-name';

export interface Parties {
  readonly supplier?: Party;
  readonly customer?: Party;
}

const OF_CUSTOMER =
  /\b(?:ihre?|your|kunden?|customer(?:'s)?|buyer|käufer|empfänger|recipient|auftraggeber|client|leistungsempfänger)\b[^:]*:?\s*$/i;
/** The account that is debited is the customer's. */
const DEBITED =
  /lastschrift|abgebucht|abbuch|eingezogen|einzug|von ihrem konto|ihr(?:em)? konto|direct debit|mandat|your account/i;

/** The parties, as far as the document proves them: numbers with the right check digits, and whose they are. */
export function parties(lines: readonly Line[]): Parties {
  const vatIds = ownedVatIds(lines);
  const [name, iban] = [supplierName(lines), supplierIban(lines)];
  const supplier = {
    ...(name && { name }),
    ...(vatIds.supplier && { vat_id: vatIds.supplier }),
    ...(iban && { iban }),
  };
  return {
    ...(Object.keys(supplier).length > 0 && { supplier }),
    ...(vatIds.customer && { customer: { vat_id: vatIds.customer } }),
  };
}

/** A number with a label of the customer is the customer's; the only other one is the supplier's. */
function ownedVatIds(lines: readonly Line[]): { supplier?: string; customer?: string } {
  const found = lines.flatMap((line, at) => {
    const text = textOf(line);
    return startingIn(text, vatIdsIn(withNext(lines, at))).map(({ id, start }) => ({
      id,
      isCustomers: isCustomers(lines, at, text.slice(0, start)),
    }));
  });
  const customer = onlyValue(found.filter(({ isCustomers }) => isCustomers).map(({ id }) => id));
  const others = found.filter(({ isCustomers }) => !isCustomers).map(({ id }) => id);
  const supplier = onlyValue(others.filter((id) => id !== customer));
  return { ...(supplier && { supplier }), ...(customer && { customer }) };
}

/** The label is in the same line, or, for a number that begins its line, in the line above. */
function isCustomers(lines: readonly Line[], at: number, before: string): boolean {
  if (OF_CUSTOMER.test(before)) return true;
  const above = lines[at - 1];
  return before.trim() === '' && above !== undefined && OF_CUSTOMER.test(textOf(above));
}

function supplierIban(lines: readonly Line[]): string | undefined {
  const found = lines.flatMap((line, at) => {
    const context = lines.slice(Math.max(at - 2, 0), at + 3).filter(({ page }) => page === line.page);
    const isDebited = context.some((each) => DEBITED.test(textOf(each)));
    return startingIn(textOf(line), ibansIn(withNext(lines, at))).map(({ iban }) => ({ iban, isDebited }));
  });
  return found.some(({ isDebited }) => isDebited) ? undefined : onlyValue(found.map(({ iban }) => iban));
}

/** The line and the next one, because a number may continue there; a wrong continuation fails the check. */
function withNext(lines: readonly Line[], at: number): string {
  const [line, next] = [lines[at]!, lines[at + 1]];
  return next?.page === line.page ? `${textOf(line)} ${textOf(next)}` : textOf(line);
}

function startingIn<T extends { readonly start: number }>(text: string, found: readonly T[]): T[] {
  return found.filter(({ start }) => start < text.length);
}

function textOf(line: Line): string {
  return line.cells.map(({ text }) => text).join('  ');
}
