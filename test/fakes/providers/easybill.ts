import { randomBytes } from 'node:crypto';
import { bearer, type FakeDeclaration, type NewEntry, pdf } from '../described/declaration';
import type { Entry } from '../described/fake-account';

const entry = (number: number, record: Readonly<Record<string, unknown>>): NewEntry => ({
  list: 'documents',
  id: String(number),
  record: { id: number, ...record },
});

/** The documents of an easybill account, of all types in one list, in no particular order. */
export const fake: FakeDeclaration = {
  description: 'easybill.swagger.json',
  base: '/rest/v1',
  key: {
    create: () => randomBytes(24).toString('hex'),
    fields: (key) => ({ api_key: key }),
    of: bearer,
  },
  step2: () => ({ kinds: ['invoice', 'credit_note'] }),
  document: (n, day) =>
    entry(1000 + n, {
      type: n % 3 ? 'INVOICE' : 'CREDIT',
      number: `RE-${n}`,
      document_date: day,
      is_draft: false,
      currency: 'EUR',
      amount: 11_900,
      amount_net: 10_000,
      paid_amount: 0,
      paid_at: null,
    }),
  others(account) {
    account.put(entry(1, { type: 'OFFER', number: 'AN-1', document_date: '2026-01-01', is_draft: false }));
    account.put(entry(2, { type: 'INVOICE', number: null, document_date: '2026-01-01', is_draft: true }));
  },
  routes: {
    'GET /logins': ({ account: { number } }) => {
      const login = { id: 70 + number, display_name: `Büro ${number}`, email: 'a@example.com', login_type: 'ADMIN' };
      const assistant = { ...login, id: 60 + number, display_name: 'Bernd', login_type: 'ASSISTANT' };
      return { json: { page: 1, pages: 1, limit: 1000, total: 2, items: [assistant, login] } };
    },
    'GET /documents': ({ account, query, page }) => {
      const [from = '', to = from] = (query.get('document_date') ?? '0000-00-00,9999-99-99').split(',');
      const types = query.get('type')?.split(',');
      const isAsked = ({ record }: Entry) =>
        (types?.includes(String(record['type'])) ?? true) &&
        String(record['document_date']) >= from &&
        String(record['document_date']) <= to &&
        (query.get('is_draft') ?? String(Number(record['is_draft']))) === String(Number(record['is_draft']));
      const found = page(account.of('documents').filter(isAsked), {
        number: 'page',
        size: 'limit',
        standard: 100,
        largest: 1000,
      });
      const { entries, number, size, total, pages } = found;
      return { json: { page: number, pages, limit: size, total, items: entries.map(({ record }) => record) } };
    },
    'GET /documents/{id}/pdf': ({ account, params }) => pdf(account.find('documents', params['id'])),
  },
};
