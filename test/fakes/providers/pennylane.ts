import { randomBytes } from 'node:crypto';
import { bearer, type FakeAnswer, type FakeCall, type FakeDeclaration, NOT_FOUND } from '../described/declaration';
import type { Entry } from '../described/fake-account';

interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}
const LISTS = ['customer_invoices', 'supplier_invoices'];

/** The record with its address, which is temporary. Without a filename there is no file. */
const withAddress = (entry: Entry, { fileUrl }: FakeCall) => ({
  ...entry.record,
  public_file_url: entry.record['filename'] === null ? null : fileUrl(entry),
});

/** A page of the invoices since a date, by their ids; the cursor is the last id. */
function listed(call: FakeCall, list: string): FakeAnswer {
  const { account, query, largest } = call;
  const filter = JSON.parse(query.get('filter') ?? '[]') as Condition[];
  const fulfils = ({ record }: Entry) =>
    filter.every(({ field, operator, value }) => operator === 'gteq' && String(record[field]) >= value);
  const all = account.of(list).filter(fulfils);
  const start = all.findIndex(({ id }) => id === query.get('cursor')) + 1;
  const end = start + Math.min(Number(query.get('limit') ?? 20), largest);
  const has_more = end < all.length;
  const items = all.slice(start, end).map((entry) => withAddress(entry, call));
  return { json: { items, has_more, next_cursor: has_more ? all[end - 1]!.id : null } };
}

const single =
  (list: string) =>
  (call: FakeCall): FakeAnswer => {
    const entry = call.account.find(list, call.params['id']);
    return entry ? { json: withAddress(entry, call) } : NOT_FOUND;
  };

/** The invoices of a Pennylane company; the files are on another host. */
export const fake: FakeDeclaration = {
  description: 'pennylane.openapi.yaml',
  base: '/api/external/v2',
  key: {
    create: () => randomBytes(24).toString('base64url'),
    fields: (key) => ({ token: key }),
    of: bearer,
  },
  step2: () => ({ kinds: ['invoice', 'credit_note', 'received'] }),
  document(n, day) {
    const list = LISTS[n % LISTS.length]!;
    const id = 1000 + n;
    const at = `${day}T10:00:00Z`;
    const amounts = { currency: 'EUR', amount: '120.0', currency_amount: '120.0', currency_amount_before_tax: '100.0' };
    const common = {
      id,
      invoice_number: `F-${n}`,
      ...amounts,
      currency_tax: '20.0',
      date: day,
      deadline: day,
      filename: `Facture ${n}.pdf`,
      created_at: at,
      updated_at: at,
    };
    const own =
      list === 'customer_invoices'
        ? { status: 'upcoming', draft: false, paid: false, credited_invoice: null }
        : { accounting_status: 'complete', payment_status: 'to_be_paid' };
    return { list, id: String(id), record: { ...common, ...own } };
  },
  others(account) {
    const changes = [{ status: 'draft', draft: true }, { filename: null }];
    for (const [n, each] of changes.entries()) {
      const { list, record } = this.document(n, '2026-01-31', account);
      account.put({ list, id: String(1 + n), record: { ...record, id: 1 + n, ...each } });
    }
  },
  routes: {
    'GET /me': ({ account: { number } }) => ({
      json: { user: { id: 1, first_name: 'Anna' }, company: { id: number, name: 'Müller SARL' } },
    }),
    'GET /customer_invoices': (call) => listed(call, 'customer_invoices'),
    'GET /customer_invoices/{id}': single('customer_invoices'),
    'GET /supplier_invoices': (call) => listed(call, 'supplier_invoices'),
    'GET /supplier_invoices/{id}': single('supplier_invoices'),
  },
};
