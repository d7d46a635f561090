import { randomUUID } from 'node:crypto';
import { Jobs } from '../../../../src/platform/jobs/jobs';
import { ProcessRedelivery } from '../../../../src/provisioning/redelivery/process-redelivery';
import { Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';
import { TestEngine } from '../../../harness/engine/test-engine';
import { waitForAllDelivered, createDocuments } from '../push/push-setup';

const PATH = '/v1/transactions/redeliver';

describe('POST /v1/transactions/redeliver (decisions 5)', () => {
  const context = useTestContext({ role: 'all' });
  let connection: string;
  let other: string;

  const redeliver = (body: object, lang = 'en') => context.client.request('post', PATH).set('Lang', lang).send(body);
  const counted = async (body: object) => {
    const answer = await redeliver(body).expect(202);
    await context.app.app.get(Jobs, { strict: false }).idle('redeliver');
    return (answer.body as { data: object }).data;
  };
  /** The number of a connection's documents by status. */
  const statuses = async (of: string) => {
    const rows = await context.query<{ status: string; count: string }>(
      'select status, count(*) from transaction where connection_uuid = $1 group by status',
      [of],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
  };
  const set = (of: string, changes: string) =>
    context.query(`update transaction set ${changes} where connection_uuid = $1`, [of]);

  beforeAll(async () => {
    connection = await connectionWithDocuments(context, { documents: 10 });
    other = await connectionWithDocuments(context, { user: 'other', documents: 4 });
  });
  beforeEach(async () => {
    for (const uuid of [connection, other]) await set(uuid, `status = 'FAILED', created_at = '2026-03-10T12:00:00Z'`);
  });

  itRequiresAuthentication(context, { method: 'post', path: () => PATH, accepts: ['key'] });

  it('redelivers all documents with the status and returns their number', async () => {
    expect(await counted({ status: 'DELIVERED' })).toEqual({ count: 0, skipped: 0 });
    expect(await counted({ status: 'FAILED' })).toEqual({ count: 14, skipped: 0 });
    expect([await statuses(connection), await statuses(other)]).toEqual([{ AVAILABLE: 10 }, { AVAILABLE: 4 }]);
    const [audited] = await context.query(
      `select actor, subject_uuid, details from audit_log where action = 'transaction.redeliver'`,
    );
    expect(audited).toEqual({
      actor: expect.stringMatching(/^key:/),
      subject_uuid: null,
      details: { status: 'FAILED', created_from: null, created_to: null, count: 14 },
    });
  });

  it('can be restricted to a connection', async () => {
    expect(await counted({ status: 'FAILED', connection_uuid: other.toUpperCase() })).toEqual({ count: 4, skipped: 0 });
    expect([await statuses(connection), await statuses(other)]).toEqual([{ FAILED: 10 }, { AVAILABLE: 4 }]);
  });

  it.each([
    [{ created_from: '2026-03-10T12:00:00Z' }, 14],
    [{ created_from: '2026-03-10T12:00:00.001Z' }, 0],
    [{ created_to: '2026-03-10T12:00:00Z' }, 0],
    [{ created_to: '2026-03-10T13:00:00.001+01:00' }, 14],
    [{ created_from: '2026-03-10', created_to: '2026-03-11' }, 14],
    [{ created_from: '2026-03-09', created_to: '2026-03-10' }, 0],
    [{ created_from: null, created_to: null, connection_uuid: null }, 14],
  ])('can be limited to a period: %j', async (period, count) => {
    expect(await counted({ status: 'FAILED', ...period })).toEqual({ count, skipped: 0 });
  });

  it('skips documents whose content was purged and returns their number', async () => {
    await context.query(
      `update transaction set content_uuid = null
       where uuid in (select uuid from transaction where connection_uuid = $1 order by uuid limit 3)`,
      [connection],
    );
    expect(await counted({ status: 'FAILED', connection_uuid: connection })).toEqual({ count: 7, skipped: 3 });
    expect(await statuses(connection)).toEqual({ FAILED: 3, AVAILABLE: 7 });
    expect(await counted({ status: 'FAILED', connection_uuid: connection })).toEqual({ count: 0, skipped: 3 });
    await set(connection, 'content_uuid = gen_random_uuid()');
  });

  it('restarts a running redelivery when the same is requested again, so that every match is redelivered once', async () => {
    const runs = context.app.app.get(ProcessRedelivery, { strict: false });
    const held = jest.spyOn(runs, 'process').mockResolvedValue();
    const ask = async (more: object = {}) =>
      (await redeliver({ status: 'FAILED', connection_uuid: other, ...more }).expect(202)).body as unknown;
    const open = () =>
      context.query<{ last_transaction_uuid: string | null }>(
        'select last_transaction_uuid, created_to from redelivery where finished_at is null order by uuid',
      );
    try {
      await ask();
      await context.query('update redelivery set last_transaction_uuid = $1 where finished_at is null', [randomUUID()]);
      expect([await ask(), await ask()]).toEqual(Array(2).fill({ data: { count: 4, skipped: 0 } }));
      await ask({ created_to: '2026-03-11' });
      expect(await open()).toEqual([
        { last_transaction_uuid: null, created_to: null },
        { last_transaction_uuid: null, created_to: new Date('2026-03-11') },
      ]);
    } finally {
      held.mockRestore();
    }
    await eventually(async () => (await open()).length === 0, 'both are carried out');
    expect(await statuses(other)).toEqual({ AVAILABLE: 4 });
  });

  it('does not affect other environments', async () => {
    const ofOtherClient = await context.createConnection({
      by: context.otherClient,
      identity: await context.otherClient.createIdentity(),
    });
    await context.query(
      'update transaction set environment_uuid = $1, connection_uuid = $2 where connection_uuid = $3',
      [context.otherClient.environmentUuid, ofOtherClient, other],
    );
    try {
      expect(await counted({ status: 'FAILED' })).toEqual({ count: 10, skipped: 0 });
      expect(await statuses(ofOtherClient)).toEqual({ FAILED: 4 });
    } finally {
      await context.query(
        'update transaction set environment_uuid = $1, connection_uuid = $2 where connection_uuid = $3',
        [context.client.environmentUuid, other, ofOtherClient],
      );
    }
  });

  it('applies the token’s narrower scope when one is sent with the key', async () => {
    const both = (token: string, body: object) => redeliver(body).set('X-TOKEN', token);
    const otherIdentity = await both(context.otherIdentityToken, { status: 'FAILED' }).expect(202);
    expect(otherIdentity.body).toEqual({ data: { count: 0, skipped: 0 } });
    expectError(
      await both(context.otherIdentityToken, { status: 'FAILED', connection_uuid: other }),
      403,
      'NOT_YOUR_CONNECTION',
    );
    const bound = await context.client.createToken(context.identity, { connection_uuid: other });
    expectError(await both(bound, { status: 'FAILED', connection_uuid: connection }), 403, 'NOT_ALLOWED_BY_TOKEN');
    const answer = await both(bound, { status: 'FAILED' }).expect(202);
    expect(answer.body).toEqual({ data: { count: 4, skipped: 0 } });
  });

  it.each<[string, object, string, Record<string, string>]>([
    ['nothing', {}, 'MISSING_REQUIRED_FIELDS', { status: 'REQUIRED' }],
    [
      'everything that is wrong',
      { status: 'LOST', connection_uuid: 'x', created_from: 'y', created_to: '2026-02-30', all: true },
      'VALIDATION_FAILED',
      {
        status: 'INVALID_OPTION',
        connection_uuid: 'INVALID_UUID',
        created_from: 'INVALID_DATETIME',
        created_to: 'INVALID_DATETIME',
        all: 'UNKNOWN_PROPERTY',
      },
    ],
    [
      'a connection that does not exist',
      { connection_uuid: randomUUID() },
      'VALIDATION_FAILED',
      { connection_uuid: 'CONNECTION_NOT_FOUND', status: 'REQUIRED' },
    ],
    [
      'a period that ends before it begins',
      { status: 'FAILED', created_from: '2026-03-10', created_to: '2026-03-10' },
      'VALIDATION_FAILED',
      { created_to: 'NOT_LATER' },
    ],
  ])('rejects %s', async (_, body, code, invalidFields) => {
    expectError(await redeliver(body), 422, code, invalidFields);
    expectError(await redeliver(body, 'de'), 422, code, invalidFields, 'de');
  });

  it('rejects a connection of another environment before it validates the rest', async () => {
    const ask = (lang: string) =>
      context.otherClient.request('post', PATH).set('Lang', lang).send({ status: 'LOST', connection_uuid: connection });
    expectError(await ask('en'), 403, 'NOT_YOUR_CONNECTION');
    expectError(await ask('de'), 403, 'NOT_YOUR_CONNECTION', {}, 'de');
  });

  describe('of many documents', () => {
    const MANY = 2_500;

    const insertMany = (name: string, count: number) =>
      context.query(
        `insert into transaction
         select copy.*
         from (select * from transaction where connection_uuid = $1 limit 1) t, generate_series(1, $2::int) n,
           jsonb_populate_record(null::transaction, to_jsonb(t) || jsonb_build_object(
                   'uuid', gen_random_uuid(), 'dedupe_key', $3::text || n, 'position', null, 'status', 'FAILED')) copy`,
        [other, count, `many-${name}`],
      );

    beforeEach(async () => {
      await context.query('delete from transaction where connection_uuid = $1 and dedupe_key like $2', [
        other,
        'many-%',
      ]);
      await insertMany('', MANY);
    });

    /** Polls do not overlap: when the replaced one is called, the last real one has ended. */
    const suspendPolls = async (runs: ProcessRedelivery) => {
      const poll = jest.spyOn(runs, 'poll').mockResolvedValue();
      await eventually(async () => poll.mock.calls.length > 0, 'the last poll has ended');
      return poll;
    };
    /** A redelivery that no worker processes until the scheduler queues it. */
    const wished = async () => {
      const [row] = await context.query<{ uuid: string }>(
        `insert into redelivery (uuid, environment_uuid, connection_uuid, status, requested_at)
         values (gen_random_uuid(), $1, $2, 'FAILED', $3) returning uuid`,
        [context.client.environmentUuid, other, context.app.clock.now()],
      );
      return row!.uuid;
    };

    it('resumes in batches, and redelivers each document once', async () => {
      const [runs, jobs] = [
        context.app.app.get(ProcessRedelivery, { strict: false }),
        context.app.app.get(Jobs, { strict: false }),
      ];
      const poll = await suspendPolls(runs);
      const uuid = await wished();
      const stopped = new AbortController();
      stopped.abort();
      await runs.process(uuid, stopped.signal);
      expect(await statuses(other)).toEqual({ FAILED: MANY + 4 });
      // The scheduler queues a redelivery without a job.
      poll.mockRestore();
      await runs.poll();
      await jobs.idle('redeliver');
      await eventually(async () => (await statuses(other)).FAILED === undefined, 'all of them are scheduled');
      const [row] = await context.query<{ finished_at: Date | null }>('select * from redelivery where uuid = $1', [
        uuid,
      ]);
      expect(row!.finished_at).not.toBeNull();
      // Documents that fail again in the meantime are not included.
      await set(other, `status = 'FAILED', last_attempt_at = '${context.app.clock.in(60).toISOString()}'`);
      await runs.process(uuid, new AbortController().signal);
      expect(await statuses(other)).toEqual({ FAILED: MANY + 4 });
      await set(other, `last_attempt_at = null`);
    });

    it('yields after ten thousand documents, and is queued again', async () => {
      const runs = context.app.app.get(ProcessRedelivery, { strict: false });
      await insertMany('more', 8_500);
      const poll = await suspendPolls(runs);
      try {
        await runs.process(await wished(), new AbortController().signal);
        expect(await statuses(other)).toEqual({ FAILED: MANY + 4 + 8_500 - 10_000, AVAILABLE: 10_000 });
      } finally {
        poll.mockRestore();
      }
      await eventually(async () => (await statuses(other)).FAILED === undefined, 'the rest is scheduled');
    });

    it('does not affect documents that were attempted after the request', async () => {
      await context.query(
        `update transaction set last_attempt_at = $2
         where connection_uuid = $1 and dedupe_key in ('many-1', 'many-2')`,
        [other, context.app.clock.in(60)],
      );
      expect(await counted({ status: 'FAILED', connection_uuid: other })).toEqual({ count: MANY + 2, skipped: 0 });
      expect(await statuses(other)).toEqual({ FAILED: 2, AVAILABLE: MANY + 2 });
    });

    it('does not affect documents that an attempt delivered after the request', async () => {
      const delivered = (name: string, seconds: number) =>
        context.query(
          `update transaction set status = 'DELIVERED', last_attempt_at = $2, settled_at = $3
           where connection_uuid = $1 and dedupe_key = $4`,
          [other, context.app.clock.in(-60), context.app.clock.in(seconds), name],
        );
      await delivered('many-1', -30);
      await delivered('many-2', 30);
      expect(await counted({ status: 'DELIVERED', connection_uuid: other })).toEqual({ count: 1, skipped: 0 });
      expect(await statuses(other)).toEqual({ FAILED: MANY + 2, AVAILABLE: 1, DELIVERED: 1 });
    });

    it('is deleted with its connection', async () => {
      const doomed = await context.createConnection();
      await context.query(
        `insert into redelivery (uuid, environment_uuid, connection_uuid, status, requested_at, finished_at)
         values (gen_random_uuid(), $1, $2, 'FAILED', now(), now())`,
        [context.client.environmentUuid, doomed],
      );
      await context.client.request('delete', `/v1/connections/${doomed}`).expect(204);
      expect(await context.query('select 1 from redelivery where connection_uuid = $1', [doomed])).toEqual([]);
    });
  });
});

describe('POST /v1/transactions/redeliver for a client with pushes', () => {
  it('pushes everything again', async () => {
    const [engine, receiver] = await Promise.all([TestEngine.start(), Receiver.start()]);
    try {
      const { client, transactions } = await createDocuments(engine, receiver.url(), 25);
      await waitForAllDelivered(engine, client);
      const answer = await client.request('post', PATH).send({ status: 'DELIVERED' }).expect(202);
      expect(answer.body).toEqual({ data: { count: 25, skipped: 0 } });
      await eventually(
        async () =>
          (await engine.count(
            `select count(*) from transaction where environment_uuid = $1 and status = 'DELIVERED' and attempts = 2`,
            client.environmentUuid,
          )) === 25,
        'all of them are delivered again',
      );
      const uuids = transactions.map(({ uuid }) => uuid);
      expect(receiver.keys.sort()).toEqual([...uuids, ...uuids].sort());
    } finally {
      await engine.stop();
      await receiver.stop();
    }
  });
});
