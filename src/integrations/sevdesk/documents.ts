import type { Metadata } from '../../documents/metadata';
import type { DocumentRef } from '../core/source-document';
import { UnexpectedResponse } from '../core/source-errors';
import type { Kind } from '../shared/accounting/kinds';
import { dayOf, decimal, definedMembers, text } from '../shared/accounting/metadata-values';
import type { Resource, SevdeskDocument } from './sevdesk-api';

const DRAFTS = ['50', '100'];
const STATUSES: Readonly<Record<string, 'OPEN' | 'PARTIAL' | 'PAID'>> = { 200: 'OPEN', 750: 'PARTIAL', 1000: 'PAID' };
/** Invoice types that are not fetched: templates of recurring invoices, and reminders. */
const EXCLUDED_TYPES = ['WKR', 'MA'];
const CANCELLATION = 'SR';
const DAY_MS = 86_400_000;

/** Identifies the PDF; stored with the document. */
export type SevdeskDocumentRef = { readonly resource: Resource; readonly id: string };

export function parseDocumentRef(locator: unknown): SevdeskDocumentRef {
  const { resource, id } = locator as SevdeskDocumentRef;
  return { resource, id };
}

/** The kind of a document; null for drafts and excluded types. Cancellations are invoices with negative amounts. */
export function kindOf(document: SevdeskDocument): Kind | null {
  const { objectName, status, invoiceType } = document;
  if (DRAFTS.includes(String(status)) || EXCLUDED_TYPES.includes(String(invoiceType))) return null;
  return objectName === 'CreditNote' || invoiceType === CANCELLATION ? 'credit_note' : 'invoice';
}

export const dateOf = (document: SevdeskDocument): string | undefined =>
  dayOf(document.objectName === 'CreditNote' ? document.creditNoteDate : document.invoiceDate);

/** A document as a reference. Ids are unique per model only. */
export function reference(document: SevdeskDocument, resource: Resource, kind: Kind): DocumentRef {
  const id = String(document.id);
  if (!/^\d+$/.test(id)) throw new UnexpectedResponse('sevdesk lists a document without an id.');
  const externalId = `${resource}/${id}`;
  const number = text(resource === 'Invoice' ? document.invoiceNumber : document.creditNoteNumber);
  return {
    dedupeKey: externalId,
    externalId,
    filename: `${number ?? `${resource} ${id}`}.pdf`,
    documentType: kind,
    metadata: metadata(document, kind, number),
    locator: { resource, id } satisfies SevdeskDocumentRef,
  };
}

function metadata(document: SevdeskDocument, kind: Kind, number: string | undefined): Metadata {
  const date = dateOf(document);
  const status = STATUSES[document.status];
  const customer = customerOf(document);
  const currency = text(document.currency);
  const modified = Date.parse(document.update ?? '');
  return {
    ...definedMembers({
      date,
      number,
      currency: currency !== undefined && /^[A-Z]{3}$/.test(currency) ? currency : undefined,
      due_date: kind === 'invoice' ? dueDate(date, document.timeToPay) : undefined,
      service_start: dayOf(document.deliveryDate),
      service_end: dayOf(document.deliveryDateUntil),
      customer,
      payment: status && definedMembers({ status, date: status === 'PAID' ? dayOf(document.payDate) : undefined }),
      ...sums(document, kind),
    }),
    source: {
      kind: 'accounting',
      ...(!Number.isNaN(modified) && { modified_at: new Date(modified).toISOString() }),
    },
  };
}

/** The amounts in the document's currency. Omitted for a negative invoice, whose amounts would be misinterpreted. */
function sums(document: SevdeskDocument, kind: Kind): Metadata {
  const isForeign = Number(document.sumGrossForeignCurrency ?? 0) !== 0;
  const gross = decimal(isForeign ? document.sumGrossForeignCurrency : document.sumGross);
  const net = decimal(isForeign ? document.sumNetForeignCurrency : document.sumNet);
  const tax = decimal(isForeign ? document.sumTaxForeignCurrency : document.sumTax);
  if (gross === undefined || (kind === 'invoice' && gross.startsWith('-'))) return {};
  const isPaid = String(document.status) === '1000';
  const paid = Number(document.paidAmount ?? NaN);
  const due = isPaid ? '0.00' : isForeign || Number.isNaN(paid) ? undefined : (Number(gross) - paid).toFixed(2);
  return {
    amount: positive(gross),
    ...(net !== undefined && { amount_net: positive(net) }),
    ...(tax !== undefined && { amount_tax: positive(tax) }),
    ...(kind === 'invoice' && due !== undefined && Number(due) >= 0 && { amount_due: due }),
  };
}

const positive = (amount: string): string => amount.replace('-', '');

function dueDate(date: string | undefined, days: string | null | undefined): string | undefined {
  const stated = String(days ?? '');
  if (date === undefined || !/^\d{1,4}$/.test(stated)) return undefined;
  return new Date(Date.parse(`${date}T00:00:00Z`) + Number(stated) * DAY_MS).toISOString().slice(0, 10);
}

function customerOf({ contact }: SevdeskDocument): Metadata['customer'] {
  if (!contact) return undefined;
  const person = [contact.surename, contact.familyname].map(text).filter((name) => name !== undefined);
  return definedMembers({
    name: text(contact.name) ?? (person.length > 0 ? person.join(' ') : undefined),
    vat_id: text(contact.vatNumber),
    tax_number: text(contact.taxNumber),
  });
}
