import { randomBytes } from 'node:crypto';
import { type FakeDeclaration, NOT_FOUND } from '../described/declaration';

/** The user of Basic, which is the key; the password is empty. */
function keyOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const [, basic = ''] = /^Basic (.+)$/.exec(String(headers['authorization'])) ?? [];
  const [key, password] = Buffer.from(basic, 'base64').toString().split(':');
  return password === '' ? key : undefined;
}

/** The invoices of a Chargebee site; the PDFs are on another host. */
export const fake: FakeDeclaration = {
  description: 'chargebee-v1.openapi.json',
  base: '/api/v1',
  key: {
    create: () => `live_${randomBytes(16).toString('hex')}`,
    fields: (key, { number }) => ({ site: `acme-${number}`, api_key: key, time_zone: 'Europe/Berlin' }),
    of: keyOf,
  },
  document(n, day) {
    const id = `INV-${n}`;
    const at = Date.parse(`${day}T10:00:00Z`) / 1000;
    const amounts = { amount: 11_900, sub_total: 10_000, tax: 1_900, amount_due: 11_900, currency_code: 'EUR' };
    const kind = { customer_id: 'c1', recurring: true, price_type: 'tax_exclusive' };
    const invoice = { id, status: 'payment_due', start_date: at, end_date: at, ...amounts, ...kind };
    return { list: 'invoices', id, record: { invoice } };
  },
  others(account) {
    for (const status of ['pending', 'voided']) {
      const { list, record } = this.document(0, '2026-01-31', account);
      const id = `INV-${status}`;
      account.put({ list, id, record: { invoice: { ...(record['invoice'] as object), id, status } } });
    }
  },
  routes: {
    'GET /invoices': ({ account, query, largest }) => {
      const all = account.of('invoices');
      const [after] = JSON.parse(query.get('offset') ?? '[]') as string[];
      const start = all.findIndex(({ id }) => id === after) + 1;
      const end = start + Math.min(Number(query.get('limit') ?? 10), largest);
      const list = all.slice(start, end).map(({ record }) => record);
      const next_offset = JSON.stringify([all[end - 1]?.id]);
      return { json: { list, ...(end < all.length && { next_offset }) } };
    },
    'POST /invoices/{id}/pdf': ({ account, params, fileUrl }) => {
      const entry = account.find('invoices', params['id']);
      if (!entry) return NOT_FOUND;
      return { json: { download: { download_url: fileUrl(entry), valid_till: Math.ceil(Date.now() / 1000) + 3_600 } } };
    },
  },
};
