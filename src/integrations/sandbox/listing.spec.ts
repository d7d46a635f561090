import { idsOf, useSandbox } from '../../../test/harness/connectors/use-sandbox';

const portal = useSandbox();

describe('the listing of the sandbox', () => {
  it('shows an invoice, a credit note and an e-invoice by default, oldest first', async () => {
    const { documents, filteredBy, pages } = await portal.fetchAll(portal.session());
    expect([documents.length, filteredBy, pages.length]).toEqual([3, {}, 1]);
    expect(documents.map((d) => [d.metadata.date, d.documentType, d.filename])).toEqual([
      ['2025-12-29', 'invoice', 'RE-2025-00003.xml'],
      ['2025-12-30', 'credit_note', 'GS-2025-00002.pdf'],
      ['2025-12-31', 'invoice', 'RE-2025-00001.pdf'],
    ]);
    for (const { externalId, dedupeKey, metadata } of documents) {
      expect(externalId).toMatch(/^SBX-[0-9A-F]{8}-\d{5}$/);
      expect(dedupeKey).toBe(externalId);
      expect(metadata).toMatchObject({ currency: 'EUR', number: expect.any(String), supplier: { country: 'DE' } });
      expect(Number(metadata.amount)).toBeCloseTo(Number(metadata.amount_net) + Number(metadata.amount_tax), 5);
      expect(metadata.amount).toMatch(/^\d+\.\d\d$/);
    }
  });

  it('has the same documents for the same user, and others for another', async () => {
    const [first, second, other] = await Promise.all([
      portal.fetchAll(portal.session()),
      portal.fetchAll(portal.session({ user: ' Demo' })),
      portal.fetchAll(portal.session({ user: 'else' })),
    ]);
    expect(second.documents).toEqual(first.documents);
    expect(idsOf(other.documents).filter((id) => idsOf(first.documents).includes(id))).toEqual([]);
  });

  it('adds new documents, dated today, with every later fetch', async () => {
    const opened = portal.session({ new_per_fetch: 2 });
    const first = await portal.fetchAll(opened);
    portal.today = new Date('2026-11-21T08:00:00Z');
    const second = await portal.fetchAll(opened, first.cursor);
    portal.today = new Date('2026-11-22T08:00:00Z');
    const third = await portal.fetchAll(opened, second.cursor);
    expect(second.documents.map((d) => [d.externalId?.slice(-5), d.metadata.date])).toEqual([
      ['00004', '2026-11-21'],
      ['00005', '2026-11-21'],
    ]);
    expect(third.documents.map((d) => [d.externalId?.slice(-5), d.metadata.date])).toEqual([
      ['00006', '2026-11-22'],
      ['00007', '2026-11-22'],
    ]);
  });

  it('may have no initial and no new documents', async () => {
    const opened = portal.session({ documents: 0, new_per_fetch: 0 });
    const first = await portal.fetchAll(opened);
    const second = await portal.fetchAll(opened, first.cursor);
    expect([first.documents, second.documents, second.error]).toEqual([[], [], undefined]);
    expect(second.pages).toHaveLength(1);
  });

  it('excludes documents older than the start date, also when resuming', async () => {
    const opened = portal.session({ documents: 150 });
    const whole = await portal.fetchAll(opened, null, '2025-12-01');
    expect([whole.documents.length, whole.filteredBy]).toEqual([31, { BEFORE_STARTDATE: 119 }]);
    expect(whole.documents.map((d) => d.metadata.date).sort()[0]).toBe('2025-12-01');
    const rest = await portal.fetchAll(opened, whole.pages[0]!.cursor, '2025-12-01');
    expect([rest.documents.length, rest.filteredBy]).toEqual([31, { BEFORE_STARTDATE: 19 }]);
    const migrated = await portal.fetchAll(opened, null, '2026-11-20');
    expect(migrated.documents).toEqual([]);
    expect((await portal.fetchAll(opened, migrated.cursor, '2026-11-20')).documents).toHaveLength(1);
  });

  it('lists 10,000 documents in small pages and resumes from any of them', async () => {
    const opened = portal.session({ documents: 10_000 });
    const { documents, pages } = await portal.fetchAll(opened);
    expect(new Set(idsOf(documents)).size).toBe(10_000);
    expect(Math.max(...pages.map((page) => page.documents.length))).toBe(100);
    for (const at of [0, 41, 98]) {
      const rest = await portal.fetchAll(opened, pages[at]!.cursor);
      expect(idsOf(rest.documents)).toEqual(idsOf(documents.slice((at + 1) * 100)));
    }
  });
});
