import { DocumentUnavailable, PermissionMissing } from '../core/source-errors';
import { RestClient } from '../shared/rest/rest-client';
import type { Kind } from '../shared/accounting/kinds';
import type { StripeSession } from './fields';
import { classify, classifyDocument } from './stripe-errors';

/** The API version of the types below, independent of the account's default. */
const VERSION = '2025-03-31.basil';
/** The maximum page size of the API. */
export const PAGE = 100;

/** Times are in seconds since 1970, amounts in the currency's smallest unit. */
export interface StripeInvoice {
  readonly id: string;
  readonly object: 'invoice';
  readonly status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void' | null;
  readonly created: number;
  readonly effective_at: number | null;
  readonly number: string | null;
  readonly currency: string;
  readonly total: number;
  readonly total_excluding_tax: number | null;
  readonly amount_paid: number;
  readonly amount_remaining: number;
  readonly due_date: number | null;
  readonly status_transitions: { readonly finalized_at: number | null; readonly paid_at: number | null };
  readonly account_name: string | null;
  readonly account_country: string | null;
  readonly customer_name: string | null;
  readonly customer_email: string | null;
  readonly customer_address: { readonly country: string | null } | null;
  readonly customer_tax_ids: readonly { readonly type: string; readonly value: string | null }[] | null;
  /** Null until it is finalized. */
  readonly invoice_pdf: string | null;
}

export interface StripeCreditNote {
  readonly id: string;
  readonly object: 'credit_note';
  readonly created: number;
  readonly effective_at: number | null;
  readonly number: string;
  readonly currency: string;
  readonly total: number;
  readonly total_excluding_tax: number | null;
  /** The whole invoice, which is requested by `expand`. */
  readonly invoice: string | StripeInvoice;
  readonly pdf: string | null;
}

export type StripeDocument = StripeInvoice | StripeCreditNote;

interface StripeAccount {
  readonly id: string;
  readonly email?: string | null;
  readonly business_profile?: { readonly name?: string | null } | null;
  readonly settings?: { readonly dashboard?: { readonly display_name?: string | null } } | null;
}

export interface StripeList {
  readonly data: readonly StripeDocument[];
  readonly has_more: boolean;
}

/** The parameters of a list, which is always newest first. */
export interface ListParameters {
  /** In seconds, inclusive. */
  readonly from?: number;
  /** In seconds, exclusive. */
  readonly before?: number;
  /** The last document of the previous page. */
  readonly after?: string;
  readonly status?: 'draft';
  readonly limit?: number;
}

const PATHS: Readonly<Record<Kind, string>> = { invoice: '/v1/invoices', credit_note: '/v1/credit_notes' };

/** The address of a document's PDF; null until it exists. */
export const pdfOf = (document: StripeDocument): string | null =>
  document.object === 'invoice' ? document.invoice_pdf : document.pdf;

/** The used part of the API. */
export class StripeApi {
  private readonly client: RestClient;
  private readonly documents: RestClient;

  constructor(session: StripeSession) {
    const authorization = `Bearer ${session.fields.api_key}`;
    const options = { provider: 'Stripe', authorization, headers: { 'stripe-version': VERSION } };
    this.client = new RestClient(session, { ...options, classify });
    this.documents = new RestClient(session, { ...options, classify: classifyDocument });
  }

  /** Null when the key may not read it, which is optional. */
  async account(): Promise<StripeAccount | null> {
    try {
      return await this.client.json<StripeAccount>('/v1/account');
    } catch (error) {
      if (error instanceof PermissionMissing) return null;
      throw error;
    }
  }

  list(kind: Kind, { from, before, after, status, limit = PAGE }: ListParameters): Promise<StripeList> {
    return this.client.json(PATHS[kind], {
      limit,
      'created[gte]': from,
      'created[lt]': before,
      starting_after: after,
      status,
      'expand[]': kind === 'credit_note' ? 'data.invoice' : undefined,
    });
  }

  /** The current state of a document. @throws DocumentUnavailable when it was deleted */
  document(kind: Kind, id: string): Promise<StripeDocument> {
    const expand = kind === 'credit_note' ? 'invoice' : undefined;
    return this.documents.json(`${PATHS[kind]}/${encodeURIComponent(id)}`, { 'expand[]': expand });
  }

  async documentOrNull(kind: Kind, id: string): Promise<StripeDocument | null> {
    try {
      return await this.document(kind, id);
    } catch (error) {
      if (error instanceof DocumentUnavailable) return null;
      throw error;
    }
  }
}
