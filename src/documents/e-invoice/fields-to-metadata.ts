import type { DocumentType, Metadata } from '../metadata';
import { type Decimal, formatDecimal, parseDecimal } from './decimal';
import { documentTypeOf } from './document-type-code';
import type { InvoiceFields } from './invoice-fields';
import { partyOf } from './party-values';
import { paymentMethod } from './payment-means';
import { profileOf } from './profile';
import type { ValidationResult } from './validation/validate-invoice';

type Format = NonNullable<Metadata['e_invoice']>['format'];

/** The document type and metadata of an e-invoice. */
export interface DescribedInvoice {
  /** Absent when the type code is unknown and the root element does not determine the type. */
  readonly documentType?: DocumentType;
  readonly metadata: Metadata;
  /** Absent when no rules apply to it. */
  readonly validation?: ValidationResult;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Converts fields to metadata (decisions 4). Amounts are positive there, so the sign changes the document type: an invoice with a
 * negative gross amount is a credit note, and a credit note with a negative one an invoice. An amount whose sign still differs
 * from the gross amount's (a balance in favor of the payer) cannot be represented and is omitted.
 */
export function fieldsToMetadata(
  fields: InvoiceFields,
  format: Format,
  validation?: ValidationResult,
): DescribedInvoice {
  const { totals } = fields;
  const signed = [totals.gross, totals.net, totals.due].map(parseDecimal).find((value) => value);
  const negative = signed !== undefined && signed < 0n;
  const amount = (text: string | undefined) => positive(parseDecimal(text), negative);
  const text = (value: Decimal | undefined) => (value === undefined ? undefined : formatDecimal(value));
  const documentType = typeOf(fields, negative);
  const metadata: Metadata = {
    number: fields.number,
    date: fields.issueDate,
    due_date: fields.dueDate,
    amount: text(amount(totals.gross)),
    amount_net: text(amount(totals.net)),
    amount_tax: text(amount(totals.tax)),
    amount_due: text(amount(totals.due)),
    currency: fields.currency !== undefined && CURRENCIES.has(fields.currency) ? fields.currency : undefined,
    service_start: fields.periodStart,
    service_end: fields.periodEnd,
    supplier: partyOf(fields.seller, fields.sellerAccounts),
    customer: partyOf(fields.buyer, fields.buyerAccounts),
    order_reference: fields.orderReference,
    preceding_invoice: fields.precedingInvoice,
    payment: payment(fields, amount(totals.prepaid), amount(totals.due)),
    e_invoice: withoutGaps({ format, profile: profileOf(fields.specification), ...verdict(validation) }),
  };
  return { ...(documentType && { documentType }), metadata: withoutGaps(metadata), ...(validation && { validation }) };
}

function verdict(validation: ValidationResult | undefined) {
  if (!validation) return undefined;
  const { ruleset, errors, warnings } = validation;
  return { valid: errors === 0, ruleset, errors, warnings };
}

function positive(value: Decimal | undefined, negative: boolean): Decimal | undefined {
  const turned = value !== undefined && negative ? -value : value;
  return turned !== undefined && turned >= 0n ? turned : undefined;
}

/**
 * A UBL CreditNote is a credit note regardless of its code: some programs write 380, and it would be paid. Otherwise
 * the code decides; if it is unknown, the root element, which determines the type in UBL but not in CII.
 */
function typeOf(fields: InvoiceFields, negative: boolean): DocumentType | undefined {
  const byRoot = fields.root === 'either' ? undefined : fields.root;
  const stated = byRoot === 'credit_note' ? byRoot : (documentTypeOf(fields.typeCode) ?? byRoot);
  if (!negative) return stated;
  return stated === 'invoice' ? 'credit_note' : stated === 'credit_note' ? 'invoice' : stated;
}

/** Only the amount paid before the invoice was issued (BT-113) is known, not later payments. */
function payment(
  fields: InvoiceFields,
  prepaid: Decimal | undefined,
  due: Decimal | undefined,
): Metadata['payment'] | undefined {
  const paid = prepaid !== undefined && prepaid > 0n;
  const status = !paid || due === undefined ? undefined : due === 0n ? 'PAID' : 'PARTIAL';
  const stated = withoutGaps({ status, method: paymentMethod(fields.paymentMeansCodes) } as const);
  return Object.keys(stated).length > 0 ? stated : undefined;
}

function withoutGaps<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}
