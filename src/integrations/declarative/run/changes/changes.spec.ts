import { useDeclaredProvider } from '../../../../../test/harness/declarative/declared-provider';
import { rejectionOf } from '../../../../../test/harness/rejection-of';
import { CursorInvalid } from '../../../core/source-errors';

const provider = useDeclaredProvider();
const invoices = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: from + n, ...more }));
const ids = (from: number, to: number) => invoices(from, to).map(({ id }) => String(id));
const LIST = 'streams.invoice.list';
const CHANGES = 'streams.invoice.changes';
const asked = (name: string) => provider.server.requests.map(({ query }) => query.get(name));

describe('A strategy for changes', () => {
  it('snapshot lists everything, only the recent part in between, and everything again when it is due', async () => {
    const integration = provider.declare({
      [`${LIST}.query`]: { from: '{$since | day}' },
      [CHANGES]: { strategy: 'snapshot', recent: '10d', every: '1d' },
    });
    provider.server.answer = () => ({ body: { data: invoices(1, 2) } });
    const first = await provider.listed(integration);
    expect(first.ids).toEqual(ids(1, 2));
    provider.now = new Date('2026-11-20T16:00:00Z');
    const second = await provider.listed(integration, first.cursor);
    expect(second.ids).toEqual([]);
    provider.now = new Date('2026-11-21T11:00:00Z');
    await provider.listed(integration, second.cursor);
    expect(asked('from')).toEqual([null, '2026-11-10', null]);
  });

  it('updated_since continues from the latest change by the clock of the provider, with an overlap', async () => {
    const integration = provider.declare({
      [`${LIST}.query`]: { since: '{$since | iso}' },
      [CHANGES]: { strategy: 'updated_since', at: 'updated', overlap: '1h', sorted: true, recheck: '7d' },
    });
    const all = [
      { id: 1, updated: '2026-11-18T08:00:00Z' },
      { id: 2, updated: '2026-11-19T09:00:00+01:00' },
    ];
    provider.server.answer = () => ({ body: { data: all } });
    const first = await provider.listed(integration);
    all.push({ id: 3, updated: '2026-11-20T09:00:00Z' });
    const second = await provider.listed(integration, first.cursor);
    expect([...first.ids, ...second.ids]).toEqual(ids(1, 3));
    provider.now = new Date('2026-11-28T10:00:00Z');
    await provider.listed(integration, second.cursor);
    await provider.listed(integration, null, { startdate: '2026-11-01' });
    expect(asked('since')).toEqual([null, '2026-11-19T07:00:00Z', null, '2026-09-01T23:00:00Z']);
  });

  it('updated_since searches again where the provider returns only the beginning', async () => {
    const all = Array.from({ length: 25 }, (_, n) => ({ id: n + 1, updated: 1_760_000_000 + n * 100 }));
    const integration = provider.declare({
      [LIST]: {
        get: '/invoices',
        items: 'data',
        query: { since: '{$since}', page: '{$page}' },
        page: { style: 'number', size: 5 },
        ceiling: 10,
      },
      [CHANGES]: { strategy: 'updated_since', at: 'updated', overlap: '100s', sorted: true },
    });
    provider.server.answer = ({ query }) => {
      const found = all.filter(({ updated }) => updated >= Number(query.get('since') ?? 0)).slice(0, 10);
      const page = Number(query.get('page'));
      return { body: { data: found.slice((page - 1) * 5, page * 5) } };
    };
    expect(new Set((await provider.listed(integration)).ids)).toEqual(new Set(ids(1, 25)));
  });

  it('months lists each month, and the latest ones again', async () => {
    const integration = provider.declare({
      [`${LIST}.query`]: { month: '{$month}', y: '{$year}', m: '{$month_number}' },
      [CHANGES]: { strategy: 'months', from: '2026-08', recheck: 2 },
    });
    provider.server.answer = ({ query }) => ({ body: { data: [{ id: query.get('month') }] } });
    const first = await provider.listed(integration);
    expect(first.ids).toEqual(['2026-08', '2026-09', '2026-10', '2026-11']);
    expect(asked('m')).toEqual(['8', '9', '10', '11']);
    provider.server.requests.splice(0);
    provider.now = new Date('2026-12-01T10:00:00Z');
    expect((await provider.listed(integration, first.cursor)).ids).toEqual(['2026-12']);
    expect(asked('month')).toEqual(['2026-10', '2026-11', '2026-12']);
    provider.server.requests.splice(0);
    await provider.listed(integration, null, { startdate: '2026-11-15' });
    expect(asked('month')).toEqual(['2026-10', '2026-11', '2026-12']);
  });

  it('months lists a month with drafts again until they are ready, however long that takes', async () => {
    const integration = provider.declare({
      [`${LIST}.query`]: { month: '{$month}' },
      [CHANGES]: { strategy: 'months', from: '2026-07', recheck: 1 },
      'streams.invoice.ready': 'status!=draft',
    });
    const draft = { id: 'late', status: 'draft' };
    provider.server.answer = ({ query }) => ({
      body: { data: [{ id: query.get('month') }, ...(query.get('month') === '2026-08' ? [draft] : [])] },
    });
    const first = await provider.listed(integration);
    expect(first.ids).toEqual(['2026-07', '2026-08', '2026-09', '2026-10', '2026-11']);
    const second = await provider.listed(integration, first.cursor);
    draft.status = 'open';
    provider.server.requests.splice(0);
    const third = await provider.listed(integration, second.cursor);
    await provider.listed(integration, third.cursor);
    expect([second.ids, third.ids]).toEqual([[], ['late']]);
    expect(asked('month')).toEqual(['2026-08', '2026-11', '2026-11']);
  });

  it.each([
    ['snapshot', { strategy: 'snapshot' }, {}],
    ['snapshot with overlapping pages', { strategy: 'snapshot' }, { checked: true }],
    ['months', { strategy: 'months', from: '2026-11', recheck: 1 }, {}],
    ['cursor', { strategy: 'cursor' }, {}],
  ])('%s reports a list that is longer than the provider returns, after its documents', async (_, changes, more) => {
    const integration = provider.declare({
      [LIST]: {
        get: '/invoices',
        items: 'data',
        query: { offset: '{$offset}', limit: '{$size}' },
        page: { style: 'offset', size: 3, ...more },
        ceiling: 6,
      },
      [CHANGES]: changes,
    });
    const existing = invoices(1, 9);
    provider.server.answer = ({ query }) => {
      const from = Number(query.get('offset'));
      return { body: { data: existing.slice(0, 6).slice(from, from + 3) } };
    };
    const found: string[] = [];
    const list = async () => {
      for await (const { documents } of integration.list(provider.session(integration), null, null))
        found.push(...documents.map(({ dedupeKey }) => dedupeKey));
    };
    expect(String(await rejectionOf(list()))).toContain('lists only 6 records (invoice)');
    expect(found).toEqual(ids(1, 6));
    existing.splice(5);
    expect((await provider.listed(integration)).ids).toEqual(ids(1, 5));
  });

  it('cursor continues the list of events, and starts again when the provider no longer knows the cursor', async () => {
    const integration = provider.declare({
      [LIST]: {
        get: '/events',
        items: 'events',
        query: { after: '{$cursor}' },
        page: { style: 'cursor', value: 'next', more: 'more' },
      },
      [CHANGES]: { strategy: 'cursor' },
      'streams.invoice.id': 'invoice.id',
      errors: { rules: [{ status: 410, is: 'cursor_invalid' }] },
    });
    provider.server.answer = () => ({ body: { events: [{ invoice: { id: 1 } }], next: 'c1', more: false } });
    const first = await provider.listed(integration);
    provider.server.answer = () => ({ body: { events: [{ invoice: { id: 2 } }], next: 'c2', more: false } });
    const second = await provider.listed(integration, first.cursor);
    expect([first.ids, second.ids, asked('after')]).toEqual([['1'], ['2'], [null, 'c1']]);
    provider.server.answer = () => ({ status: 410 });
    expect(await rejectionOf(provider.listed(integration, second.cursor))).toBeInstanceOf(CursorInvalid);
  });
});
