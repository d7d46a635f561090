import { randomUUID } from 'node:crypto';
import { SetProvisioning } from '../../../../src/identities/environments/set-provisioning';
import { answer, Receiver } from '../../../fakes/receiver';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';
import { useTestContext } from '../../../harness/app/test-context';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { openConsole, type TestConsole } from '../../../harness/http/console-session';
import { transactionsOf } from '../../transactions/transaction-rows';

interface PushRequest {
  readonly method: string;
  readonly url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Attempt {
  readonly number: number;
  readonly status: number;
  readonly response_excerpt: string;
  readonly request: PushRequest;
}
interface Redelivery {
  readonly redelivery_uuid: string;
  readonly total: number;
  readonly processed: number;
  readonly finished_at: string | null;
}

const SECRET = 'push-secret-4711';

describe('Deliveries in the console (decisions 10)', () => {
  const context = useTestContext({ role: 'all' });
  let console: TestConsole;
  let receiver: Receiver;
  let connection: string;
  let transactions: string[];

  const setEndpoint = (path: string, auth: 'QUERY' | 'BEARER' = 'QUERY') =>
    context.app.app
      .get(SetProvisioning, { strict: false })
      .set('test', context.client.environmentUuid, { strategy: 'PUSH', url: receiver.url(path), auth, secret: SECRET });
  const get = async <Data>(path: string) => {
    const { body, text } = await console.request('get', `/v1/console/${path}`).expect(200);
    expect(text).not.toContain(SECRET);
    return (body as { data: Data }).data;
  };
  const post = (path: string, body: object) => console.request('post', `/v1/console/${path}`).send(body);

  beforeAll(async () => {
    receiver = await Receiver.start();
    console = await openConsole(context.app, context.client.environmentUuid);
    expectError(await post('endpoint/test', {}), 422, 'NO_PUSH_ENDPOINT', {});
    await setEndpoint('/in?customer=7');
    receiver.next(answer(503, {}, `no ${SECRET}`));
    connection = await connectionWithDocuments(context, { user: randomUUID(), documents: 2, new_per_fetch: 0 });
    transactions = await transactionsOf(context, connection);
    await eventually(async () => {
      const rows = await context.query('select from delivery_attempt where transaction_uuid = any($1)', [transactions]);
      return rows.length >= 2;
    }, 'both documents have been attempted');
  });
  afterAll(() => receiver.stop());

  it('shows attempts with requests and responses, without secrets and content', async () => {
    const [sent] = receiver.requests;
    const uuid = sent!.headers['idempotency-key'] as string;
    const [attempt] = await get<Attempt[]>(`transactions/${uuid}/attempts`);
    expect(attempt).toMatchObject({ number: 1, status: 503, response_excerpt: 'no ***' });
    const { method, url, headers, body } = attempt!.request;
    expect([method, url]).toEqual(['POST', `${receiver.url('/in')}?customer=7&token=***`]);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'content-length': sent!.headers['content-length'],
      'idempotency-key': uuid,
      'user-agent': 'Docfetch',
      'webhook-id': uuid,
      'webhook-timestamp': expect.stringMatching(/^\d+$/),
      'webhook-signature': 'v1,***',
    });
    const received = JSON.parse(sent!.body!.toString()) as { document: object };
    expect(body).toEqual({ ...received, document: { ...received.document, base64: '***' } });
    await setEndpoint('/other', 'BEARER');
    const [earlier] = await get<Attempt[]>(`transactions/${uuid}/attempts`);
    expect(earlier!.request.url).toBeNull();
    await setEndpoint('/in?customer=7');
  });

  it('shows the endpoint with its failures, and tests it', async () => {
    const before = await context.query('select from delivery_attempt');
    receiver.next(answer(200, {}, 'welcome'));
    const { body, text } = await post('endpoint/test', {}).expect(200);
    expect(text).not.toContain(SECRET);
    const { request, response, error } = (body as { data: { request: PushRequest; response: object; error: unknown } })
      .data;
    expect([response, error]).toEqual([{ status: 200, excerpt: 'welcome' }, null]);
    expect(request.headers).toMatchObject({ 'docfetch-test': 'true', 'webhook-signature': 'v1,***' });
    const received = receiver.requests.at(-1)!;
    expect(received.headers).toMatchObject({
      'docfetch-test': 'true',
      'idempotency-key': request.headers['webhook-id'],
    });
    expect(received.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=/);
    expect(JSON.parse(received.body!.toString())).toMatchObject({
      ...{ document_type: 'document', connection_uuid: '00000000-0000-0000-0000-000000000000' },
      document: { filename: 'docfetch-test.txt' },
    });
    expect(await context.query('select from delivery_attempt')).toHaveLength(before.length);
    receiver.next(answer(500));
    const failed = await post('endpoint/test', {}).expect(200);
    expect((failed.body as { data: object }).data).toMatchObject({
      ...{ response: { status: 500 }, error: { code: 'UNEXPECTED_STATUS' } },
    });
    const endpoint = await get<Record<string, unknown>>('endpoint');
    expect(endpoint).toMatchObject({
      ...{ strategy: 'PUSH', url: `${receiver.url('/in')}?customer=7&token=***`, auth: 'QUERY', circuit: 'CLOSED' },
      latency: { p50_ms: expect.any(Number), p95_ms: expect.any(Number) },
      last_failures: [{ status: 503, error: { code: 'UNEXPECTED_STATUS' } }],
    });
    const minutes = endpoint.minutes as { ok: number; failed: number }[];
    expect(minutes.reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
  });

  it('counts, starts and shows bulk redeliveries, whose work can be left', async () => {
    await context.query(
      `update transaction set status = 'FAILED', due_at = null, document_type = 'contract' where connection_uuid = $1`,
      [connection],
    );
    const filters = { status: 'FAILED', document_type: 'contract', identity_uuid: context.identity };
    const preview = await post('redeliveries/preview', filters).expect(200);
    expect(preview.body).toEqual({ data: { count: 2, skipped: 0 } });
    expect(await get('redeliveries')).toEqual([]);
    for (const other of [{ document_type: 'invoice' }, { identity_uuid: context.otherIdentity }]) {
      const { body } = await post('redeliveries', { ...filters, ...other }).expect(202);
      expect(body).toEqual({ data: { redelivery_uuid: null, count: 0, skipped: 0 } });
    }
    const { body } = await post('redeliveries', filters).expect(202);
    const uuid = (body as { data: Redelivery }).data.redelivery_uuid;
    expect(body).toEqual({ data: { redelivery_uuid: expect.any(String), count: 2, skipped: 0 } });
    const done = await eventually(async () => {
      const [redelivery] = await get<Redelivery[]>('redeliveries');
      return redelivery?.finished_at != null && redelivery;
    }, 'the redelivery is finished');
    expect(done).toMatchObject({ redelivery_uuid: uuid, ...filters, total: 2, processed: 2 });
    const foreign = await openConsole(context.app, context.otherClient.environmentUuid);
    const others = await foreign.request('get', '/v1/console/redeliveries').expect(200);
    expect((others.body as { data: unknown[] }).data).toEqual([]);
  });
});
