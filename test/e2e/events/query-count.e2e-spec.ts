import { EntityManager } from '@mikro-orm/postgresql';
import { useTestContext } from '../../harness/app/test-context';

interface Feed {
  readonly data: { readonly type: string; readonly data: object }[];
}

describe('A page of GET /v1/events', () => {
  const context = useTestContext();
  afterEach(() => jest.restoreAllMocks());

  /** Records `count` events of every kind about one connection. */
  async function recordEvents(count: number): Promise<void> {
    const connection = await context.createActiveConnection();
    const { environmentUuid } = context.client;
    const insert = (type: string, data: string) =>
      context.query(
        `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at)
         select uuidv7(), $1, 'STANDARD', $2, $3, ${data}, now(), now() from generate_series(1, $4)`,
        [environmentUuid, connection, type, count],
      );
    await insert('connection.status_changed', `'{"from": "PENDING", "to": "ACTIVE", "cause": null}'::jsonb`);
    await context.query(
      `insert into "fetch" (uuid, connection_uuid, environment_uuid, retention_class, trigger, status, seen, new, duplicate, filtered, failed,
         created_at, started_at, finished_at)
       select uuidv7(), $1, $2, 'STANDARD', 'SCHEDULED', 'SUCCEEDED', 0, 0, 0, 0, 0, now(), now(), now()
       from generate_series(1, $3)`,
      [connection, environmentUuid, count],
    );
    await context.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at)
       select uuidv7(), $1, 'STANDARD', $2, 'fetch.finished', jsonb_build_object('fetch_uuid', uuid), now(), now()
       from "fetch" where connection_uuid = $2 and trigger = 'SCHEDULED'`,
      [environmentUuid, connection],
    );
    await context.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at)
       select uuidv7(), $1, 'STANDARD', $1, 'endpoint.failing',
         '{"url": "https://a.example", "since": "2026-11-20T08:30:00.000Z", "waiting": 1,
           "error": {"code": "HTTP_STATUS", "status": 503}}'::jsonb, now(), now()
       from generate_series(1, $2)`,
      [environmentUuid, count],
    );
    await context.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at)
       select uuidv7(), $1, 'STANDARD', $2, 'source.requested', jsonb_build_object('identity_uuid', $2::uuid, 'text', 'x'), now(), now()
       from generate_series(1, $3)`,
      [environmentUuid, context.identity, count],
    );
  }

  it('needs the same number of statements regardless of its number of events', async () => {
    await recordEvents(1);
    await context.client.request('get', '/v1/events').expect(200);
    const pool = await context.app.app.get(EntityManager, { strict: false }).getConnection().getNativeClient();
    const connect = jest.spyOn(pool as unknown as { connect: () => Promise<unknown> }, 'connect');
    /** Counts the checkouts of a connection from the pool, one for each statement. */
    async function statements(): Promise<{ events: number; statements: number }> {
      connect.mockClear();
      const { body } = await context.client.request('get', '/v1/events?limit=500').expect(200);
      const { length } = connect.mock.calls;
      const { data } = body as Feed;
      for (const type of ['connection.status_changed', 'fetch.finished', 'endpoint.failing', 'source.requested']) {
        expect(data.map((event) => event.type)).toContain(type);
      }
      return { events: data.length, statements: length };
    }

    const few = await statements();
    await recordEvents(60);
    await context.client.request('get', '/v1/events').expect(200); // assigns the positions in the feed
    const many = await statements();
    expect(many.events).toBeGreaterThan(few.events + 170);
    expect(few.statements).toBeGreaterThan(2);
    // Periodic work of the service may be counted as well.
    expect(many.statements).toBeLessThan(few.statements + 5);
  });
});
