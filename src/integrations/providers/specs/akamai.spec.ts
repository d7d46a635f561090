import { rejectionOf } from '../../../../test/harness/rejection-of';
import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';
import { secretsOf } from '../../../../test/fakes/providers/akamai';
import { DocumentUnavailable, InvalidCredentials, PermissionMissing, Transient } from '../../core/source-errors';

const akamai = useDeclaredFake('akamai');

const checkWith = (fields: Readonly<Record<string, unknown>>) =>
  akamai.integration.check(akamai.sources.open({ fields: { ...akamai.sources.open().fields, ...fields } }));

describe('The invoices of an Akamai contract', () => {
  it('are listed by month, and months without any are no fault', async () => {
    const invoice = akamai.account.add('2026-01-31');
    akamai.account.add('2026-03-02', { invoiceType: 'CREDIT_MEMO' });
    const { documents } = await akamai.list({ startdate: '2026-01-01' });
    expect(documents.map(({ documentType }) => documentType)).toEqual(['invoice', 'credit_note']);
    expect(documents[0]).toMatchObject({ externalId: invoice.id, filename: `${invoice.id}.pdf` });
    expect(documents[0]!.metadata).toEqual({
      number: invoice.id,
      date: '2026-01-31',
      due_date: '2026-01-31',
      currency: 'EUR',
      amount: '50000.42',
      source: { kind: 'portal' },
    });
    expect(akamai.takeRequests().slice(0, 2)).toEqual([
      'GET /contracts/C-0001/invoices?month=2025-12',
      'GET /contracts/C-0001/invoices?month=2026-01',
    ]);
    expect((await akamai.read(documents[0]!)).equals(invoice.content)).toBe(true);
  });

  it('without a PDF are not available', async () => {
    akamai.account.add('2026-01-31');
    const { documents } = await akamai.list({ startdate: '2026-01-01' });
    akamai.server.fault = () => ({ status: 204, file: Buffer.alloc(0) });
    expect(await rejectionOf(akamai.read(documents[0]!))).toBeInstanceOf(DocumentUnavailable);
  });

  it('belong to the contract of the form, if the client may read it', async () => {
    expect(await akamai.check()).toEqual({ id: 'C-0001', display: 'C-0001' });
    expect(await rejectionOf(checkWith({ contract_id: 'C-0002' }))).toBeInstanceOf(PermissionMissing);
  });
});

describe('The signature of a request to Akamai', () => {
  it.each(['client_secret', 'access_token'])('is refused with another %s', async (field) => {
    expect(await rejectionOf(checkWith({ [field]: 'another' }))).toBeInstanceOf(InvalidCredentials);
  });

  it('is refused for an unknown client', async () => {
    const client_token = 'akab-unknown';
    expect(await rejectionOf(checkWith({ client_token, ...secretsOf(client_token) }))).toBeInstanceOf(
      InvalidCredentials,
    );
  });

  it('of a time that is over is no fault of the keys', async () => {
    const session = akamai.sources.open();
    const late = { ...session, now: () => new Date(Date.now() - 60_000) };
    expect(await rejectionOf(akamai.integration.check(late))).toBeInstanceOf(Transient);
  });
});
