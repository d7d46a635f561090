import { randomBytes } from 'node:crypto';
import { bearer, type FakeAnswer, type FakeCall, type FakeDeclaration, NOT_FOUND } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const money = (value: string) => ({ currency: 'EUR', value });
const link = (href: string, type = 'application/hal+json') => ({ href, type });

/** A record with the address of its PDF, which is on another host; drafts have none. */
function withLinks({ url, fileUrl }: FakeCall, entry: Entry): Record<string, unknown> {
  const { list, id, record } = entry;
  const pdf = { [list === 'invoices' ? 'pdf' : 'pdfLink']: link(fileUrl(entry), 'application/pdf') };
  return { ...record, _links: { self: link(`${url}/v2/${list}/${id}`), ...(record['status'] !== 'draft' && pdf) } };
}

/** A page from the id in `from` on; the next one begins with the first id after it. */
function listed(call: FakeCall, list: string, sorted: readonly Entry[]): FakeAnswer {
  const { query, url } = call;
  const from = sorted.findIndex(({ id }) => id === query.get('from'));
  const size = Math.min(Number(query.get('limit') ?? 50), call.largest);
  const entries = sorted.slice(Math.max(0, from), Math.max(0, from) + size);
  const following = sorted[Math.max(0, from) + size];
  const more = new URLSearchParams(query);
  if (following) more.set('from', following.id);
  const _links = {
    self: link(`${url}/v2/${list}`),
    previous: null,
    next: following ? link(`${url}/v2/${list}?${more.toString()}`) : null,
    documentation: link('https://docs.mollie.com', 'text/html'),
  };
  const name = list.replace('-', '_');
  const embedded = { [name]: entries.map((entry) => withLinks(call, entry)) };
  return { json: { count: entries.length, _embedded: embedded, _links } };
}

const single =
  (list: string) =>
  (call: FakeCall): FakeAnswer => {
    const entry = call.account.find(list, call.params['id']);
    return entry ? { json: withLinks(call, entry) } : NOT_FOUND;
  };

/** The invoices of Mollie to an organization, and the sales invoices of the organization; lists in HAL with addresses of pages. */
export const fake: FakeDeclaration = {
  description: 'mollie.reduced.openapi.json',
  base: '',
  key: {
    create: () => `access_${randomBytes(20).toString('hex')}`,
    fields: (key) => ({ access_token: key }),
    of: bearer,
  },
  step2: () => ({ kinds: ['invoice', 'received'] }),
  document(n, day) {
    if (n % 3 === 0) {
      const id = `inv_${n}abc`;
      const same = { resource: 'invoice', id, reference: `2026.${n}`, vatNumber: 'DE123456789', status: 'paid' };
      const amounts = { netAmount: money('10.00'), vatAmount: money('0.00'), grossAmount: money('10.00') };
      return {
        list: 'invoices',
        id,
        record: { ...same, ...amounts, lines: [], issuedAt: day, paidAt: day, dueAt: null },
      };
    }
    const id = `invoice_${n}abc`;
    const record = {
      resource: 'sales-invoice',
      id,
      mode: 'live',
      invoiceNumber: `INV-${n}`,
      status: 'issued',
      subtotalAmount: money('100.00'),
      discountedSubtotalAmount: money('90.00'),
      totalVatAmount: money('18.90'),
      totalAmount: money('108.90'),
      amountDue: money('108.90'),
      createdAt: `${day}T08:00:00+00:00`,
      issuedAt: `${day}T10:47:38+00:00`,
      paidAt: null,
      dueAt: `${day}T10:47:38+00:00`,
    };
    return { list: 'sales-invoices', id, record };
  },
  others(account) {
    const { list, record } = this.document(1, '2026-01-31', account);
    const draft = { id: 'invoice_draft', status: 'draft', invoiceNumber: null, issuedAt: null };
    account.put({ list, id: draft.id, record: { ...record, ...draft } });
  },
  routes: {
    'GET /v2/organizations/me': ({ account: { number }, url }) => {
      const organization = { resource: 'organization', id: `org_${number}`, name: 'Müller & Söhne', locale: 'de_DE' };
      return { json: { ...organization, email: 'a@example.com', _links: { self: link(url) } } };
    },
    'GET /v2/invoices': (call) => {
      const entries = call.account.of('invoices');
      return listed(call, 'invoices', call.query.get('sort') === 'asc' ? entries : entries.toReversed());
    },
    'GET /v2/invoices/{id}': single('invoices'),
    'GET /v2/sales-invoices': (call) => listed(call, 'sales-invoices', call.account.of('sales-invoices').toReversed()),
    'GET /v2/sales-invoices/{id}': single('sales-invoices'),
  },
};
