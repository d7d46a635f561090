import { randomUUID } from 'node:crypto';
import { type FakeDeclaration, NOT_FOUND } from '../described/declaration';

const organizationOf = (number: number): string => `11111111-2222-3333-4444-${String(number).padStart(12, '0')}`;

/** The invoices of a Scaleway organization; amounts are units and billionths, downloads are base64 in JSON. */
export const fake: FakeDeclaration = {
  description: 'scaleway-billing.openapi.json',
  base: '',
  key: {
    create: () => randomUUID(),
    fields: (key, { number }) => ({ organization_id: organizationOf(number), secret_key: key }),
    of: (headers) => headers['x-auth-token'] as string | undefined,
  },
  step2: () => ({ kinds: ['invoice', 'credit_note'] }),
  document(n, day, { number }) {
    const money = (units: number, nanos = 0) => ({ currency_code: 'EUR', units, nanos });
    const id = randomUUID();
    const record = {
      id,
      organization_id: organizationOf(number),
      organization_name: 'Müller & Söhne GmbH',
      start_date: `${day.slice(0, 7)}-01T00:00:00Z`,
      stop_date: `${day}T00:00:00Z`,
      billing_period: `${day.slice(0, 7)}-01T00:00:00Z`,
      issued_date: `${day}T06:00:00Z`,
      due_date: `${day}T00:00:00Z`,
      total_untaxed: money(10, 500_000_000),
      total_tax: money(2, 100_000_000),
      total_taxed: money(12, 600_000_000),
      type: n % 3 ? 'periodic' : 'credit_note',
      state: 'paid',
      number: 5000 + n,
      seller_name: 'SCALEWAY SAS',
    };
    return { list: 'invoices', id, record };
  },
  others(account) {
    const { id, record } = this.document(99, '2026-01-31', account);
    account.put({ list: 'invoices', id, record: { ...record, issued_date: null } });
  },
  routes: {
    'GET /billing/v2beta1/invoices': ({ account, page, query }) => {
      const isOwn =
        query.get('organization_id') === null || query.get('organization_id') === organizationOf(account.number);
      const all = isOwn ? account.of('invoices') : [];
      const sorted = all.toSorted((a, b) =>
        String(a.record['start_date']).localeCompare(String(b.record['start_date'])),
      );
      const { entries, total } = page(query.get('order_by') === 'start_date_asc' ? sorted : sorted.toReversed(), {
        number: 'page',
        size: 'page_size',
        standard: 20,
        largest: 100,
        statesLength: false,
      });
      return { json: { total_count: total, invoices: entries.map(({ record }) => record) } };
    },
    'GET /billing/v2beta1/invoices/{id}/download': ({ account, params }) => {
      const entry = account.find('invoices', params['id']);
      if (!entry) return NOT_FOUND;
      const content = entry.content.toString('base64');
      return { json: { name: `scaleway-${entry.id}.pdf`, content_type: 'application/pdf', content } };
    },
  },
};
