import { answer, Receiver, silence } from '../../../fakes/receiver';
import { createTestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksTransactionAccess } from '../../../harness/http/transaction-access-tests';
import { useTestContext } from '../../../harness/app/test-context';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { transactionsOf } from '../../transactions/transaction-rows';
import { createDocuments, waitForIdlePush, setResponseTimeout, isDelivered } from '../push/push-setup';

interface Page {
  readonly data: { readonly number: number; readonly error: { readonly message: string } | null }[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

const path = (uuid: string) => `/v1/transactions/${uuid}/attempts`;

describe('GET /v1/transactions/{transaction_uuid}/attempts (decisions 5)', () => {
  const context = useTestContext({ role: 'all' });
  let own: string;

  const list = async (query = '') =>
    (await context.client.request('get', `${path(own)}${query}`).expect(200)).body as Page;

  beforeAll(async () => {
    [own] = (await transactionsOf(context, await connectionWithDocuments(context, { documents: 1 }))) as [string];
  });

  itChecksTransactionAccess(context, { method: 'get', path, own: () => own });

  it('is empty for one that has never been pushed', async () => {
    expect(await list()).toEqual({ data: [], meta: { next_cursor: null, has_more: false } });
  });

  it('returns pages, oldest first', async () => {
    for (let number = 1; number <= 7; number++) {
      await context.query(
        `insert into delivery_attempt (uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms, status, error_code)
         select uuidv7(), environment_uuid, 'STANDARD', uuid, $2, now(), 5, 500, 'UNEXPECTED_STATUS' from transaction where uuid = $1`,
        [own, number],
      );
    }
    const numbers = ({ data }: Page) => data.map(({ number }) => number);
    expect(numbers(await list())).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const first = await list('?limit=3');
    expect([numbers(first), first.meta.has_more]).toEqual([[1, 2, 3], true]);
    const second = await list(`?limit=4&cursor=${first.meta.next_cursor}`);
    expect([numbers(second), second.meta]).toEqual([[4, 5, 6, 7], { next_cursor: null, has_more: false }]);
  });

  it.each([
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['limit=ten&status=FAILED', { limit: 'INVALID_TYPE_INTEGER', status: 'UNKNOWN_PROPERTY' }],
    ['cursor=nonsense', { cursor: 'INVALID_CURSOR' }],
    [`cursor=${Buffer.from('[7]').toString('base64url')}`, { cursor: 'INVALID_CURSOR' }],
  ])('rejects ?%s', async (query, invalidFields) => {
    const ask = (lang: string) => context.client.request('get', `${path(own)}?${query}`).set('Lang', lang);
    expectError(await ask('en'), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await ask('de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
  });

  it('shows the result of each attempt', async () => {
    const [engine, receiver] = await Promise.all([TestEngine.start(), Receiver.start()]);
    setResponseTimeout(engine, 400);
    try {
      receiver.next(answer(503, {}, 'upstream unavailable'), silence, answer(301, { location: '/' }, ''));
      const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
      const { uuid } = transactions[0]!;
      for (let attempt = 1; attempt <= 3; attempt++) {
        await engine.waitForTransaction(uuid, `attempt ${attempt}`, ({ attempts }) => attempts === attempt);
        await engine.advanceClock(700);
        await waitForIdlePush(engine);
      }
      await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
      const { body } = await client.request('get', path(uuid)).expect(200);
      const common = { started_at: expect.stringMatching(/Z$/), duration_ms: expect.any(Number) };
      expect(body).toEqual({
        data: [
          {
            ...common,
            number: 1,
            status: 503,
            error: { code: 'UNEXPECTED_STATUS', message: 'The endpoint answered 503 instead of 200.' },
            response_excerpt: 'upstream unavailable',
          },
          {
            ...common,
            number: 2,
            status: null,
            error: { code: 'TIMEOUT', message: 'The endpoint did not answer in time.' },
            response_excerpt: null,
          },
          {
            ...common,
            number: 3,
            status: 301,
            error: {
              code: 'REDIRECT_REFUSED',
              message: 'The endpoint answered with a redirect, which is not followed.',
            },
            response_excerpt: '',
          },
          { ...common, number: 4, status: 200, error: null, response_excerpt: 'ok' },
        ],
        meta: { next_cursor: null, has_more: false },
      });
      const german = await client.request('get', path(uuid)).set('Lang', 'de').expect(200);
      expect((german.body as Page).data.map(({ error }) => error?.message)).toEqual([
        'Der Endpunkt hat mit 503 statt mit 200 geantwortet.',
        'Der Endpunkt hat nicht rechtzeitig geantwortet.',
        'Der Endpunkt hat mit einer Weiterleitung geantwortet, der nicht gefolgt wird.',
        undefined,
      ]);
    } finally {
      await engine.stop();
      await receiver.stop();
    }
  });

  it('hides the secret when an endpoint echoes the request', async () => {
    const receiver = await Receiver.start();
    receiver.always((exchange) => answer(500, {}, `No ${exchange.received.path} here`)(exchange));
    const engine = await TestEngine.start();
    try {
      const provisioning = { strategy: 'PUSH', url: receiver.url('/in'), auth: 'QUERY', secret: 'top&secret' } as const;
      const client = await createTestClient(engine.app, { provisioning });
      const connection = await connectSandbox(client, { documents: 1, document_size_kb: 4 });
      await engine.waitForFetches(connection, 1);
      const { uuid } = (await engine.transactions(connection))[0]!;
      await engine.waitForTransaction(uuid, 'it was tried', ({ attempts }) => attempts === 1);
      expect(receiver.requests[0]!.path).toBe('/in?token=top%26secret');
      const { body } = await client.request('get', path(uuid)).expect(200);
      expect(body).toMatchObject({ data: [{ status: 500, response_excerpt: 'No /in?token=*** here' }] });
    } finally {
      await engine.stop();
      await receiver.stop();
    }
  });
});
