import { randomUUID } from 'node:crypto';
import { bearer, type FakeDeclaration, pdf } from '../described/declaration';

const profileOf = (number: number): number => 14_000_000 + number;

/** The transfers of a Wise profile, the newest first; only sent ones have a receipt. */
export const fake: FakeDeclaration = {
  description: 'wise.openapi.json',
  base: '',
  key: {
    create: () => randomUUID(),
    fields: (key) => ({ api_token: key }),
    of: bearer,
  },
  step2: ({ number }) => ({ profile: [String(profileOf(number))] }),
  document(n, day) {
    const id = 16_000_000 + n;
    const target = { targetCurrency: 'GBP', targetValue: 150.5, targetAccount: 1 };
    const source = { sourceCurrency: 'EUR', sourceValue: 170, quote: null };
    const created = `${day} 10:47:49`;
    const record = {
      id,
      status: 'outgoing_payment_sent',
      created,
      ...source,
      ...target,
      details: { reference: `R-${n}` },
    };
    return { list: 'transfers', id: String(id), record };
  },
  others(account) {
    const { list, record } = this.document(0, '2026-01-31', account);
    account.put({ list, id: '1', record: { ...record, id: 1, status: 'incoming_payment_waiting' } });
  },
  routes: {
    'GET /v2/profiles': ({ account: { number } }) => ({
      json: [{ type: 'BUSINESS', id: profileOf(number), userId: number, fullName: 'Müller GmbH' }],
    }),
    'GET /v1/transfers': ({ account, query, page }) => {
      const since = Date.parse(query.get('createdDateStart') ?? '1970-01-01');
      const all = query.get('profile') === String(profileOf(account.number)) ? account.of('transfers') : [];
      const found = all.filter(({ record }) => Date.parse(`${String(record['created'])}Z`) >= since).toReversed();
      const { entries } = page(found, { offset: 'offset', size: 'limit', standard: 10, largest: 100 });
      return { json: entries.map(({ record }) => record) };
    },
    'GET /v1/transfers/{id}/receipt.pdf': ({ account, params }) => pdf(account.find('transfers', params['id'])),
  },
};
