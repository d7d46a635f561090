import type { Entry, StripeState } from './stripe-state';

export interface StripeAnswer {
  readonly status: number;
  readonly json: unknown;
}

export const refused = (status: number, code: string): StripeAnswer => ({
  status,
  json: { error: { type: 'invalid_request_error', code, message: 'As asked.' } },
});

const LIST = ['limit', 'created[gte]', 'created[lt]', 'starting_after', 'expand[]'];
const PARAMETERS: Readonly<Record<string, readonly string[]>> = { invoices: [...LIST, 'status'], credit_notes: LIST };

/** The used part of the API. Like Stripe, it rejects unknown parameters. */
export class StripeEndpoints {
  /** The origin of the PDFs, which differs from the API's. */
  pdfOrigin = '';

  answer(state: StripeState, key: string, url: URL): StripeAnswer {
    const [, version, resource = '', id] = url.pathname.split('/');
    const rights = state.keys.get(key)!;
    if (version !== 'v1') return refused(404, 'url_invalid');
    if (!rights.has(resource as never)) return refused(403, 'more_permissions_required');
    if (resource === 'account') {
      return { status: 200, json: { id: state.id, object: 'account', email: 'shop@example.com', country: 'DE' } };
    }
    const query = url.searchParams;
    const known = id === undefined ? (PARAMETERS[resource] ?? []) : ['expand[]'];
    if ([...query.keys()].some((name) => !known.includes(name))) return refused(400, 'parameter_unknown');
    const object = resource === 'invoices' ? 'invoice' : 'credit_note';
    const all = state.entries.filter((entry) => entry.object === object);
    if (id === undefined) return this.list(state, all, query, url.pathname);
    const entry = all.find((each) => each.id === id);
    const expands = query.get('expand[]') === 'invoice';
    return entry ? { status: 200, json: this.resource(state, entry, expands) } : refused(404, 'resource_missing');
  }

  private list(state: StripeState, all: readonly Entry[], query: URLSearchParams, url: string): StripeAnswer {
    const limit = Number(query.get('limit') ?? 10);
    if (!(limit >= 1 && limit <= 100)) return refused(400, 'parameter_invalid_integer');
    const from = Number(query.get('created[gte]') ?? 0);
    const before = Number(query.get('created[lt]') ?? Infinity);
    const status = query.get('status');
    // Newest first; within one second, the later one first.
    const sorted = all
      .filter(({ created }) => created >= from && created < before)
      .filter((entry) => status === null || entry.status === status)
      .sort((a, b) => b.created - a.created || b.id.localeCompare(a.id));
    const after = query.get('starting_after');
    const start = after === null ? 0 : sorted.findIndex(({ id }) => id === after) + 1;
    if (after !== null && start === 0) return refused(400, 'resource_missing');
    const expands = query.get('expand[]') === 'data.invoice';
    const data = sorted.slice(start, start + limit).map((entry) => this.resource(state, entry, expands));
    return { status: 200, json: { object: 'list', url, has_more: sorted.length > start + limit, data } };
  }

  private resource(state: StripeState, entry: Entry, expands = false): Record<string, unknown> {
    const { id, object, created, status, number, currency, total, net } = entry;
    const pdf = status === 'draft' ? null : `${this.pdfOrigin}/${object}/${state.id}/live_${id}/pdf?s=ap`;
    const same = { id, object, created, status, number, currency, total, total_excluding_tax: net, livemode: true };
    const invoice = state.entries.find((each) => each.id === entry.invoice);
    if (object === 'credit_note') {
      const of = expands && invoice ? this.resource(state, invoice) : (entry.invoice ?? 'in_unknown');
      return { ...same, effective_at: entry.effectiveAt, invoice: of, pdf };
    }
    return {
      ...same,
      effective_at: entry.effectiveAt,
      status_transitions: {
        finalized_at: entry.finalizedAt,
        paid_at: entry.paidAt,
        voided_at: null,
        marked_uncollectible_at: null,
      },
      amount_due: total,
      amount_paid: entry.paid,
      amount_remaining: entry.remaining,
      due_date: entry.dueDate,
      account_name: 'Läden & Co GmbH',
      account_country: 'DE',
      customer_name: 'Jane Doe',
      customer_email: 'jane@example.com',
      customer_address: { city: null, country: 'AT', line1: null, line2: null, postal_code: null, state: null },
      customer_tax_ids: [{ type: 'eu_vat', value: 'ATU12345678' }],
      invoice_pdf: pdf,
    };
  }
}
