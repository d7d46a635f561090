import { randomBytes, randomUUID } from 'node:crypto';
import { bearer, type FakeDeclaration, pdf } from '../described/declaration';

/** The invoices of a DigitalOcean team, the newest first, with a preview of the running month. */
export const fake: FakeDeclaration = {
  description: 'digitalocean-billing.openapi.json',
  base: '',
  key: {
    create: () => `dop_v1_${randomBytes(32).toString('hex')}`,
    fields: (key) => ({ api_token: key }),
    of: bearer,
  },
  document(n, day) {
    const id = randomUUID();
    const record = {
      invoice_uuid: id,
      invoice_id: String(700_000 + n),
      amount: '23.45',
      invoice_period: day.slice(0, 7),
    };
    return { list: 'invoices', id, record };
  },
  routes: {
    'GET /v2/account': ({ account: { number } }) => ({
      json: {
        account: {
          droplet_limit: 25,
          floating_ip_limit: 5,
          email: 'anna@example.com',
          uuid: `user${number}`,
          email_verified: true,
          status: 'active',
          status_message: '',
          team: { uuid: `team${number}`, name: 'Müller & Söhne' },
        },
      },
    }),
    'GET /v2/customers/my/invoices': ({ account, page, url }) => {
      const { entries, number, total, hasMore } = page(account.of('invoices').toReversed(), {
        number: 'page',
        size: 'per_page',
        standard: 20,
        largest: 200,
      });
      const next = `${url}/v2/customers/my/invoices?page=${number + 1}`;
      const invoice_preview = {
        invoice_uuid: 'preview',
        amount: '7.01',
        invoice_period: '2026-11',
        updated_at: '2026-11-20T06:31:50Z',
      };
      return {
        json: {
          invoices: entries.map(({ record }) => record),
          invoice_preview,
          links: { pages: hasMore ? { next, last: next } : {} },
          meta: { total },
        },
      };
    },
    'GET /v2/customers/my/invoices/{id}/pdf': ({ account, params }) => pdf(account.find('invoices', params['id'])),
  },
};
