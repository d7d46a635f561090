import { type FakeAnswer, type FakeCall, type FakeDeclaration, NOT_FOUND, pdf } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const TYPES = ['invoice', 'credit_note', 'receipt', 'expense', 'passive_credit_note'];
const companyOf = (number: number): number => 12_345 + number;
const listOf = (type: string): string =>
  type === 'expense' || type === 'passive_credit_note' ? 'received_documents' : 'issued_documents';

/** A record with the requested fields only; addresses of files are temporary. */
function withFields({ query, fileUrl }: FakeCall, entry: Entry): Record<string, unknown> {
  const address = { [entry.list === 'issued_documents' ? 'url' : 'attachment_url']: fileUrl(entry) };
  const fields = query.get('fields')?.split(',') ?? ['id', 'type'];
  return Object.fromEntries(Object.entries({ ...address, ...entry.record }).filter(([name]) => fields.includes(name)));
}

const listed = (call: FakeCall): FakeAnswer => {
  const { account, params, query, page, url } = call;
  const isOwn = params['company'] === String(companyOf(account.number));
  const own = account.of(params['list']!).filter(({ record }) => record['type'] === query.get('type'));
  const parameters = { number: 'page', size: 'per_page', standard: 5, largest: 100 };
  const { entries, number, size, total, pages, hasMore } = page(isOwn ? own : [], parameters);
  const next_page_url = hasMore ? `${url}/c/1/${params['list']}?page=${number + 1}` : null;
  const data = entries.map((entry) => withFields(call, entry));
  return { json: { current_page: number, last_page: pages, next_page_url, per_page: size, total, data } };
};

const found = ({ account, params }: FakeCall): Entry | undefined => account.find(params['list']!, params['id']);

/** The documents of companies of Fatture in Cloud: one list for each type, and only the fields that are asked for. */
export const fake: FakeDeclaration = {
  description: 'fattureincloud.openapi.json',
  base: '',
  oauth: {
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    scopes: ['invoices', 'credit_notes', 'receipts']
      .map((name) => `issued_documents.${name}:r`)
      .concat('received_documents:r'),
    expiresIn: 86_400,
    rotates: true,
    tellsScopes: false,
    isOffline: () => true,
  },
  step2: ({ number }) => ({
    company: [String(companyOf(number))],
    kinds: ['invoice', 'credit_note', 'received', 'receipt'],
  }),
  document(n, day) {
    const type = TYPES[n % TYPES.length]!;
    const id = 5000 + n;
    const amounts = { amount_net: 100, amount_vat: 22, amount_gross: 122 };
    const entity = { id: 1, name: 'Müller S.r.l.', vat_number: 'IT01234567890', tax_code: '01234567890' };
    const common = { id, type, date: day, next_due_date: day, currency: { id: 'EUR' }, entity, ...amounts };
    const list = listOf(type);
    const own =
      list === 'issued_documents' ? { number: n, numeration: '/A', e_invoice: false } : { invoice_number: `F${n}` };
    return { list, id: String(id), record: { ...common, ...own } };
  },
  others(account) {
    const { list, record } = this.document(3, '2026-01-31', account);
    account.put({ list, id: '1', record: { ...record, id: 1, attachment_url: null } });
  },
  routes: {
    'GET /user/info': ({ account: { number } }) => ({ json: { data: { id: number, name: 'Mario Müller' } } }),
    'GET /user/companies': ({ account: { number } }) => ({
      json: { data: { companies: [{ id: companyOf(number), name: 'Müller S.r.l.', type: 'company' }] } },
    }),
    'GET /c/{company}/{list}': listed,
    'GET /c/{company}/{list}/{id}': (call) => {
      const entry = found(call);
      return entry ? { json: { data: withFields(call, entry) } } : NOT_FOUND;
    },
    'GET /c/{company}/{list}/{id}/e_invoice/xml': (call) => ({ ...pdf(found(call)), type: 'text/xml' }),
  },
};
