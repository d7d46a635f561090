import { rejectionOf, useDeclaredProvider } from '../../../../test/harness/connectors/declared-provider';
import type { JsonRequest } from '../../../../test/harness/connectors/json-server';
import { CursorInvalid, UnexpectedResponse } from '../../core/source-errors';

const provider = useDeclaredProvider();
const invoices = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: from + n, ...more }));
const ids = (from: number, to: number) => invoices(from, to).map(({ id }) => String(id));
const LIST = 'streams.invoice.list';
const CHANGES = 'streams.invoice.changes';
const asked = (name: string) => provider.server.requests.map(({ query }) => query.get(name));

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

  it('has the files of a record: attachments, and renditions of an invoice', async () => {
    const attached = provider.declare({
      'streams.invoice.children': { get: '/invoices/{$id}/files', items: 'files', id: 'id', filename: 'name' },
      'streams.invoice.document': { get: '/files/{$child}', format: 'any' },
    });
    provider.server.answer = ({ path }) =>
      path === '/invoices'
        ? { body: { data: invoices(1, 1) } }
        : { body: { files: [{ id: 'a', name: 'Scan.png' }, { id: 'b' }] } };
    const files = await provider.listed(attached);
    expect(files.documents.map(({ externalId, filename }) => [externalId, filename])).toEqual([
      ['1/a', 'Scan.png'],
      ['1/b', '1 b'],
    ]);

    const both = provider.declare({
      'streams.invoice.document': [
        { name: 'xml', get: '/invoices/{$id}/xml', format: 'xml', when: 'e_invoice' },
        { name: 'pdf', get: '/invoices/{$id}/pdf', rendition_of: 'xml' },
      ],
    });
    provider.server.answer = () => ({
      body: {
        data: [
          { id: 1, number: 'R 1', e_invoice: true },
          { id: 2, e_invoice: false },
        ],
      },
    });
    const { documents } = await provider.listed(both);
    expect(documents.map(({ externalId, filename }) => [externalId, filename])).toEqual([
      ['1/xml', 'R 1.xml'],
      ['1/pdf', 'R 1.pdf'],
      ['2/pdf', '2.pdf'],
    ]);
    expect(documents[1]!.pictureOf).toEqual([documents[0]]);
    expect(documents[2]!.pictureOf).toBeUndefined();
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
      return { body: { data: invoices(1, 1) } };
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

  it('contains the selected kinds, by a value of the record, issued since the start date', async () => {
    const integration = provider.declare({
      'streams.invoice.type': { at: 'kind', values: { C: 'credit_note' }, else: 'invoice' },
      'streams.invoice.issued': ['date | day', 'created'],
    });
    const data = [
      { id: 1, date: '2026-09-30', created: '2026-09-30T21:59:59Z' },
      { id: 2, date: '2026-10-01' },
      { id: 3, date: '2026-09-01', created: '2026-09-30T22:00:00Z', kind: 'C' },
      { id: 4 },
    ];
    provider.server.answer = () => ({ body: { data } });
    const { documents } = await provider.listed(integration, null, { startdate: '2026-10-01' });
    expect(documents.map(({ externalId, documentType }) => [externalId, documentType])).toEqual([
      ['2', 'invoice'],
      ['3', 'credit_note'],
      ['4', 'invoice'],
    ]);
    provider.known.clear();
    expect((await provider.listed(integration, null, { step2: { kinds: ['credit_note'] } })).ids).toEqual(['3']);
  });

  it('with an implausible date is listed without it, as all others', async () => {
    const integration = provider.declare({
      'streams.invoice.issued': ['date', 'created'],
      'streams.invoice.metadata': { number: 'number', date: 'date', 'source.modified_at': 'date' },
    });
    const data = [1e300, 1_790_000_000_000_000, '999999999999', -1e14].map((date, n) => ({
      id: n + 1,
      number: 'R',
      date,
    }));
    provider.server.answer = () => ({
      body: { data: [...data, { id: 5, date: 1 }, { id: 6, date: 1e300, created: 1 }] },
    });
    const { documents, ids: found } = await provider.listed(integration, null, { startdate: '2026-10-01' });
    expect(found).toEqual(ids(1, 4));
    for (const { metadata } of documents) expect(metadata).toEqual({ number: 'R', source: { kind: 'accounting' } });
  });

  it('has metadata in its defined form, without amounts that would be misinterpreted', async () => {
    const integration = provider.declare({
      'streams.invoice.type': { at: 'kind', values: { C: 'credit_note' }, else: 'invoice' },
      'streams.invoice.let': { gross: 'foreign | nonzero ?? total' },
      'streams.invoice.metadata': {
        number: 'number',
        date: 'date',
        amount: '$gross',
        amount_net: 'net',
        currency: 'currency',
        'supplier.name': 'by',
        'supplier.country': 'at',
        'source.modified_at': 'changed',
      },
    });
    const data = [
      {
        id: 1,
        number: ' R 1 ',
        date: '2026-11-02T00:00:00+01:00',
        total: '119',
        foreign: '0',
        net: 100,
        currency: 'eur',
        by: 'Müller',
        at: 'Germany',
        changed: '2026-11-02T00:00:00+01:00',
      },
      { id: 2, kind: 'C', total: -5, currency: 'euro' },
      { id: 3, total: -5, net: -4 },
    ];
    provider.server.answer = () => ({ body: { data } });
    expect((await provider.listed(integration)).documents.map(({ metadata }) => metadata)).toEqual([
      {
        number: 'R 1',
        date: '2026-11-02',
        amount: '119.00',
        amount_net: '100.00',
        currency: 'EUR',
        supplier: { name: 'Müller' },
        source: { kind: 'accounting', modified_at: '2026-11-01T23:00:00.000Z' },
      },
      { amount: '5.00', source: { kind: 'accounting' } },
      { source: { kind: 'accounting' } },
    ]);
  });
});
