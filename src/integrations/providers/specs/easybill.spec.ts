import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { InvalidCredentials } from '../../core/source-errors';

const easybill = useDeclaredFake('easybill');
const { sources } = easybill;

describe('The documents of an easybill account', () => {
  it('are invoices, credit notes and cancellations, with amounts in cents', async () => {
    const invoice = easybill.account.add('2026-03-01', {
      type: 'INVOICE',
      due_date: '2026-03-15',
      paid_amount: 1_900,
      order_number: 'B-7',
      service_date: { type: 'SERVICE', date_from: '2026-02-01', date_to: '2026-02-28' },
      customer_snapshot: {
        company_name: null,
        first_name: 'Anna',
        last_name: 'Müller',
        country: 'DE',
        vat_identifier: 'DE123456789',
        emails: ['anna@example.com'],
      },
      edited_at: '2026-03-01 11:54:10',
    });
    easybill.account.add('2026-03-02', { type: 'STORNO', amount: -11_900, amount_net: -10_000 });
    const paid = { amount: 500, amount_net: 500, paid_amount: 500, paid_at: '2026-03-04' };
    easybill.account.add('2026-03-03', { type: 'INVOICE', ...paid });
    const { documents } = await easybill.list();
    expect(documents[0]).toMatchObject({ externalId: invoice.id, documentType: 'invoice', filename: 'RE-0.pdf' });
    expect(documents[0]!.metadata).toEqual({
      number: 'RE-0',
      date: '2026-03-01',
      due_date: '2026-03-15',
      service_start: '2026-02-01',
      service_end: '2026-02-28',
      currency: 'EUR',
      amount: '119.00',
      amount_net: '100.00',
      amount_tax: '19.00',
      amount_due: '100.00',
      payment: { status: 'PARTIAL' },
      order_reference: 'B-7',
      customer: { name: 'Anna Müller', country: 'DE', vat_id: 'DE123456789', email: 'anna@example.com' },
      source: { kind: 'accounting', modified_at: '2026-03-01T10:54:10.000Z' },
    });
    expect(documents[1]).toMatchObject({
      documentType: 'credit_note',
      metadata: { amount: '119.00', amount_net: '100.00', amount_tax: '19.00' },
    });
    expect(documents[1]!.metadata.payment).toBeUndefined();
    expect(documents[2]!.metadata).toMatchObject({
      amount_due: '0.00',
      payment: { status: 'PAID', date: '2026-03-04' },
    });
    expect((await easybill.read(documents[0]!)).equals(invoice.content)).toBe(true);
  });

  it('are neither drafts nor other papers; a draft is found when it is finished, whatever its date', async () => {
    easybill.server.declaration.others!(easybill.account);
    const draft = easybill.account.add('2020-01-01', { is_draft: true });
    const first = await easybill.list();
    expect(first.keys).toEqual([]);
    draft.record['is_draft'] = false;
    const today = { cursor: first.cursor, known: [] };
    expect((await easybill.list(today)).keys).toEqual([]);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const cursor = { documents: { ...(first.cursor as { documents: object }).documents, wholeAt: yesterday } };
    expect((await easybill.list({ ...today, cursor })).keys).toEqual([draft.id]);
  });

  it('are listed from sixty days before the start date on, and only in the selected kinds', async () => {
    const invoice = easybill.account.add('2026-03-31', { type: 'INVOICE' });
    easybill.account.add('2026-03-30', { type: 'INVOICE' });
    easybill.account.add('2026-03-31', { type: 'CREDIT' });
    const { keys } = await easybill.list({ startdate: '2026-03-31', step2: { kinds: ['invoice'] } });
    expect(keys).toEqual([invoice.id]);
    expect(easybill.takeRequests()).toEqual([
      'GET /documents?type=INVOICE,CREDIT,STORNO,STORNO_CREDIT&is_draft=0&document_date=2026-01-29,2099-12-31&limit=1000&page=1',
    ]);
  });

  it('belong to the first administrator', async () => {
    expect(await easybill.check()).toEqual({ id: '71', display: 'Büro 1' });
    await expect(easybill.integration.check(sources.open({ fields: { api_key: 'wrong' } }))).rejects.toThrow(
      InvalidCredentials,
    );
  });
});
