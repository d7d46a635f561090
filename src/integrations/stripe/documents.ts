import type { Metadata, Party } from '../../documents/metadata';
import type { DocumentRef } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import { definedMembers, text } from '../shared/accounting/metadata-values';
import type { Kind } from '../shared/accounting/kinds';
import { localDate } from './local-date';
import { majorUnits } from './major-units';
import type { StripeCreditNote, StripeDocument, StripeInvoice } from './stripe-api';

/** Identifies a document; stored with it. The address of its PDF expires after some weeks and is requested again. */
export type StripeDocumentRef = { readonly kind: Kind; readonly id: string };

export function parseDocumentRef(locator: unknown): StripeDocumentRef {
  const { kind, id } = locator as StripeDocumentRef;
  return { kind, id };
}

/** When it was issued (seconds): later than the creation of the draft. */
export function issuedAt(document: StripeDocument): number {
  const finalized = document.object === 'invoice' ? document.status_transitions.finalized_at : null;
  return Math.max(document.effective_at ?? 0, finalized ?? 0) || document.created;
}

export function reference(document: StripeDocument, kind: Kind, zone: string): DocumentRef {
  const { id } = document;
  if (!/^\w{1,250}$/.test(id)) throw new UnexpectedResponse('Stripe lists a document without an id.');
  const number = text(document.number);
  return {
    dedupeKey: id,
    externalId: id,
    filename: `${number ?? id}.pdf`,
    documentType: kind,
    metadata: document.object === 'invoice' ? invoice(document, zone) : creditNote(document, zone),
    locator: { kind, id } satisfies StripeDocumentRef,
  };
}

function invoice(document: StripeInvoice, zone: string): Metadata {
  const { status, due_date, amount_remaining, amount_paid, currency, status_transitions } = document;
  const isDue = status === 'open' || status === 'paid';
  const payment =
    status === 'paid'
      ? ('PAID' as const)
      : status !== 'open'
        ? undefined
        : amount_paid > 0
          ? ('PARTIAL' as const)
          : ('OPEN' as const);
  const paidAt = status === 'paid' ? status_transitions.paid_at : null;
  return {
    ...facts(document, zone),
    ...definedMembers({
      due_date: due_date === null ? undefined : localDate(due_date, zone),
      amount_due: isDue && amount_remaining >= 0 ? majorUnits(amount_remaining, currency) : undefined,
      payment:
        payment && definedMembers({ status: payment, date: paidAt === null ? undefined : localDate(paidAt, zone) }),
      supplier: supplierOf(document),
      customer: customerOf(document),
    }),
  };
}

function creditNote(document: StripeCreditNote, zone: string): Metadata {
  const { invoice: of } = document;
  return {
    ...facts(document, zone),
    ...(typeof of === 'object' &&
      definedMembers({ preceding_invoice: text(of.number), supplier: supplierOf(of), customer: customerOf(of) })),
  };
}

function facts(document: StripeDocument, zone: string): Metadata {
  const { number, currency, total, total_excluding_tax: net, effective_at } = document;
  // Negative amounts would be misinterpreted.
  const hasAmounts = total >= 0;
  return {
    ...definedMembers({
      number: text(number),
      date: localDate(effective_at ?? issuedAt(document), zone),
      currency: currency.toUpperCase(),
      amount: hasAmounts ? majorUnits(total, currency) : undefined,
      amount_net: hasAmounts && net !== null ? majorUnits(net, currency) : undefined,
      amount_tax: hasAmounts && net !== null && total >= net ? majorUnits(total - net, currency) : undefined,
    }),
    source: { kind: 'portal' },
  };
}

function supplierOf({ account_name, account_country }: StripeInvoice): Party | undefined {
  return definedMembers({ name: text(account_name), country: text(account_country) });
}

function customerOf({
  customer_name,
  customer_email,
  customer_address,
  customer_tax_ids,
}: StripeInvoice): Party | undefined {
  const vat = customer_tax_ids?.find(({ type }) => type.endsWith('_vat'));
  return definedMembers({
    name: text(customer_name),
    email: text(customer_email),
    country: text(customer_address?.country),
    vat_id: text(vat?.value),
  });
}
