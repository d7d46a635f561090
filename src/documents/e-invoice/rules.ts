import { type Decimal, parseDecimal, roundToCents, sum } from './decimal';
import { isTypeCodeFor } from './document-type-code';
import type { InvoiceFields } from './invoice-fields';
import { claimsEn16931 } from './profile';

/**
 * Whether the invoice satisfies these rules of EN 16931, and no others:
 *
 * - present (and, where it is a date, amount or code, readable): BT-24 (BR-01), number (BR-02), issue date (BR-03),
 *   type code from the root element's list (BR-04, BR-CL-01), currency (BR-05), seller's and buyer's legal names
 *   (BR-06, BR-07) and countries (BR-08 to BR-11), BT-106, BT-109, BT-112 and BT-115 (BR-12 to BR-15), a line (BR-16),
 *   a VAT breakdown (BR-CO-18);
 * - sums: lines (BR-CO-10), allowances and charges (BR-CO-11, BR-CO-12), net (BR-CO-13), tax (BR-CO-14), gross
 *   (BR-CO-15), payable (BR-CO-16).
 *
 * Undefined when these rules do not apply: MINIMUM, BASIC WL, EXTENDED, the XRechnung extension, ZUGFeRD 1.0, and
 * invoices that claim another standard. This is not a full validation: the schema, the rules for VAT categories and
 * national rules such as those of XRechnung are not checked.
 */
export function satisfiesRules(fields: InvoiceFields): boolean | undefined {
  if (fields.specification === undefined) return false; // BR-01
  if (!claimsEn16931(fields.specification)) return undefined;
  return mandatoryPresent(fields) && sumsRight(fields);
}

/** Country codes as listed by EN 16931: ISO 3166-1 alpha-2, and 1A for Kosovo, which has no code in ISO 3166-1. */
const COUNTRY = /^(?:[A-Z]{2}|1A)$/;

function mandatoryPresent(fields: InvoiceFields): boolean {
  return (
    fields.number !== undefined &&
    fields.issueDate !== undefined &&
    isTypeCodeFor(fields.root, fields.typeCode) &&
    /^[A-Z]{3}$/.test(fields.currency ?? '') &&
    [fields.seller, fields.buyer].every((party) => party.hasLegalName && COUNTRY.test(party.country ?? '')) &&
    fields.lineAmounts.length > 0 &&
    fields.taxByCategory.length > 0
  );
}

/** An absent amount counts as zero, an unreadable one as wrong. */
function optional(text: string | undefined): Decimal | undefined {
  return text === undefined ? 0n : parseDecimal(text);
}

function sumsRight({ totals, ...fields }: InvoiceFields): boolean {
  const [lines, net, gross, due] = [totals.lines, totals.net, totals.gross, totals.due].map(parseDecimal);
  const [allowances, charges] = [optional(totals.allowances), optional(totals.charges)];
  const [prepaid, rounding] = [optional(totals.prepaid), optional(totals.rounding)];
  const tax = totals.taxMayBeAbsent ? optional(totals.tax) : parseDecimal(totals.tax);
  return (
    same(lines, total(fields.lineAmounts)) &&
    same(allowances, total(fields.allowances)) &&
    same(charges, total(fields.charges)) &&
    same(net, sum([lines, negative(allowances), charges])) &&
    same(tax, total(fields.taxByCategory)) &&
    same(gross, sum([net, tax])) &&
    same(sum([due, negative(rounding)]), sum([gross, negative(prepaid)]))
  );
}

function total(amounts: readonly (string | undefined)[]): Decimal | undefined {
  return sum(amounts.map(parseDecimal));
}

function negative(value: Decimal | undefined): Decimal | undefined {
  return value === undefined ? undefined : -value;
}

/** Whether both are known and the stated amount equals the calculated one rounded to cents. */
function same(stated: Decimal | undefined, calculated: Decimal | undefined): boolean {
  return (
    stated !== undefined && calculated !== undefined && (stated === calculated || stated === roundToCents(calculated))
  );
}
