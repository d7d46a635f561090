import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const candis = useDeclaredFake('candis');
const RECEIVED = { organization: 'alpha-1', kinds: ['received'] };
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const EXPORTS = 'GET /v1/organizations/alpha-1/exports';

describe('The documents of a Candis organization', () => {
  it('are those of past exports, received and issued ones and receipts, with their amounts', async () => {
    const more = { dueDate: '2026-03-15T00:00:00Z', purchaseOrder: { orderNumber: 'PO-7' } };
    const received = candis.account.add('2026-03-01', more);
    const issued = candis.account.add('2026-03-02');
    const receipt = candis.account.add('2026-03-03');
    const { documents } = await candis.list();
    expect(documents.map(({ externalId, documentType, filename }) => [externalId, documentType, filename])).toEqual([
      [`${received.id}/file-0`, 'invoice', 'Beleg 0.pdf'],
      [`${receipt.id}/file-2`, 'receipt', 'Beleg 2.pdf'],
      [`${issued.id}/file-1`, 'invoice', 'Beleg 1.pdf'],
    ]);
    expect(documents[0]!.metadata).toEqual({
      number: 'RE-0',
      date: '2026-03-01',
      due_date: '2026-03-15',
      currency: 'EUR',
      amount: '119.00',
      order_reference: 'PO-7',
      supplier: { name: 'Müller GmbH' },
      source: { kind: 'accounting' },
    });
    expect(documents[1]!.metadata).toMatchObject({ number: 'RE-2', date: '2026-03-03' });
    expect(documents[2]!.metadata).toMatchObject({ number: 'RE-1', customer: { name: 'Müller GmbH' } });
    for (const [at, { content }] of [received, receipt, issued].entries())
      expect((await candis.read(documents[at]!)).equals(content)).toBe(true);
  });

  it('are an XRechnung and the PDF that shows it, without attachments', async () => {
    const { id, record } = candis.account.add('2026-03-01', { invoiceFormat: 'XRECHNUNG' });
    const [audit, invoice] = record['files'] as object[];
    const xml = { ...invoice, id: 'xml-0', name: 'Beleg 0.xml', type: 'XRECHNUNG' };
    record['files'] = [audit, invoice, xml, { ...invoice, id: 'attachment-0', type: 'ATTACHMENT' }];
    const { documents } = await candis.list();
    expect(documents.map(({ externalId }) => externalId)).toEqual([`${id}/xml-0`, `${id}/file-0`]);
    expect(documents[1]!.renditionOf).toEqual([documents[0]]);
  });

  it('are looked for in the exports of the last 60 days, and in all of them every week', async () => {
    for (let n = 0; n < 20; n++) candis.account.add(daysAgo(n < 10 ? 90 : 30));
    const first = await candis.list({ step2: RECEIVED });
    expect(first.keys).toHaveLength(13);
    candis.takeRequests();
    const added = candis.account.add(daysAgo(0));
    const second = await candis.listFrom(first, { step2: RECEIVED });
    expect(second.documents.map(({ externalId }) => externalId)).toEqual([`${added.id}/file-20`]);
    const postings = (n: number) => `${EXPORTS}/export-${n}/postings`;
    expect(candis.takeRequests()).toEqual([`${EXPORTS}?offset=0&limit=50`, postings(1), postings(2)]);
    const old = { ...(second.cursor as { received: object }).received, wholeAt: `${daysAgo(8)}T00:00:00Z` };
    await candis.list({ step2: RECEIVED, cursor: { 'received/alpha-1': old }, known: [...first.keys, ...second.keys] });
    expect(candis.takeRequests()).toHaveLength(4);
  });

  it('of an export that is not finished are fetched when it is', async () => {
    const posting = candis.server.declaration.document(0, daysAgo(1), candis.account);
    const running = candis.account.put({ ...posting, list: 'EXPORTING-1' });
    const first = await candis.list();
    expect(first.keys).toEqual([]);
    candis.account.remove(running);
    candis.account.put(posting);
    const { documents } = await candis.listFrom(first);
    expect(documents.map(({ externalId }) => externalId)).toEqual([`${posting.id}/file-0`]);
  });

  it('belong to the organization for which the user has authorized the service', async () => {
    expect(await candis.check()).toEqual({ id: 'alpha-1', display: 'Alpha GmbH' });
    expect(await candis.integration.options!(candis.sources.open(), 'organization')).toEqual([
      { value: 'alpha-1', label: 'Alpha GmbH' },
    ]);
  });
});
