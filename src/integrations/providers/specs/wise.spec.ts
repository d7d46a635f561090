import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const wise = useDeclaredFake('wise');

describe('The receipts of a Wise profile', () => {
  it('are those of sent transfers', async () => {
    wise.server.declaration.others!(wise.account);
    const sent = wise.account.add('2026-03-01');
    const { documents } = await wise.list();
    expect(documents).toMatchObject([{ externalId: sent.id, documentType: 'receipt' }]);
    expect(documents[0]!.metadata).toEqual({
      date: '2026-03-01',
      currency: 'GBP',
      amount: '150.50',
      order_reference: 'R-0',
      source: { kind: 'portal' },
    });
    expect((await wise.read(documents[0]!)).equals(sent.content)).toBe(true);
  });

  it('are fetched when the money is sent, however short the pages are', async () => {
    wise.server.largestPage = 7;
    for (let n = 0; n < 20; n++) wise.account.add('2026-03-01');
    const waiting = wise.account.add(new Date().toISOString().slice(0, 10), { status: 'processing' });
    const first = await wise.list();
    expect(first.keys).toHaveLength(20);
    waiting.record['status'] = 'outgoing_payment_sent';
    wise.takeRequests();
    expect((await wise.listFrom(first)).documents).toMatchObject([{ externalId: waiting.id }]);
    expect(wise.takeRequests()).toEqual([
      expect.stringMatching(/^GET \/v1\/transfers\?profile=14000001&createdDateStart=.*Z&limit=100&offset=0$/),
      expect.stringMatching(/&offset=1$/),
    ]);
  });

  it('start with the start date, and belong to the user', async () => {
    wise.account.add('2026-03-30');
    const later = wise.account.add('2026-04-01');
    expect((await wise.list({ startdate: '2026-04-01' })).documents).toMatchObject([{ externalId: later.id }]);
    expect(await wise.check()).toEqual({ id: '1', display: 'Müller GmbH' });
  });
});
