import type { DocumentType, Metadata } from '../metadata';
import { type Decimal, formatDecimal, parseDecimal } from './decimal';
import { documentTypeOf } from './document-type-code';
import type { InvoiceFields } from './invoice-fields';
import { partyOf } from './party-values';
import { paymentMethod } from './payment-means';
import { profileOf } from './profile';
import { keepsRules } from './rules';

type Format = NonNullable<Metadata['e_invoice']>['format'];

/** What an e-invoice says about itself. */
export interface DescribedInvoice {
  /** Absent when the type code is unknown and the root element does not tell. */
  readonly documentType?: DocumentType;
  readonly metadata: Metadata;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Turns facts into metadata (decisions 4). Amounts are positive there, so the sign moves into the document type: an
 * invoice over a negative gross amount is a credit note, and a credit note over a negative one an invoice. An amount
 * whose sign then still differs from the gross amount's (a balance in the payer's favour) cannot be said and is left out.
 */
export function fieldsToMetadata(facts: InvoiceFields, format: Format): DescribedInvoice {
  const { totals } = facts;
  const signed = [totals.gross, totals.net, totals.due].map(parseDecimal).find((value) => value);
  const negative = signed !== undefined && signed < 0n;
  const amount = (text: string | undefined) => positive(parseDecimal(text), negative);
  const text = (value: Decimal | undefined) => (value === undefined ? undefined : formatDecimal(value));
  const documentType = typeOf(facts, negative);
  const metadata: Metadata = {
    number: facts.number,
    date: facts.issueDate,
    due_date: facts.dueDate,
    amount: text(amount(totals.gross)),
    amount_net: text(amount(totals.net)),
    amount_tax: text(amount(totals.tax)),
    amount_due: text(amount(totals.due)),
    currency: facts.currency !== undefined && CURRENCIES.has(facts.currency) ? facts.currency : undefined,
    service_start: facts.periodStart,
    service_end: facts.periodEnd,
    supplier: partyOf(facts.seller, facts.sellerAccounts),
    customer: partyOf(facts.buyer, facts.buyerAccounts),
    order_reference: facts.orderReference,
    preceding_invoice: facts.precedingInvoice,
    payment: payment(facts, amount(totals.prepaid), amount(totals.due)),
    e_invoice: withoutGaps({ format, profile: profileOf(facts.specification), valid: keepsRules(facts) }),
  };
  return { ...(documentType && { documentType }), metadata: withoutGaps(metadata) };
}

function positive(value: Decimal | undefined, negative: boolean): Decimal | undefined {
  const turned = value !== undefined && negative ? -value : value;
  return turned !== undefined && turned >= 0n ? turned : undefined;
}

/**
 * A UBL CreditNote is one whatever its code says: programs leave 380 there, and it would be paid. Otherwise the code decides,
 * and an unknown one leaves it to the root element, which says in UBL what the document is, but not in CII.
 */
function typeOf(facts: InvoiceFields, negative: boolean): DocumentType | undefined {
  const byRoot = facts.root === 'either' ? undefined : facts.root;
  const stated = byRoot === 'credit_note' ? byRoot : (documentTypeOf(facts.typeCode) ?? byRoot);
  if (!negative) return stated;
  return stated === 'invoice' ? 'credit_note' : stated === 'credit_note' ? 'invoice' : stated;
}

/** What was paid before the invoice was written (BT-113) is a fact; that nothing was paid since is not. */
function payment(
  facts: InvoiceFields,
  prepaid: Decimal | undefined,
  due: Decimal | undefined,
): Metadata['payment'] | undefined {
  const paid = prepaid !== undefined && prepaid > 0n;
  const status = !paid || due === undefined ? undefined : due === 0n ? 'PAID' : 'PARTIAL';
  const stated = withoutGaps({ status, method: paymentMethod(facts.paymentMeansCodes) } as const);
  return Object.keys(stated).length > 0 ? stated : undefined;
}

function withoutGaps<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}
