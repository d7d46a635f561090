import { randomBytes } from 'node:crypto';
import { bearer, type FakeAnswer, type FakeCall, type FakeDeclaration, NOT_FOUND } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const idOf = (prefix: string, n: number): string => `${prefix}_01h${String(n).padStart(23, '0')}`;
const META = { request_id: 'b15ec92e-8688-40d4-a04d-f44cbec93355' };

/** A page in the requested order, after the id in `after`. */
function listed({ account, query, url, largest }: FakeCall, list: string, limit: number): FakeAnswer {
  const [, field = 'id', direction = 'DESC'] = /^(\w+)\[(\w+)\]$/.exec(query.get('order_by') ?? 'id[DESC]') ?? [];
  const statuses = query.get('status')?.split(',');
  const since = query.get('updated_at[GTE]');
  const found = account
    .of(list)
    .filter(({ record }) => statuses?.includes(String(record['status'])) ?? true)
    .filter(({ record }) => !since || Date.parse(String(record['updated_at'])) >= Date.parse(since))
    .sort((a, b) => orderOf(a, field).localeCompare(orderOf(b, field)) * (direction === 'ASC' ? 1 : -1));
  const start = found.findIndex(({ id }) => id === query.get('after')) + 1;
  const per_page = Math.min(Number(query.get('per_page') ?? limit), limit, largest);
  const entries = found.slice(start, start + per_page);
  const more = new URLSearchParams(query);
  more.set('after', entries.at(-1)?.id ?? '');
  const pagination = {
    per_page,
    next: `${url}/${list}?${more.toString()}`,
    has_more: start + per_page < found.length,
    estimated_total: found.length,
  };
  return { json: { data: entries.map(({ record }) => record), meta: { ...META, pagination } } };
}

const orderOf = ({ id, record }: Entry, field: string): string => `${String(record[field])} ${id}`;
const link =
  (list: string) =>
  ({ account, params, fileUrl }: FakeCall): FakeAnswer => {
    const entry = account.find(list, params['id']);
    return entry ? { json: { data: { url: fileUrl(entry) }, meta: META } } : NOT_FOUND;
  };

/** The transactions and adjustments of a Paddle account; the PDFs are on another host. */
export const fake: FakeDeclaration = {
  description: 'paddle-billing.openapi.json',
  base: '',
  key: {
    create: () => randomBytes(25).toString('hex'),
    fields: (key) => ({ api_key: key }),
    of: bearer,
  },
  step2: () => ({ kinds: ['invoice', 'credit_note'] }),
  document(n, day, { number }) {
    const at = `${day}T10:00:00.${String(n % 1000).padStart(3, '0')}Z`;
    const customer_id = idOf('ctm', number);
    const times = { created_at: at, updated_at: at };
    const common = { currency_code: 'EUR', customer_id, ...times };
    if (n % 3 === 1) {
      const id = idOf('adj', n);
      const totals = { subtotal: '1000', tax: '190', total: '1190', currency_code: 'EUR' };
      return { list: 'adjustments', id, record: { ...common, id, action: 'refund', status: 'approved', totals } };
    }
    const id = idOf('txn', n);
    const totals = { subtotal: '11000', discount: '1000', tax: '1900', total: '11900', balance: '0' };
    const record = {
      ...common,
      id,
      status: 'completed',
      collection_mode: 'automatic',
      invoice_number: `123-${n}`,
      billed_at: at,
      revised_at: null,
      details: { totals },
    };
    return { list: 'transactions', id, record };
  },
  others(account) {
    const transaction = this.document(0, '2026-01-31', account);
    const adjustment = this.document(1, '2026-01-31', account);
    const changes = [{ status: 'draft' }, { status: 'billed' }, { details: { totals: { total: '0' } } }];
    for (const [n, each] of changes.entries()) {
      const id = idOf('txn', 900_000 + n);
      account.put({ ...transaction, id, record: { ...transaction.record, id, ...each } });
    }
    for (const [n, each] of [{ status: 'rejected' }, { action: 'chargeback' }].entries()) {
      const id = idOf('adj', 900_000 + n);
      account.put({ ...adjustment, id, record: { ...adjustment.record, id, ...each } });
    }
  },
  routes: {
    'GET /transactions': (call) => listed(call, 'transactions', 30),
    'GET /transactions/{id}/invoice': link('transactions'),
    'GET /adjustments': (call) => listed(call, 'adjustments', 50),
    'GET /adjustments/{id}/credit-note': link('adjustments'),
  },
};
