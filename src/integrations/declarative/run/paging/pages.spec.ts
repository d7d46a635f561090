import { useDeclaredProvider } from '../../../../../test/harness/declarative/declared-provider';
import { rejectionOf } from '../../../../../test/harness/rejection-of';
import type { JsonRequest } from '../../../../../test/harness/declarative/json-server';
import { UnexpectedResponse } from '../../../core/source-errors';

const provider = useDeclaredProvider();
const invoices = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: from + n, ...more }));
const ids = (from: number, to: number) => invoices(from, to).map(({ id }) => String(id));
const LIST = 'streams.invoice.list';
const CHANGES = 'streams.invoice.changes';

describe('The pages of a list', () => {
  const slice = (from: number, size = 2) => invoices(1, 5).slice(from, from + size);
  const number = (request: JsonRequest, name: string) => Number(request.query.get(name));

  it.each([
    [
      'by number, until one is not full',
      { style: 'number', size: 2 },
      { p: '{$page}' },
      (r: JsonRequest) => ({ data: slice((number(r, 'p') - 1) * 2) }),
    ],
    [
      'by number from 0, until the last',
      { style: 'number', first: 0, size: 2, last: 'last' },
      { p: '{$page}' },
      (r: JsonRequest) => ({ data: slice(number(r, 'p') * 2), last: number(r, 'p') === 2 }),
    ],
    [
      'by number, with a count of pages',
      { style: 'number', size: 100, pages: 'meta.pages' },
      { p: '{$page}' },
      (r: JsonRequest) => ({ data: slice((number(r, 'p') - 1) * 2), meta: { pages: 3 } }),
    ],
    [
      'by offset, with a total',
      { style: 'offset', total: 'total' },
      { o: '{$offset}' },
      (r: JsonRequest) => ({ data: slice(number(r, 'o')), total: '5' }),
    ],
    [
      'by the last record',
      { style: 'after', more: 'more' },
      { a: '{$after}' },
      (r: JsonRequest) => ({ data: slice(number(r, 'a')), more: number(r, 'a') < 3 }),
    ],
    [
      'by a cursor in the answer',
      { style: 'cursor', value: 'meta.next' },
      { c: '{$cursor}' },
      (r: JsonRequest) => ({
        data: slice(number(r, 'c')),
        meta: { next: number(r, 'c') < 4 ? number(r, 'c') + 2 : null },
      }),
    ],
  ])('are read %s', async (_, page, query, body) => {
    const integration = provider.declare({ [LIST]: { get: '/invoices', items: 'data', query, page } });
    provider.server.answer = (request) => ({ body: body(request) });
    expect((await provider.listed(integration)).ids).toEqual(ids(1, 5));
    expect(provider.server.requests).toHaveLength(3);
  });

  it('are read from the address in the answer or in the header Link', async () => {
    const query = { size: '{$size}' };
    const next = provider.declare({
      [LIST]: { get: '/invoices', items: '.', query, page: { style: 'link', size: 2 } },
    });
    provider.server.answer = ({ path }) =>
      path === '/more'
        ? { body: invoices(3, 3) }
        : {
            body: invoices(1, 2),
            headers: { link: `<${provider.server.url}/first>; rel="prev", </more?x=1>; rel="next"` },
          };
    expect((await provider.listed(next)).ids).toEqual(ids(1, 3));
    expect(provider.server.requests[1]!.query.has('size')).toBe(false);

    const named = provider.declare({
      [LIST]: { get: '/invoices', items: 'data', page: { style: 'next', value: 'next' } },
    });
    provider.known.clear();
    provider.server.answer = ({ path }) => ({
      body: path === '/more' ? { data: invoices(3, 3) } : { data: invoices(1, 2), next: `${provider.server.url}/more` },
    });
    expect((await provider.listed(named)).ids).toEqual(ids(1, 3));
  });

  it('at the address of another server are refused, and no key is sent there', async () => {
    const integration = provider.declare({
      [LIST]: { get: '/invoices', items: 'data', page: { style: 'next', value: 'next' } },
    });
    provider.server.answer = () => ({ body: { data: invoices(1, 1), next: 'https://elsewhere.test/2' } });
    expect(await rejectionOf(provider.listed(integration))).toBeInstanceOf(UnexpectedResponse);
  });

  it('that are always the same are noticed', async () => {
    const integration = provider.declare({
      [LIST]: { get: '/invoices', items: 'data', page: { style: 'offset', size: 2 } },
    });
    provider.server.answer = () => ({ body: { data: invoices(1, 2) } });
    expect(String(await rejectionOf(provider.listed(integration)))).toContain('lists the same page again (invoice)');
  });

  it.each([
    ['of a snapshot', { strategy: 'snapshot' }, {}],
    ['of a snapshot with overlapping pages', { strategy: 'snapshot' }, { checked: true }],
    ['of changes', { strategy: 'updated_since', at: 'updated', overlap: '1h' }, {}],
  ])('%s end when the offset is ignored, also by several servers in turn', async (_, changes, more) => {
    const integration = provider.declare({
      [LIST]: { get: '/invoices', items: 'data', page: { style: 'offset', size: 2, ...more } },
      [CHANGES]: changes,
    });
    const answers = [invoices(1, 2), invoices(3, 4)] as const;
    for (const isSame of [true, false]) {
      provider.known.clear();
      provider.server.requests.splice(0);
      provider.server.answer = () => {
        const n = provider.server.requests.length;
        if (n > 20) return { status: 500 };
        return { body: { data: isSame ? answers[0] : answers[n % 2] } };
      };
      const error = await rejectionOf(provider.listed(integration));
      expect(error).toBeInstanceOf(UnexpectedResponse);
      expect(String(error)).toContain('lists the same page again (invoice)');
    }
  });

  it.each([{ strategy: 'snapshot' }, { strategy: 'updated_since', at: 'updated', overlap: '1h' }])(
    'that lead back to an earlier page are noticed ($strategy)',
    async (changes) => {
      const integration = provider.declare({
        [LIST]: { get: '/invoices', items: 'data', page: { style: 'next', value: 'next' } },
        [CHANGES]: changes,
      });
      let id = 0;
      provider.server.answer = ({ path }) => {
        if (id === 20) return { status: 500 };
        id += 1;
        return { body: { data: invoices(id, id), next: path === '/a' ? '/b' : '/a' } };
      };
      const error = await rejectionOf(provider.listed(integration));
      expect(error).toBeInstanceOf(UnexpectedResponse);
      expect(String(error)).toContain('leads back to an earlier page (invoice)');
    },
  );

  it('that are empty are followed by others when the provider says so', async () => {
    const page = { style: 'cursor', value: 'next', more: 'next' };
    const integration = provider.declare({
      [LIST]: { get: '/invoices', items: 'data', query: { after: '{$cursor}' }, page },
    });
    const pages = [invoices(1, 1), [], invoices(2, 2)];
    provider.server.answer = ({ query }) => {
      const n = Number(query.get('after') ?? 0);
      return { body: { data: pages[n], ...(n < 2 && { next: n + 1 }) } };
    };
    expect((await provider.listed(integration)).ids).toEqual(ids(1, 2));
    expect(provider.server.requests).toHaveLength(3);
  });

  it('of events may contain the same records again', async () => {
    const integration = provider.declare({
      [LIST]: {
        get: '/events',
        items: 'events',
        query: { after: '{$cursor}' },
        page: { style: 'cursor', value: 'next' },
      },
      [CHANGES]: { strategy: 'cursor' },
    });
    const pages = [invoices(1, 1), invoices(2, 2), invoices(1, 1), []];
    provider.server.answer = ({ query }) => {
      const n = Number(query.get('after') ?? 0);
      return { body: { events: pages[n], next: n + 1 } };
    };
    const { ids: found } = await provider.listed(integration);
    expect(new Set(found)).toEqual(new Set(['1', '2']));
    expect(provider.server.requests).toHaveLength(4);
  });

  it('are requested with a filter in JSON', async () => {
    const integration = provider.declare({
      'streams.invoice.list.query': {
        filter: [{ field: 'date', from: "{$since | day ?? '2000-01-01'}", to: '{$until}' }],
        sort: 'id',
      },
    });
    provider.server.answer = () => ({ body: { data: [] } });
    await provider.listed(integration);
    const { query } = provider.server.requests[0]!;
    expect(JSON.parse(query.get('filter')!)).toEqual([{ field: 'date', from: '2000-01-01' }]);
    expect(query.get('sort')).toBe('id');
  });

  it('are requested by a safe POST with a body', async () => {
    const body = { page: { number: '{$page}', size: '{$size}' }, filter: { since: '{$since}' }, kinds: ['a'] };
    const list = { post: '/invoices.list', safe: true, items: 'data', body, page: { style: 'number', size: 2 } };
    const integration = provider.declare({ [LIST]: list });
    provider.server.answer = () => ({ body: { data: invoices(1, 1) } });
    await provider.listed(integration);
    expect(provider.server.requests[0]).toMatchObject({
      method: 'POST',
      body: { page: { number: 1, size: 2 }, filter: {}, kinds: ['a'] },
    });
  });

  it('without records or ids are PROVIDER_CHANGED, with the path that is missing', async () => {
    const integration = provider.declare();
    provider.server.answer = () => ({ body: { items: [] } });
    const missing = await rejectionOf(provider.listed(integration));
    expect(missing).toBeInstanceOf(UnexpectedResponse);
    expect(missing).toMatchObject({ reason: 'PROVIDER_CHANGED', message: expect.stringContaining('"data"') });
    provider.server.answer = () => ({ body: { data: [{ number: 'x' }] } });
    expect(String(await rejectionOf(provider.listed(integration)))).toContain('without an id');
  });
});
