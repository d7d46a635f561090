import { randomBytes } from 'node:crypto';
import { bearer, type FakeDeclaration, NOT_FOUND } from '../described/declaration';

const uuid = (kind: number, n: number): string => `00000000-0000-4000-8000-${kind}${String(n).padStart(11, '0')}`;

/** The uploads of a Bokio company, the newest first. */
export const fake: FakeDeclaration = {
  description: 'bokio.openapi.json',
  base: '/v1',
  key: {
    create: () => randomBytes(32).toString('base64url'),
    fields: (key, { number }) => ({ company_id: uuid(9, number), api_token: key }),
    of: bearer,
  },
  document(n, day) {
    const id = uuid(1, n);
    const createdAt = `${day}T10:00:00Z`;
    return {
      list: 'uploads',
      id,
      record: { id, fileName: `Beleg ${n}.pdf`, contentType: 'application/pdf', createdAt },
    };
  },
  routes: {
    'GET /companies/{company}': ({ account: { number }, params }) =>
      params['company'] === uuid(9, number) ? { json: { id: uuid(9, number), name: 'Müller AB' } } : NOT_FOUND,
    'GET /companies/{company}/uploads': ({ account, params, page }) => {
      const isOwn = params['company'] === uuid(9, account.number);
      const { entries, number, size, total, pages } = page(isOwn ? account.of('uploads').toReversed() : [], {
        number: 'page',
        size: 'pageSize',
        standard: 50,
        largest: 100,
      });
      const pagination = { page: number, pageSize: size, totalPages: pages, totalCount: total };
      return { json: { data: entries.map(({ record }) => record), pagination } };
    },
    'GET /companies/{company}/uploads/{id}/download': ({ account, params }) => {
      const entry = account.find('uploads', params['id']);
      return entry ? { file: entry.content, type: 'application/octet-stream' } : NOT_FOUND;
    },
  },
};
