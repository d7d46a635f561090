import { randomBytes } from 'node:crypto';
import { bearer, type FakeAnswer, type FakeCall, type FakeDeclaration, NOT_FOUND } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const LISTS = ['sales_invoices', 'external_sales_invoices', 'purchase_invoices', 'receipts', 'general_documents'];
const administrationOf = (number: number): string => `4580263569${number}`;

/** The records that a filter lists: by period and, where that exists, by the last change. */
function listed({ account, params, query, page }: FakeCall, list: string, date: string): FakeAnswer {
  const filter = new Map((query.get('filter') ?? 'period:this_year').split(',').map((each) => split(each)));
  const [first = '', last = ''] = (filter.get('period') ?? 'this_year').split('..');
  const year = String(new Date().getUTCFullYear());
  const isInPeriod = ({ record }: Entry) => {
    const day = ((record[date] ?? new Date().toISOString().slice(0, 10)) as string).replaceAll('-', '');
    return first === 'this_year' ? day.startsWith(year) : day >= first && day <= last;
  };
  const after = filter.get('updated_after');
  const isChanged = ({ record }: Entry) => !after || Date.parse(String(record['updated_at'])) > Date.parse(after);
  const isOwn = params['administration'] === administrationOf(account.number);
  const found = isOwn ? account.of(list).filter((entry) => isInPeriod(entry) && isChanged(entry)) : [];
  const { entries } = page(found, {
    number: 'page',
    size: 'per_page',
    standard: 100,
    largest: 100,
    statesLength: false,
  });
  return { json: entries.map(({ record }) => record) };
}

const split = (term: string): readonly [string, string] => [
  term.slice(0, term.indexOf(':')),
  term.slice(term.indexOf(':') + 1),
];
const redirected =
  (list: string) =>
  ({ account, params, fileUrl }: FakeCall): FakeAnswer => {
    const entry = account.find(list, params['id']);
    return entry ? { status: 302, headers: { location: fileUrl(entry) } } : NOT_FOUND;
  };
const attachmentsOf = (list: string) => `GET /{administration}/${list}/{id}/attachments/{child}/download.json`;

/** Administrations of Moneybird, whose downloads are redirected to another host. */
export const fake: FakeDeclaration = {
  description: 'moneybird.openapi.json',
  base: '/api/v2',
  key: {
    create: () => randomBytes(32).toString('base64url'),
    fields: (key) => ({ api_token: key }),
    of: bearer,
  },
  step2: ({ number }) => ({
    administration: [administrationOf(number)],
    kinds: ['invoice', 'credit_note', 'received', 'document'],
  }),
  document(n, day) {
    const list = LISTS[n % LISTS.length]!;
    const id = String(300_000 + n);
    const updated_at = `${day}T10:00:00.000Z`;
    const attachment = { id: String(900_000 + n), attachable_id: id, filename: `Beleg ${n}.pdf`, size: 10 };
    const common = { id, reference: `R-${n}`, created_at: updated_at, updated_at, attachments: [attachment] };
    const money = { currency: 'EUR', total_price_incl_tax: '121.0', total_price_excl_tax: '100.0' };
    if (list === 'general_documents') return { list, id, record: { ...common, state: 'saved', date: day } };
    const record = { ...common, ...money, state: 'open', due_date: day };
    if (list !== 'sales_invoices') return { list, id, record: { ...record, date: day } };
    return { list, id, record: { ...record, invoice_id: `2026-${n}`, invoice_date: day, total_unpaid: '121.0' } };
  },
  others(account) {
    const { list, record } = this.document(0, '2026-01-31', account);
    for (const state of ['draft', 'scheduled']) {
      const id = state === 'draft' ? '1' : '2';
      account.put({ list, id, record: { ...record, id, state, invoice_id: null, invoice_date: null } });
    }
  },
  routes: {
    'GET /administrations.json': ({ account: { number } }) => ({
      json: [{ id: administrationOf(number), name: 'Müller & Söhne', time_zone: 'Europe/Amsterdam', access: 'user' }],
    }),
    'GET /{administration}/sales_invoices.json': (call) => listed(call, 'sales_invoices', 'invoice_date'),
    'GET /{administration}/external_sales_invoices.json': (call) => listed(call, 'external_sales_invoices', 'date'),
    'GET /{administration}/documents/{list}.json': (call) => listed(call, call.params['list']!, 'date'),
    'GET /{administration}/sales_invoices/{id}/download_pdf.json': redirected('sales_invoices'),
    [attachmentsOf('external_sales_invoices')]: redirected('external_sales_invoices'),
    [attachmentsOf('documents/{list}')]: (call) => redirected(call.params['list']!)(call),
  },
};
