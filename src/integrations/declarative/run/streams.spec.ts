import { useDeclaredProvider } from '../../../../test/harness/connectors/declared-provider';

const provider = useDeclaredProvider();
const invoices = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: from + n, ...more }));
const ids = (from: number, to: number) => invoices(from, to).map(({ id }) => String(id));
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

  it.each(['file', 7])('has the only file that a record names: %j', async (file) => {
    const integration = provider.declare({
      'streams.invoice.children': { items: 'file', id: '.' },
      'streams.invoice.document': { get: '/files/{$child}' },
    });
    provider.server.answer = () => ({
      body: {
        data: [
          { id: 1, file },
          { id: 2, file: null },
        ],
      },
    });
    expect((await provider.listed(integration)).ids).toEqual([`1/${file}`]);
  });

  it('has only the attached files that are documents, e-invoices before what may be their renditions', async () => {
    const integration = provider.declare({
      'streams.invoice.children': { items: 'files', id: 'id', when: 'kind=pdf,xml', e_invoice: 'kind=xml' },
      'streams.invoice.document': { get: '/files/{$child}', format: 'any' },
    });
    const files = ['log', 'pdf', 'xml', 'pdf'].map((kind, n) => ({ id: n, kind }));
    provider.server.answer = () => ({
      body: {
        data: [
          { id: 1, files },
          { id: 2, files: files.slice(0, 2) },
        ],
      },
    });
    const { documents, ids: found } = await provider.listed(integration);
    expect(found).toEqual(['1/2', '1/1', '1/3', '2/1']);
    const [xml, first, second, other] = documents;
    expect([xml!.pictureOf, first!.pictureOf, second!.pictureOf, other!.pictureOf]).toEqual([
      undefined,
      [xml],
      [xml],
      undefined,
    ]);
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
