import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { DocumentUnavailable, PermissionMissing } from '../../core/source-errors';

const lexware = useDeclaredFake('lexware_office');
const ISSUED = { kinds: ['invoice'] };
const attachmentOf = (id: string) => `${id}/${id.replace('-100000', '-300000')}`;

describe('The documents of a Lexware Office organization', () => {
  it('are issued and received ones of every type, with their amounts', async () => {
    const entries = Array.from({ length: 6 }, (_, n) => lexware.account.add(`2026-03-0${n + 1}`));
    const [invoice, bill, credit, refund, advance, sale] = entries.map(({ id }) => id);
    const { documents } = await lexware.list();
    expect(documents.map(({ externalId, documentType }) => [externalId, documentType])).toEqual([
      [invoice, 'invoice'],
      [advance, 'invoice'],
      [credit, 'credit_note'],
      [attachmentOf(sale!), 'invoice'],
      [attachmentOf(bill!), 'invoice'],
      [attachmentOf(refund!), 'credit_note'],
    ]);
    const amounts = { number: 'RE-0', date: '2026-03-01', due_date: '2026-03-01', currency: 'EUR', amount: '119.00' };
    expect(documents[0]!.metadata).toEqual({
      ...amounts,
      amount_due: '119.00',
      payment: { status: 'OPEN' },
      customer: { name: 'Müller GmbH' },
      source: { kind: 'accounting', modified_at: '2026-03-01T09:00:00.000Z' },
    });
    expect(documents[4]!.metadata).toMatchObject({ number: 'RE-1', supplier: { name: 'Müller GmbH' } });
    expect(documents[5]!.metadata.amount_due).toBeUndefined();
    for (const { externalId } of documents) {
      const ref = documents.find((each) => each.externalId === externalId)!;
      const entry = entries.find(({ id }) => externalId!.startsWith(id))!;
      expect((await lexware.read(ref)).equals(entry.content)).toBe(true);
    }
  });

  it('are later those that have changed on the day of the last change or after it', async () => {
    const draft = lexware.account.add('2026-03-01', { voucherStatus: 'draft' });
    const first = await lexware.list({ step2: ISSUED });
    expect(first.keys).toEqual([]);
    Object.assign(draft.record, { voucherStatus: 'paid', updatedDate: '2026-03-05T08:00:00.000+01:00' });
    lexware.takeRequests();
    const { documents } = await lexware.listFrom(first, { step2: ISSUED });
    expect(documents).toMatchObject([{ externalId: draft.id, metadata: { payment: { status: 'PAID' } } }]);
    const list = (type: string, from = '') =>
      `GET /v1/voucherlist?voucherType=${type}&voucherStatus=any${from}&sort=updatedDate,ASC&size=250&page=0`;
    expect(lexware.takeRequests()).toEqual([
      list('invoice', '&updatedDateFrom=2026-02-28'),
      list('downpaymentinvoice'),
      list('salesinvoice,salescreditnote'),
    ]);
  });

  it('are all of them, although a search returns 10,000 at most', async () => {
    for (let n = 0; n < 10_300; n++) {
      const day = new Date(Date.UTC(2020, 0, 1 + Math.floor(n / 20))).toISOString().slice(0, 10);
      lexware.account.add(day, { voucherType: 'invoice' });
    }
    const { keys } = await lexware.list({ step2: ISSUED });
    expect(new Set(keys).size).toBe(10_300);
  });

  it('wait where their document is not there yet', async () => {
    lexware.account.add('2026-03-01');
    const { documents } = await lexware.list();
    lexware.server.fault = () => ({ status: 409, json: {} });
    await expect(lexware.read(documents[0]!)).rejects.toThrow(DocumentUnavailable);
  });

  it('need a contract with the API, and belong to the organization of the key', async () => {
    expect(await lexware.check()).toEqual({ id: '00000000-0000-4000-8000-900000000001', display: 'Läden GmbH' });
    lexware.server.fault = () => ({ status: 402, json: {} });
    await expect(lexware.check()).rejects.toThrow(PermissionMissing);
  });
});
