import { rejectionOf } from '../../../../test/harness/rejection-of';
import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import {
  DocumentUnavailable,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  Transient,
} from '../../core/source-errors';

const aws = useDeclaredFake('aws');

const today = new Date().toISOString().slice(0, 10);
const checkWith = (fields: Readonly<Record<string, unknown>>) =>
  aws.integration.check(aws.sources.open({ fields: { ...aws.sources.open().fields, ...fields } }));

describe('The invoices of an AWS account', () => {
  it('have their billing period and the amounts in the currency of the payment', async () => {
    const invoice = aws.account.add('2026-02-28');
    aws.account.add('2026-03-01', { InvoiceType: 'CREDIT_MEMO', OriginalInvoiceId: invoice.id });
    aws.account.add('2026-03-02', { InvoiceType: 'PAYMENT_RECEIPT', PaymentCurrencyAmount: undefined });
    const { documents } = await aws.list({ startdate: '2026-01-01' });
    expect(documents.map(({ documentType }) => documentType)).toEqual(['invoice', 'receipt', 'credit_note']);
    expect(documents[0]).toMatchObject({ externalId: invoice.id, filename: invoice.id });
    expect(documents[0]!.metadata).toEqual({
      number: invoice.id,
      date: '2026-02-28',
      due_date: '2026-03-14',
      service_start: '2026-02-01',
      service_end: '2026-02-28',
      currency: 'EUR',
      amount: '11.90',
      amount_net: '10.00',
      supplier: { name: 'Amazon Web Services EMEA SARL' },
      source: { kind: 'portal' },
    });
    expect(documents[1]!.metadata).toMatchObject({ currency: 'USD', amount: '12.50' });
    expect(documents[2]!.metadata).toMatchObject({ preceding_invoice: invoice.id });
    expect((await aws.read(documents[0]!)).equals(invoice.content)).toBe(true);
  });

  it('are listed month by month and page by page, and the last three months each time', async () => {
    aws.server.largestPage = 2;
    for (let n = 0; n < 5; n++) aws.account.add(today);
    const first = await aws.list({ startdate: today });
    expect(first.keys).toHaveLength(5);
    // This month in three pages, and the one before.
    expect(aws.takeRequests()).toEqual(Array.from({ length: 4 }, () => 'POST /#ListInvoiceSummaries'));
    aws.account.add(today);
    expect((await aws.listFrom(first, { startdate: today })).keys).toHaveLength(1);
  });

  it('belong to the account of the form, if the key may read it', async () => {
    expect(await aws.check()).toEqual({ id: '111122220001', display: '111122220001' });
    expect(await rejectionOf(checkWith({ account_id: '999999999999' }))).toBeInstanceOf(PermissionMissing);
  });

  it.each([
    ['ThrottlingException', RateLimited],
    ['com.amazonaws.invoicing#AccessDeniedException', PermissionMissing],
    ['RequestExpired', Transient],
  ])('after %s', async (__type, kind) => {
    aws.server.fault = () => ({ status: 400, json: { __type } });
    expect(await rejectionOf(aws.check())).toBeInstanceOf(kind);
  });

  it('that AWS no longer has are not asked for again', async () => {
    const entry = aws.account.add(today);
    const { documents } = await aws.list({ startdate: today });
    aws.account.remove(entry);
    const error = await rejectionOf(aws.read(documents[0]!));
    expect(error).toBeInstanceOf(DocumentUnavailable);
    expect(error).toMatchObject({ permanent: true });
  });
});

describe('The signature of a request to AWS', () => {
  it('is refused with another secret, and for an unknown key', async () => {
    expect(await rejectionOf(checkWith({ secret_access_key: 'another' }))).toBeInstanceOf(InvalidCredentials);
    expect(await rejectionOf(checkWith({ access_key_id: 'AKIA0000000000000000' }))).toBeInstanceOf(InvalidCredentials);
  });

  it('of a time that is over is no fault of the keys', async () => {
    const session = aws.sources.open();
    const late = { ...session, now: () => new Date(Date.now() - 16 * 60_000) };
    expect(await rejectionOf(aws.integration.check(late))).toBeInstanceOf(Transient);
  });
});
