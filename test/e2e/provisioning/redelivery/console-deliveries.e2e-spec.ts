import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { forgetChosenTransactions } from '../../../../src/connections/deletion/delete-redeliveries';
import { SetProvisioning } from '../../../../src/identities/environments/set-provisioning';
import { sql } from '../../../../src/platform/database/sql';
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

  it('redelivers chosen documents whatever their status is, and forgets which ones', async () => {
    const [chosen, other] = transactions as [string, string];
    await context.query(`update transaction set status = 'DELIVERED', due_at = null where uuid = any($1)`, [
      transactions,
    ]);
    const unknown = randomUUID();
    const request = { transaction_uuids: [unknown, chosen] };
    const foreign = await openConsole(context.app, context.otherClient.environmentUuid);
    for (const path of ['redeliveries', 'redeliveries/preview']) {
      const { body } = await foreign
        .request('post', `/v1/console/${path}`)
        .send(request)
        .expect(/"count":0,"skipped":0/);
      expect((body as { data: Partial<Redelivery> }).data.redelivery_uuid ?? null).toBeNull();
    }
    const preview = await post('redeliveries/preview', request).expect(200);
    expect(preview.body).toEqual({ data: { count: 1, skipped: 0 } });
    receiver.always(answer(200));
    const { body } = await post('redeliveries', request).expect(202);
    expect(body).toEqual({ data: { redelivery_uuid: expect.any(String), count: 1, skipped: 0 } });
    const uuid = (body as { data: Redelivery }).data.redelivery_uuid;
    const done = await eventually(async () => {
      const [redelivery] = await get<Redelivery[]>('redeliveries');
      return redelivery?.redelivery_uuid === uuid && redelivery.finished_at !== null && redelivery;
    }, 'the redelivery is finished');
    expect(done).toMatchObject({ status: null, total: 1, processed: 1 });
    const rows = await context.query<{ uuid: string; restarted: boolean; stored: string[] | null }>(
      `select t.uuid, t.restarted_at >= r.requested_at as restarted, r.transaction_uuids as stored
       from transaction t, redelivery r where t.uuid = any($1) and r.uuid = $2 order by t.uuid = $3 desc`,
      [transactions, uuid, chosen],
    );
    expect(rows[0]).toEqual({ uuid: chosen, restarted: true, stored: null });
    expect(rows[1]).toMatchObject({ uuid: other });
    expect(rows[1]!.restarted).not.toBe(true);
  });

  it('forgets a chosen document whose connection is deleted before', async () => {
    const [chosen] = transactions as [string];
    const other = randomUUID();
    const em = context.app.app.get(EntityManager, { strict: false }).fork();
    await em.begin();
    await sql(
      em,
      `insert into redelivery (uuid, environment_uuid, transaction_uuids, requested_at)
       values ($1, $2, $3::uuid[], now())`,
      [randomUUID(), context.client.environmentUuid, [other, chosen]],
    );
    await forgetChosenTransactions(em, [connection]);
    const kept = await sql(em, 'select transaction_uuids from redelivery where transaction_uuids is not null');
    await em.rollback();
    expect(kept).toEqual([{ transaction_uuids: [other] }]);
  });

  it.each([
    ['neither a status nor chosen documents', {}, 'status', 'REQUIRED'],
    ['no document', { transaction_uuids: [] }, 'transaction_uuids', 'TOO_FEW'],
    ['what is no uuid', { transaction_uuids: ['one'] }, 'transaction_uuids', 'INVALID_UUID'],
    [
      '1,001 documents',
      { transaction_uuids: Array.from({ length: 1_001 }, () => randomUUID()) },
      'transaction_uuids',
      'TOO_MANY',
    ],
    ['an unknown status', { transaction_uuids: [randomUUID()], status: 'LOST' }, 'status', 'INVALID_OPTION'],
  ])('rejects a redelivery of %s', async (_, request, field, code) => {
    const problem = code === 'REQUIRED' ? 'MISSING_REQUIRED_FIELDS' : 'VALIDATION_FAILED';
    expectError(await post('redeliveries', request), 422, problem, { [field]: code });
  });
});
