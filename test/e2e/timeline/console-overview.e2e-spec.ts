import { randomUUID } from 'node:crypto';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { useTestContext } from '../../harness/app/test-context';
import { eventually } from '../../harness/eventually';
import { openConsole, type TestConsole } from '../../harness/http/console-session';
import { transactionsOf } from '../transactions/transaction-rows';

interface Document {
  readonly transaction_uuid: string;
  readonly created_at: string;
}
interface Page<Row> {
  readonly data: Row[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}
interface Overview {
  readonly connections?: { readonly total: number; readonly by_status: object; readonly by_health: object };
  readonly fetches: readonly { readonly hour: string; readonly ok: number; readonly failed: number }[];
  readonly deliveries: readonly { readonly ok: number; readonly failed: number }[];
  readonly attention: readonly {
    readonly kind: string;
    readonly text: string;
    readonly connection_uuid: string | null;
  }[];
}

describe('The console of an environment (decisions 10)', () => {
  const context = useTestContext({ role: 'all' });
  let console: TestConsole;
  let connection: string;
  let transactions: string[];
  const environment = () => context.client.environmentUuid;

  beforeAll(async () => {
    console = await openConsole(context.app, environment());
    connection = await connectionWithDocuments(context, { user: randomUUID(), documents: 5, new_per_fetch: 0 });
    transactions = (await transactionsOf(context, connection)).reverse();
  });

  const get = async <Body>(path: string, query: object = {}, lang = 'en') =>
    (await console.request('get', `/v1/console/${path}`).query(query).set('Lang', lang).expect(200)).body as Body;
  const overview = async (lang = 'en') => (await get<{ data: Overview }>('overview', {}, lang)).data;
  /** An overview with this number of connections: a read of them that took long is reused for some time. */
  const counted = (total: number) =>
    eventually(async () => {
      const shown = await overview();
      return shown.connections?.total === total && shown;
    }, `${total} connections are counted`);
  const documents = async (query: object) =>
    (await get<Page<Document>>('transactions', query)).data.map(({ transaction_uuid }) => transaction_uuid);

  describe('GET /v1/console/overview', () => {
    it('counts connections by state, and fetches and attempts by hour', async () => {
      const pending = await context.createConnection();
      await context.query(
        `insert into delivery_attempt (uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms, status, error_code)
         select uuidv7(interval '-2 hours'), $1, 'STANDARD', $2, n, now(), 5, 200, case when n = 1 then 'UNEXPECTED_STATUS' end
         from generate_series(1, 3) n`,
        [environment(), transactions[0]],
      );
      const { connections, fetches, deliveries } = await counted(2);
      expect(connections).toMatchObject({
        ...{ total: 2, by_status: { ACTIVE: 1, PENDING: 1 }, by_health: { OK: 1, ACTION_REQUIRED: 1 } },
      });
      expect(fetches).toHaveLength(24);
      expect(fetches.reduce((sum, { ok }) => sum + ok, 0)).toBe(1);
      expect(deliveries.filter(({ ok }) => ok > 0)).toEqual([{ hour: fetches[21]!.hour, ok: 2, failed: 1 }]);
      await context.client.request('delete', `/v1/connections/${pending}`).expect(204);
    });

    it('says what needs attention, the most urgent first, in both languages', async () => {
      expect((await counted(1)).attention).toEqual([]);
      const stopped = await context.createConnection({ name: 'Portal' });
      await context.query(`update transaction set status = 'FAILED' where uuid = any($1)`, [transactions.slice(0, 2)]);
      await context.query(
        `insert into endpoint (environment_uuid, consecutive_failures, failing_since, opened_at, last_error)
         values ($1, 5, now(), now(), '{"code": "UNEXPECTED_STATUS", "status": 503, "message": null}')`,
        [environment()],
      );
      const { attention } = await counted(2);
      expect(attention.map(({ kind, text, connection_uuid }) => [kind, text, connection_uuid])).toEqual([
        [
          'ENDPOINT_FAILING',
          'The push endpoint is failing, so documents are waiting. The endpoint answered 503 instead of 200.',
          null,
        ],
        ['DELIVERIES_FAILED', 'The delivery of 2 documents has failed.', null],
        ['CONNECTION_ACTION_REQUIRED', expect.stringMatching(/^Portal: ./), stopped],
      ]);
      const german = (await overview('de')).attention.map(({ text }) => text);
      expect(german[1]).toBe('Die Zustellung von 2 Dokumenten ist fehlgeschlagen.');
      await context.query(`update transaction set status = 'AVAILABLE' where connection_uuid = $1`, [connection]);
    });

    it('shows the connections whose users have to act, however many newer ones are paused or wait', async () => {
      const add = (changed: string) =>
        context.query(
          `insert into connection select (jsonb_populate_record(c, jsonb_build_object('uuid', uuidv7(), 'name', 'Copy') || ${changed})).*
           from connection c, generate_series(1, 250) where c.uuid = $1`,
          [connection],
        );
      await add(`jsonb_build_object('disabled_at', now(), 'credentials_rejected_at', now())`);
      await add(`jsonb_build_object('failing_since', now(), 'failure_reason', 'PROVIDER_DOWN')`);
      const shown = async (total: number) =>
        (await counted(total)).attention
          .filter(({ kind }) => kind === 'CONNECTION_ACTION_REQUIRED')
          .map(({ text }) => text);
      expect(await shown(502)).toEqual([expect.stringMatching(/^Portal: /)]);
      await add(`jsonb_build_object('failing_since', now(), 'failure_reason', 'LOGIN_REJECTED_APP_PASSWORD')`);
      expect(await shown(752)).toEqual(Array.from({ length: 10 }, () => expect.stringMatching(/^Copy: /)));
      await context.query(`delete from connection where name = 'Copy'`);
    });
  });

  describe('GET /v1/console/transactions', () => {
    it('lists documents newest first, and pages while others are added', async () => {
      expect(await documents({})).toEqual(transactions);
      const first = await get<Page<Document>>('transactions', { limit: 2 });
      await connectionWithDocuments(context, { user: randomUUID(), documents: 1, new_per_fetch: 0 });
      const second = await get<Page<Document>>('transactions', { limit: 3, cursor: first.meta.next_cursor });
      expect([...first.data, ...second.data].map((row) => row.transaction_uuid)).toEqual(transactions);
      expect(second.meta).toEqual({ next_cursor: null, has_more: false });
      expect(await context.query('select from transaction where position is not null')).toEqual([]);
    });

    it('filters by status, type, connection, identity, period and text', async () => {
      const [newest, second] = transactions as [string, string];
      await context.query(
        `update transaction set filename = 'RE_4711%.pdf', document_type = 'contract', status = 'FAILED', created_at = '2026-01-02T10:00:00Z',
           metadata = '{"number": "A-815", "supplier": {"name": "Stadtwerke"}}' where uuid = $1`,
        [second],
      );
      for (const query of [
        { q: 're_4711%' },
        { q: 'a-815' },
        { q: 'STADTWERKE' },
        { q: second },
        { status: 'FAILED' },
        { document_type: 'contract' },
        { document_type: 'contract', connection_uuid: connection, status: 'FAILED' },
        { identity_uuid: context.identity, q: 'stadtwerke' },
      ]) {
        expect([query, await documents(query)]).toEqual([query, [second]]);
      }
      expect(await documents({ q: 're_4%11' })).toEqual([]);
      expect(await documents({ connection_uuid: connection })).toEqual(transactions);
      expect(await documents({ identity_uuid: context.identity, limit: 500 })).toContain(newest);
      const [{ created_at: at } = { created_at: '' }] = (await get<Page<Document>>('transactions', { q: newest })).data;
      const day = at.slice(0, 10);
      expect(await documents({ from: day, connection_uuid: connection })).not.toContain(second);
      expect(await documents({ from: day, connection_uuid: connection })).toContain(newest);
      expect(await documents({ to: day, connection_uuid: connection })).not.toContain(newest);
      await console.request('get', '/v1/console/transactions').query({ from: day, to: day }).expect(422);
    });
  });

  it('lists requested sources and missing invoices of the environment, and of no other', async () => {
    const token = await context.client.createToken(context.identity);
    const ask = context.client.requestWithToken(token, 'post', '/v1/ui/source-requests');
    await ask.send({ text: 'Stadtwerke Musterstadt' }).expect(204);
    const data = {
      supplier: { name: 'Stadtwerke', vat_id: 'DE123456789' },
      last_dates: ['2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01'],
      expected_by: '2026-11-15',
    };
    await context.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at)
       values (uuidv7(), $1, 'STANDARD', $2, 'document.expected_missing', $3, now())`,
      [environment(), connection, JSON.stringify(data)],
    );
    const requests = await get<Page<object>>('source-requests');
    expect(requests.data).toEqual([
      expect.objectContaining({ text: 'Stadtwerke Musterstadt', identity_uuid: context.identity }),
    ]);
    const missing = await get<Page<object>>('expected-documents');
    expect(missing.data).toEqual([
      expect.objectContaining({
        ...data,
        supplier: { name: 'Stadtwerke', vat_id: 'DE123456789', iban: null },
        connection_uuid: connection,
      }),
    ]);
    const other = await openConsole(context.app, context.otherClient.environmentUuid);
    for (const path of ['source-requests', 'expected-documents', 'transactions']) {
      const { body } = await other.request('get', `/v1/console/${path}`).expect(200);
      expect([path, (body as Page<object>).data]).toEqual([path, []]);
    }
  });

  it('accepts no key and no token', async () => {
    for (const path of ['overview', 'transactions', 'connections', 'source-requests', 'expected-documents']) {
      await context.client.request('get', `/v1/console/${path}`).expect(401);
      await context.client.requestWithToken(context.token, 'get', `/v1/console/${path}`).expect(401);
    }
  });
});
