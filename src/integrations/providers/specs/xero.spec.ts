import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const xero = useDeclaredFake('xero');
const SALES = { organization: ['00000000-0000-4000-8000-900000000001'], kinds: ['invoice'] };

describe('The documents of a Xero organization', () => {
  it('are sales invoices, bills and credit notes, with dates in milliseconds', async () => {
    const entries = [1, 2, 3, 4].map((n) => xero.account.add(`2026-03-0${n}`));
    const { documents } = await xero.list();
    const attachmentOf = (n: number) => `00000000-0000-4000-8000-30000000000${n}`;
    expect(documents.map(({ externalId, documentType, filename }) => [externalId, documentType, filename])).toEqual([
      [`Invoices/${entries[0]!.id}`, 'invoice', 'INV-0.pdf'],
      [`CreditNotes/${entries[1]!.id}`, 'credit_note', 'CN-1.pdf'],
      [`Invoices/${entries[2]!.id}/${attachmentOf(2)}`, 'invoice', 'Beleg.pdf'],
      [`CreditNotes/${entries[3]!.id}/${attachmentOf(3)}`, 'credit_note', 'Beleg.pdf'],
    ]);
    const amounts = { currency: 'GBP', amount: '120.00', amount_net: '100.00', amount_tax: '20.00' };
    expect(documents[0]!.metadata).toEqual({
      ...amounts,
      number: 'INV-0',
      date: '2026-03-01',
      due_date: '2026-03-01',
      amount_due: '120.00',
      payment: { status: 'OPEN' },
      customer: { name: 'Müller Ltd', tax_number: 'GB123456789' },
      source: { kind: 'accounting', modified_at: '2026-03-01T10:00:00.000Z' },
    });
    expect(documents[2]!.metadata).toMatchObject({ ...amounts, number: 'INV-2', supplier: { name: 'Müller Ltd' } });
    for (const [at, { content }] of entries.entries()) {
      expect((await xero.read(documents[at]!)).equals(content)).toBe(true);
    }
  });

  it('are later those that have changed, by the header', async () => {
    const draft = xero.account.add('2026-03-01', { Status: 'DRAFT' });
    const first = await xero.list({ step2: SALES });
    expect(first.keys).toEqual([]);
    Object.assign(draft.record, { Status: 'PAID', UpdatedDateUTC: '/Date(1772452800000+0000)/' });
    xero.server.requests.splice(0);
    const { documents } = await xero.listFrom(first, { step2: SALES });
    expect(documents).toMatchObject([{ metadata: { payment: { status: 'PAID' } } }]);
    expect(xero.server.requests[0]!.headers).toMatchObject({
      'if-modified-since': '2026-03-01T09:50:00Z',
      'xero-tenant-id': SALES.organization[0],
    });
    expect(xero.takeRequests()).toEqual([
      'GET /api.xro/2.0/Invoices?order=UpdatedDateUTC+ASC&page=1&pageSize=100&where=Type=="ACCREC"',
    ]);
  });

  it('belong to the first organization of the user', async () => {
    expect(await xero.check()).toEqual({ id: SALES.organization[0], display: 'Müller Ltd' });
  });
});
