import { useDeclaredProvider } from '../../../../test/harness/declarative/declared-provider';

const provider = useDeclaredProvider();

describe('A stream', () => {
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
    expect(found).toEqual(['1', '2', '3', '4']);
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
