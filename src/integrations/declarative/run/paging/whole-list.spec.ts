import { useDeclaredProvider } from '../../../../../test/harness/declarative/declared-provider';

const provider = useDeclaredProvider();
const OF = { get: '/exports', items: 'exports', at: 'made', skip: 'status=running' };
const LISTS = {
  'streams.invoice.list': {
    of: OF,
    get: '/exports/{$parent.id}/{$parent.kind}',
    query: { page: '{$page}' },
    items: 'data',
    page: { style: 'number', size: 2 },
  },
  'streams.invoice.changes': { strategy: 'snapshot', recent: '10d', every: '30d' },
};
const paths = () => provider.server.requests.splice(0).map(({ path }) => path);
const EXPORTS = [
  { id: 'old', kind: 'postings', made: '2026-10-01T10:00:00Z' },
  { id: 'new', kind: 'postings', made: '2026-11-15T10:00:00Z' },
  { id: 'undated', kind: 'bookings' },
];

describe('A list that belongs to the records of another one', () => {
  it('is read for each of them, with its values and all of its pages', async () => {
    provider.server.answer = ({ path, query }) => {
      if (path === '/exports') return { body: { exports: EXPORTS } };
      const ids = path === '/exports/new/postings' ? ['a', 'b', 'c'] : [`of ${path.split('/')[2]}`];
      const page = Number(query.get('page'));
      return { body: { data: ids.slice((page - 1) * 2, page * 2).map((id) => ({ id })) } };
    };
    const { ids } = await provider.listed(provider.declare(LISTS));
    expect(ids).toEqual(['of old', 'a', 'b', 'c', 'of undated']);
    expect(paths()).toEqual([
      '/exports',
      '/exports/old/postings',
      '/exports/new/postings',
      '/exports/new/postings',
      '/exports/undated/bookings',
    ]);
  });

  it('has the record that it belongs to as a member of its records', async () => {
    const integration = provider.declare({
      ...LISTS,
      'streams.invoice.list.of': { ...OF, as: 'export' },
      'streams.invoice.metadata': { number: 'export.id', date: 'export.made' },
    });
    provider.server.answer = ({ path }) => ({
      body: path === '/exports' ? { exports: EXPORTS } : { data: [{ id: path }] },
    });
    const { documents } = await provider.listed(integration);
    expect(documents.map(({ metadata: { number, date } }) => [number, date])).toEqual([
      ['old', '2026-10-01'],
      ['new', '2026-11-15'],
      ['undated', undefined],
    ]);
  });

  it('is read again for the recent ones and those that were skipped, and for all when that is due', async () => {
    const integration = provider.declare(LISTS);
    const status = { new: 'running' };
    provider.server.answer = ({ path }) =>
      path === '/exports'
        ? { body: { exports: EXPORTS.map((each) => ({ ...each, ...(each.id === 'new' && { status: status.new }) })) } }
        : { body: { data: [{ id: path }] } };
    const first = await provider.listed(integration);
    expect(first.ids).toEqual(['/exports/old/postings', '/exports/undated/bookings']);
    paths();
    status.new = 'done';
    const second = await provider.listed(integration, first.cursor);
    expect(second.ids).toEqual(['/exports/new/postings']);
    expect(paths()).toEqual(['/exports', '/exports/new/postings', '/exports/undated/bookings']);
    provider.now = new Date('2026-12-20T10:00:01Z');
    await provider.listed(integration, second.cursor);
    expect(paths()).toHaveLength(4);
  });

  it('is read as a whole the next time when the records of the other one have shifted', async () => {
    const integration = provider.declare({
      ...LISTS,
      'streams.invoice.list.of': {
        ...OF,
        query: { offset: '{$offset}' },
        page: { style: 'offset', size: 2, checked: true },
        skip: 'made',
      },
    });
    let count = 0;
    provider.server.answer = ({ query }) => {
      const some = [0, 1].map((n) => ({ id: query.get('offset') === '0' ? n : count++, made: '2026-11-15' }));
      return { body: { exports: count > 20 ? [] : some } };
    };
    const { cursor } = await provider.listed(integration);
    expect(cursor).toMatchObject({ invoice: { wholeAt: null } });
    provider.server.answer = () => ({ body: { exports: EXPORTS.slice(0, 1) } });
    const second = await provider.listed(integration, cursor);
    expect(second.cursor).toMatchObject({ invoice: { wholeAt: provider.now.toISOString() } });
  });

  it('shows missing permissions by the other one', async () => {
    const integration = provider.declare({ ...LISTS, 'account.readable': 1 });
    provider.server.answer = ({ path }) => (path === '/me' ? { body: { id: 7 } } : { body: { exports: EXPORTS } });
    expect(await integration.check(provider.session(integration))).toEqual({ id: '7', display: '7' });
    expect(paths()).toEqual(['/exports', '/me']);
  });
});
