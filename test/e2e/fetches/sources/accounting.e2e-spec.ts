import { FakeSevdesk } from '../../../fakes/sevdesk/fake-sevdesk';
import type { SevdeskState } from '../../../fakes/sevdesk/sevdesk-state';
import { FakeStripe } from '../../../fakes/stripe/fake-stripe';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { connect, getConnection, TestEngine } from '../../../harness/engine/test-engine';

describe('Fetching from providers with an API key', () => {
  let engine: TestEngine;
  let client: TestClient;
  let sevdesk: FakeSevdesk;
  let stripe: FakeStripe;
  let books: SevdeskState;

  beforeAll(async () => {
    [sevdesk, stripe] = await Promise.all([FakeSevdesk.start(), FakeStripe.start()]);
    const providers = { sevdesk: { apiBaseUrl: sevdesk.url }, stripe: { apiBaseUrl: stripe.url } };
    engine = await TestEngine.start({ settings: { providers } });
    client = await createTestClient(engine.app);
  });
  beforeEach(() => {
    books = sevdesk.account();
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([sevdesk.stop(), stripe.stop()]);
    expect([...sevdesk.violations, ...stripe.violations]).toEqual([]);
  });

  const fetchAgain = async (uuid: string, count: number) => {
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };

  it('records the documents issued in sevdesk exactly once', async () => {
    const invoice = books.invoice({ number: 'RE-1' });
    books.creditNote();
    const draft = books.invoice({ status: '100', date: '2020-01-01' });
    const uuid = await connect(client, 'sevdesk', { api_token: books.token() }, { kinds: ['invoice'] });
    expect((await engine.waitForFetches(uuid, 1))[0]).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1 });
    const [row] = await engine.transactions(uuid);
    expect(row).toMatchObject({
      external_id: `Invoice/${invoice.id}`,
      filename: 'RE-1.pdf',
      document_type: 'invoice',
      metadata: { number: 'RE-1', amount: '119.00', currency: 'EUR', customer: { name: 'Müller & Söhne GmbH' } },
    });
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
    Object.assign(draft, { status: '200', number: 'RE-2' });
    await engine.advanceClock(86_460); // a day later, on schedule
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ trigger: 'SCHEDULED', status: 'SUCCEEDED', new: 1 });
    expect(await engine.transactions(uuid)).toHaveLength(2);
  });

  it('records the documents billed with Stripe', async () => {
    const shop = stripe.account();
    for (let n = 0; n < 30; n++) shop.invoice(1_767_225_600 + n * 3_600);
    const note = shop.creditNote(1_767_225_600, { invoice: shop.entries[0]!.id, number: 'CN-1' });
    const uuid = await connect(client, 'stripe', { api_key: shop.key() });
    expect((await engine.waitForFetches(uuid, 1))[0]).toMatchObject({ status: 'SUCCEEDED', new: 31, failed: 0 });
    const rows = await engine.transactions(uuid);
    expect(rows.find(({ external_id }) => external_id === note.id)).toMatchObject({
      document_type: 'credit_note',
      metadata: { number: 'CN-1', preceding_invoice: shop.entries[0]!.number },
    });
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
  });

  it('reports a key without permission, and recovers after it is granted', async () => {
    const token = books.token();
    books.hidden.add('Invoice');
    const identity = await client.createIdentity();
    const create = () => {
      const fields = { api_token: token };
      const connection = { integration_id: 'sevdesk', name: 'Books', identity_uuid: identity, fields };
      return client.request('post', '/v1/connections').send(connection);
    };
    const refused = await create().set('Lang', 'de');
    expectError(refused, 422, 'CREDENTIALS_REJECTED', { 'fields.api_token': 'PERMISSION_MISSING' }, 'de');
    expect((refused.body as { errors: unknown }).errors).toEqual([
      { field: 'fields.api_token', code: 'PERMISSION_MISSING', message: expect.stringContaining('API-Token') },
    ]);
    books.hidden.clear();
    const uuid = await connect(client, 'sevdesk', { api_token: token });
    await engine.waitForFetches(uuid, 1);
    books.hidden.add('CreditNote');
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'FAILED', error_code: 'SCOPE_MISSING' });
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      health: 'ACTION_REQUIRED',
      reason: { code: 'SCOPE_MISSING', action: 'UPDATE_CREDENTIALS' },
    });
    books.hidden.clear();
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'OK', reason: null });
  });
});
