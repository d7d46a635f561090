import { randomBytes, randomUUID } from 'node:crypto';
import { bearer, type FakeDeclaration, NOT_FOUND } from '../described/declaration';

/** The invoices of a Telnyx account, the newest first unless they are asked for by period. */
export const fake: FakeDeclaration = {
  description: 'telnyx-billing.openapi.json',
  base: '/v2',
  key: {
    create: () => `KEY${randomBytes(20).toString('hex')}`,
    fields: (key) => ({ api_key: key }),
    of: bearer,
  },
  document(_, day) {
    const id = randomUUID();
    const record = { invoice_id: id, file_id: randomUUID(), period_start: day, period_end: day, paid: true };
    return { list: 'invoices', id, record };
  },
  routes: {
    'GET /invoices': ({ account, query, page }) => {
      const all = account.of('invoices');
      const { entries, number, size, total, pages } = page(
        query.get('sort') === 'period_start' ? all : all.toReversed(),
        {
          number: 'page[number]',
          size: 'page[size]',
          standard: 20,
          largest: 250,
        },
      );
      const meta = { page_number: number, page_size: size, total_pages: pages, total_results: total };
      return { json: { data: entries.map(({ record }) => record), meta } };
    },
    'GET /invoices/{id}': ({ account, params, query, fileUrl }) => {
      const entry = account.find('invoices', params['id']);
      if (!entry) return NOT_FOUND;
      const link = query.get('action') === 'link' ? { download_url: fileUrl(entry) } : {};
      return { json: { data: { ...entry.record, ...link } } };
    },
  },
};
