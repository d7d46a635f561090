import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const telnyx = useDeclaredFake('telnyx');

describe('The invoices of a Telnyx account', () => {
  it('have their period, and are downloaded at an address that is requested just before', async () => {
    const invoice = telnyx.account.add('2026-02-01', { period_end: '2026-02-28', paid: false });
    const { documents } = await telnyx.list();
    expect(documents).toMatchObject([{ externalId: invoice.id, documentType: 'invoice' }]);
    expect(documents[0]!.metadata).toEqual({
      service_start: '2026-02-01',
      service_end: '2026-02-28',
      payment: { status: 'OPEN' },
      source: { kind: 'portal' },
    });
    telnyx.takeRequests();
    expect((await telnyx.read(documents[0]!)).equals(invoice.content)).toBe(true);
    expect(telnyx.takeRequests()).toEqual([`GET /invoices/${invoice.id}?action=link`]);
    expect(telnyx.server.downloads).toHaveLength(1);
  });

  it('start with the period in which the start date is', async () => {
    telnyx.account.add('2026-02-01', { period_end: '2026-02-28' });
    const march = telnyx.account.add('2026-03-01', { period_end: '2026-03-31' });
    expect((await telnyx.list({ startdate: '2026-03-31' })).keys).toEqual([march.id]);
  });

  it('are listed in pages, the oldest first', async () => {
    for (let n = 0; n < 251; n++) telnyx.account.add('2026-03-01');
    expect((await telnyx.list()).keys).toHaveLength(251);
    expect(telnyx.takeRequests()).toEqual([
      'GET /invoices?sort=period_start&page[number]=1&page[size]=250',
      'GET /invoices?sort=period_start&page[number]=2&page[size]=250',
    ]);
  });

  it('belong to the account of the first invoice', async () => {
    const first = telnyx.account.add('2026-02-01');
    expect(await telnyx.check()).toEqual({ id: first.id, display: 'Telnyx' });
    telnyx.account.add('2026-03-01');
    expect(await telnyx.check()).toMatchObject({ id: first.id });
  });
});
