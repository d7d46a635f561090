import { useDeclaredProvider } from '../../../../test/harness/declarative/declared-provider';

const provider = useDeclaredProvider();
const LIST = 'streams.invoice.list';
const CHANGES = 'streams.invoice.changes';

describe('A stream', () => {
  it('returns a record when it is ready, however long that takes, and forgets a deleted one', async () => {
    const integration = provider.declare({
      [CHANGES]: { strategy: 'updated_since', at: 'updated', overlap: '1h' },
      [`${LIST}.query`]: { since: '{$since}' },
      'streams.invoice.ready': 'status!=draft',
      'streams.invoice.skip': 'status=template',
      'streams.invoice.record': { get: '/invoices/{$id}', item: 'invoice' },
    });
    const records = new Map(
      ['draft', 'open', 'draft', 'template'].map((status, n) => [String(n + 1), { id: n + 1, status, updated: n }]),
    );
    provider.server.answer = ({ path, query }) => {
      const id = path.split('/')[2];
      if (id === undefined) return { body: { data: query.has('since') ? [] : [...records.values()] } };
      return records.has(id) ? { body: { invoice: records.get(id) } } : { status: 404 };
    };
    const first = await provider.listed(integration);
    expect(first.ids).toEqual(['2']);
    records.get('1')!.status = 'open';
    records.delete('3');
    const second = await provider.listed(integration, first.cursor);
    expect(second.ids).toEqual(['1']);
    expect(second.cursor).toMatchObject({ invoice: { waiting: {} } });
  });

  it.each([
    ['of drafts', { 'streams.invoice.ready': 'status!=draft' }, { id: 1, status: 'draft', updated: 1 }],
    ['of ids', { 'streams.invoice.details': 'each' }, { id: 1 }],
  ])('%s returns a record after requests for it failed for a while', async (_, members, listedAs) => {
    const integration = provider.declare({
      [CHANGES]: { strategy: 'updated_since', at: 'updated', overlap: '1h' },
      [`${LIST}.query`]: { since: '{$since}' },
      'streams.invoice.record': { get: '/invoices/{$id}' },
      ...members,
      errors: { rules: [{ status: 409, of: 'document', is: 'not_ready' }] },
    });
    let isAvailable = false;
    provider.server.answer = ({ path, query }) => {
      if (path === '/invoices') return { body: { data: query.has('since') ? [] : [listedAs, { id: 2, updated: 9 }] } };
      if (path === '/invoices/1' && !isAvailable) return { status: 409 };
      return { body: { id: Number(path.split('/')[2]), status: 'open', updated: 9 } };
    };
    const first = await provider.listed(integration);
    const second = await provider.listed(integration, first.cursor);
    isAvailable = true;
    const third = await provider.listed(integration, second.cursor);
    expect([first.ids, second.ids, third.ids]).toEqual([['2'], [], ['1']]);
    expect(third.cursor).toMatchObject({ invoice: { waiting: {} } });
  });

  it.each([
    ['each', 'each', 3],
    ['several at a time', { post: '/batch', safe: true, body: { ids: '{$ids}' }, items: 'found', size: 2 }, 2],
  ])('of ids requests %s of the records that are not known', async (_, details, requests) => {
    const integration = provider.declare({
      'streams.invoice.id': 'id ?? .',
      'streams.invoice.record': { get: '/invoices/{$id}' },
      'streams.invoice.details': details,
    });
    provider.known.add('i-2');
    provider.server.answer = ({ path, body }) => {
      if (path === '/invoices') return { body: { data: ['i-1', 'i-2', 'i-3', 'i-4'] } };
      const one = (id: unknown) => ({ id, number: `N ${String(id)}` });
      if (path === '/batch') return { body: { found: (body as { ids: string[] }).ids.map(one) } };
      return { body: one(path.split('/')[2]) };
    };
    const { documents, ids: found } = await provider.listed(integration);
    expect(found).toEqual(['i-1', 'i-3', 'i-4']);
    expect(documents[0]!.metadata.number).toBe('N i-1');
    expect(provider.server.requests).toHaveLength(1 + requests);
  });

  it('whose ids may deliver other bytes compares the content of every revision', async () => {
    const integration = provider.declare({ 'streams.invoice.stable': false, 'streams.invoice.revision': 'version' });
    provider.server.answer = () => ({ body: { data: [{ id: 1, version: 3 }] } });
    expect((await provider.listed(integration)).documents[0]).toMatchObject({
      dedupeKey: '1@3',
      externalId: '1',
      isSameByContent: true,
    });
  });

  it('is listed for every selected value of a choice, each from its own position', async () => {
    const integration = provider.declare({
      choose: {
        company: {
          label: { en: 'Companies', de: 'Firmen' },
          multiple: true,
          get: '/companies',
          items: '.',
          value: 'id',
          text: 'name',
          children: { get: '/companies/{$parent}/units', items: '.', value: 'id', text: 'name' },
        },
      },
      'streams.invoice.per': 'company',
      [LIST]: { get: '/{$company}/invoices', items: 'data' },
    });
    provider.server.answer = ({ path }) => {
      if (path === '/companies')
        return {
          body: [
            { id: 'a b', name: 'A' },
            { id: 'c', name: 'C' },
          ],
        };
      if (path.endsWith('/units')) return { body: path.includes('/c/') ? [{ id: 'c1', name: 'C 1' }] : [] };
      return { body: { data: [{ id: 1 }] } };
    };
    const session = provider.session(integration);
    const [field] = await integration.step2!(session);
    expect(field).toMatchObject({
      id: 'company',
      type: 'tree',
      hasMore: true,
      options: [{ value: 'a b', label: 'A', hasChildren: true }, { value: 'c' }],
    });
    expect(await integration.options!(session, 'company', 'c')).toEqual([{ value: 'c1', label: 'C 1' }]);
    expect(await integration.resolve!(session, 'company', ['c1', 'none'])).toEqual([
      { value: 'c1', label: 'C 1' },
      null,
    ]);
    const { documents, cursor } = await provider.listed(integration, null, { step2: { company: ['a b', 'c'] } });
    expect(documents.map(({ dedupeKey }) => dedupeKey)).toEqual(['a b/1', 'c/1']);
    expect(Object.keys(cursor as object)).toEqual(['invoice/a b', 'invoice/c']);
    expect(provider.server.requests.at(-2)!.path).toBe('/a%20b/invoices');
  });
});
