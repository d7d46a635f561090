import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const qonto = useDeclaredFake('qonto');
const RECEIVED = { kinds: ['received'] };

describe('The documents of a Qonto organization', () => {
  it('are account statements, received invoices and issued ones', async () => {
    const entries = Array.from({ length: 3 }, () => qonto.account.add('2026-02-10'));
    const { documents } = await qonto.list();
    expect(documents.map(({ externalId, documentType, filename }) => [externalId, documentType, filename])).toEqual([
      ['statements/statements-2', 'bank_statement', 'statements-2.pdf'],
      ['supplier_invoices/supplier_invoices-0/file-0', 'invoice', 'Beleg 0.pdf'],
      ['client_invoices/client_invoices-1/file-1', 'invoice', 'A-1.pdf'],
    ]);
    const source = { kind: 'portal', modified_at: '2026-02-10T10:00:00.000Z' };
    const amounts = { date: '2026-02-10', due_date: '2026-02-10', currency: 'EUR', amount: '119.00' };
    expect(documents[0]!.metadata).toEqual({
      date: '2026-02-28',
      service_start: '2026-02-01',
      service_end: '2026-02-28',
      source: { kind: 'portal' },
    });
    expect(documents[1]!.metadata).toEqual({
      ...amounts,
      number: 'E-0',
      payment: { status: 'OPEN' },
      supplier: { name: 'Müller GmbH' },
      source,
    });
    expect(documents[2]!.metadata).toMatchObject({ ...amounts, number: 'A-1', customer: { name: 'Läden' } });
    qonto.takeRequests();
    for (const [at, n] of [2, 0, 1].entries())
      expect((await qonto.read(documents[at]!)).equals(entries[n]!.content)).toBe(true);
    expect(qonto.takeRequests()).toEqual([
      'GET /statements/statements-2',
      'GET /attachments/file-0',
      'GET /attachments/file-1',
    ]);
    expect(qonto.server.downloads).toHaveLength(3);
  });

  it('are later those that have changed, as soon as they have a file', async () => {
    const invoice = qonto.account.add('2026-03-01', { attachment_id: null });
    const first = await qonto.list({ step2: RECEIVED });
    expect(first.keys).toEqual([]);
    Object.assign(invoice.record, { attachment_id: 'late', updated_at: '2026-03-02T10:00:00.000Z' });
    qonto.takeRequests();
    expect((await qonto.listFrom(first, { step2: RECEIVED })).keys).toEqual([`supplier_invoices/${invoice.id}/late`]);
    expect(qonto.takeRequests()).toEqual([
      'GET /supplier_invoices?filter[updated_at_from]=2026-03-01T09:00:00Z&per_page=100&page=1',
    ]);
  });

  it('are statements since the month of the start date', async () => {
    for (const day of ['2026-01-01', '2026-01-01', '2026-01-10', '2026-01-01', '2026-01-01', '2026-02-10'])
      qonto.account.add(day);
    const step2 = { kinds: ['bank_statement'] };
    expect((await qonto.list({ step2, startdate: '2026-02-01' })).keys).toEqual(['statements/statements-5']);
    expect((await qonto.list({ step2, startdate: '2026-01-31' })).keys).toHaveLength(2);
  });

  it('belong to the organization of the key', async () => {
    expect(await qonto.check()).toEqual({ id: 'muster-gmbh-1', display: 'Muster GmbH' });
  });
});
