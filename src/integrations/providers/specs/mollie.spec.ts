import { useDeclaredFake } from '../../../../test/harness/declarative/declared-fake';

const mollie = useDeclaredFake('mollie');
const RECIPIENT = {
  type: 'business',
  organizationName: 'Läden GmbH',
  vatNumber: 'NL123456789B01',
  email: 'anna@example.com',
  streetAndNumber: 'Marktplatz 1',
  postalCode: '5678AB',
  city: 'Amsterdam',
  country: 'NL',
  locale: 'nl_NL',
};

describe('The invoices of a Mollie organization', () => {
  it('are received ones of Mollie and issued ones, each with its amounts', async () => {
    const received = mollie.account.add('2026-03-01', { dueAt: '2026-03-15' });
    const issued = mollie.account.add('2026-03-02', { recipient: RECIPIENT });
    const { documents } = await mollie.list();
    expect(documents.map(({ externalId, documentType }) => [externalId, documentType])).toEqual([
      [received.id, 'invoice'],
      [issued.id, 'invoice'],
    ]);
    expect(documents.map(({ metadata }) => metadata)).toEqual([
      {
        number: '2026.0',
        date: '2026-03-01',
        due_date: '2026-03-15',
        currency: 'EUR',
        amount: '10.00',
        amount_net: '10.00',
        amount_tax: '0.00',
        payment: { status: 'PAID', date: '2026-03-01' },
        customer: { vat_id: 'DE123456789' },
        source: { kind: 'portal' },
      },
      {
        number: 'INV-1',
        date: '2026-03-02',
        due_date: '2026-03-02',
        currency: 'EUR',
        amount: '108.90',
        amount_net: '90.00',
        amount_tax: '18.90',
        amount_due: '108.90',
        payment: { status: 'OPEN' },
        customer: { name: 'Läden GmbH', country: 'NL', email: 'anna@example.com', vat_id: 'NL123456789B01' },
        source: { kind: 'portal' },
      },
    ]);
  });

  it('are downloaded from another host without the token, at an address that is requested just before', async () => {
    const [received, issued] = [mollie.account.add('2026-03-01'), mollie.account.add('2026-03-02')];
    const { documents } = await mollie.list();
    mollie.takeRequests();
    for (const [at, { content }] of [received, issued].entries()) {
      expect((await mollie.read(documents[at]!)).equals(content)).toBe(true);
    }
    expect(mollie.takeRequests()).toEqual([`GET /v2/invoices/${received.id}`, `GET /v2/sales-invoices/${issued.id}`]);
    expect(mollie.server.downloads).toHaveLength(2);
  });

  it('are fetched when drafts are issued, and only in the selected kinds', async () => {
    mollie.account.add('2026-02-01');
    const draft = mollie.account.add('2026-03-02', { status: 'draft', issuedAt: null });
    const step2 = { kinds: ['invoice'] };
    const first = await mollie.list({ step2, startdate: '2026-04-01' });
    expect(first.keys).toEqual([]);
    Object.assign(draft.record, { status: 'issued', issuedAt: '2026-04-01T09:00:00+02:00' });
    expect((await mollie.listFrom(first, { step2, startdate: '2026-04-01' })).keys).toEqual([draft.id]);
    expect(mollie.takeRequests()).toEqual(['GET /v2/sales-invoices?limit=250', 'GET /v2/sales-invoices?limit=250']);
  });

  it('belong to the organization', async () => {
    expect(await mollie.check()).toEqual({ id: 'org_1', display: 'Müller & Söhne' });
  });
});
