import { randomBytes } from 'node:crypto';
import { type FakeCall, type FakeDeclaration, NOT_FOUND } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const LISTS = ['supplier_invoices', 'client_invoices', 'statements'];
const slugOf = (number: number): string => `muster-gmbh-${number}`;
const attachmentOf = ({ record }: Entry): unknown => record['attachment_id'];

/** One page; invoices by the time of the last change. Addresses of files are temporary. */
function listed(call: FakeCall, list: string) {
  const since = call.query.get('filter[updated_at_from]');
  const isAsked = ({ record }: Entry) => !since || Date.parse(String(record['updated_at'])) >= Date.parse(since);
  const parameters = { number: 'page', size: 'per_page', standard: 100, largest: 100 };
  const { entries, number, size, total, pages, hasMore } = call.page(call.account.of(list).filter(isAsked), parameters);
  const meta = {
    current_page: number,
    next_page: hasMore ? number + 1 : null,
    prev_page: number > 1 ? number - 1 : null,
    total_pages: pages,
    total_count: total,
    per_page: size,
  };
  return { json: { [list]: entries.map((entry) => withAddress(entry, call)), meta } };
}

function withAddress(entry: Entry, { fileUrl }: FakeCall): Record<string, unknown> {
  if (entry.list !== 'statements') return entry.record;
  const file = { file_name: `${entry.id}.pdf`, file_content_type: 'application/pdf', file_size: '10' };
  return { ...entry.record, file: { ...file, file_url: fileUrl(entry) } };
}

/** The statements and invoices of a Qonto organization; the files are on another host. */
export const fake: FakeDeclaration = {
  description: 'qonto.openapi.yaml',
  base: '/v2',
  key: {
    create: () => randomBytes(16).toString('hex'),
    fields: (key, { number }) => ({ organization: slugOf(number), secret_key: key }),
    of: (headers) => /^muster-gmbh-\d+:(\S+)$/.exec(String(headers['authorization']))?.[1],
  },
  step2: () => ({ kinds: ['invoice', 'received', 'bank_statement'] }),
  document(n, day) {
    const list = LISTS[n % LISTS.length]!;
    const id = `${list}-${n}`;
    if (list === 'statements') {
      const period = `${day.slice(5, 7)}-${day.slice(0, 4)}`;
      return { list, id, record: { id, bank_account_id: 'a1', period } };
    }
    const at = `${day}T10:00:00.000Z`;
    const total_amount = { value: '119.00', currency: 'EUR' };
    const common = { id, attachment_id: `file-${n}`, total_amount, issue_date: day, due_date: day };
    const times = { created_at: at, updated_at: at };
    const own =
      list === 'supplier_invoices'
        ? { status: 'to_pay', invoice_number: `E-${n}`, supplier_name: 'Müller GmbH', file_name: `Beleg ${n}.pdf` }
        : { status: 'unpaid', number: `A-${n}`, currency: 'EUR', client: { id: 'c1', type: 'company', name: 'Läden' } };
    return { list, id, record: { ...common, ...times, ...own } };
  },
  others(account) {
    for (const [n, changes] of [{ attachment_id: null }, { status: 'draft' }].entries()) {
      const { list, record } = this.document(n, '2026-01-31', account);
      account.put({ list, id: `other-${n}`, record: { ...record, id: `other-${n}`, ...changes } });
    }
  },
  routes: {
    'GET /organization': ({ account: { number } }) => {
      const bank_accounts = [{ id: 'a1', name: 'Konto', iban: 'DE89370400440532013000', currency: 'EUR' }];
      return { json: { organization: { slug: slugOf(number), legal_name: 'Muster GmbH', bank_accounts } } };
    },
    'GET /statements/{id}': (call) => {
      const entry = call.account.find('statements', call.params['id']);
      return entry ? { json: { statement: withAddress(entry, call) } } : NOT_FOUND;
    },
    'GET /attachments/{id}': ({ account, params, fileUrl }) => {
      const entry = account.entries.find((each) => attachmentOf(each) === params['id']);
      if (!entry) return NOT_FOUND;
      const file = { file_name: 'Beleg.pdf', file_content_type: 'application/pdf' };
      return { json: { attachment: { id: params['id'], ...file, url: fileUrl(entry) } } };
    },
    'GET /{list}': (call) => listed(call, call.params['list']!),
  },
};
