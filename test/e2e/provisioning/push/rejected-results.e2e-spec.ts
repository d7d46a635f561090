import { EntityManager } from '@mikro-orm/postgresql';
import { Writable } from 'node:stream';
import { DrainEndpoint } from '../../../../src/provisioning/push/drain-endpoint';
import { PushLimits } from '../../../../src/provisioning/shared/push-limits';
import { readDue } from '../../../../src/provisioning/push/read-due';
import { RejectedResults } from '../../../../src/provisioning/push/sending/rejected-results';
import { ResultWriter } from '../../../../src/provisioning/push/sending/result-writer';
import { RecordAttemptResult } from '../../../../src/provisioning/push/record-attempt-result';
import { answer, Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { TestEngine } from '../../../harness/engine/test-engine';
import {
  waitForAllDelivered,
  listAttempts,
  copyTransactions,
  createDocuments,
  waitForIdlePush,
  isDelivered,
  createPushClient,
  useFullConcurrency,
} from './push-setup';

describe('Push results that the database rejects (decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;
  let model: string;
  let log = '';

  beforeAll(async () => {
    const sink = new Writable({
      write: (line: Buffer, _, done) => {
        log += line.toString();
        done();
      },
    });
    [engine, receiver] = await Promise.all([
      TestEngine.start({ log: sink, settings: { logLevel: 'error' }, intervalFactor: 1 }),
      Receiver.start(),
    ]);
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    await waitForAllDelivered(engine, client);
    model = transactions[0]!.uuid;
    await refuseResults(engine);
  });
  beforeEach(() => {
    log = '';
    receiver.clear();
  });
  afterAll(async () => {
    await engine.stop();
    await receiver.stop();
  });

  const permitAll = () => engine.rows('delete from refused');
  const retry = () => engine.app.app.get(RejectedResults, { strict: false }).retry();
  const linesAbout = (uuid: string) =>
    log.split('\n').filter((line) => line.includes(uuid) && line.includes('rejects'));
  /** Runs the polls repeatedly: each queues jobs for due rows, so repeated sending would show. */
  const lookAgain = async () => {
    for (let round = 0; round < 3; round++) await waitForIdlePush(engine);
  };

  it.each([
    ['delivered', 200, '23514', null],
    ['delivered', 200, '22003', null],
    ['delivered', 200, '55P03', null],
    ['delivered', 200, 'XX001', null],
    ['not delivered', 500, '23514', 'UNEXPECTED_STATUS'],
  ])(
    'does not resend a document that was %s (%i, SQLSTATE %s), and writes the result when possible',
    async (_, status, state, code) => {
      const client = await createPushClient(engine, receiver.url());
      receiver.next(answer(status, {}, 'an answer of the client'));
      const [first, second] = (await copyTransactions(engine, client.environmentUuid, model, 2)).toSorted() as [
        string,
        string,
      ];
      await engine.rows('insert into refused values (null, $1, $2)', first, state);
      await engine.waitForTransaction(second, 'the other document is delivered', isDelivered);
      await lookAgain();
      expect(receiver.keys.toSorted()).toEqual([first, second]);
      await retry();
      await lookAgain();
      expect(receiver.requests).toHaveLength(2);
      expect(linesAbout(first)).toEqual([expect.stringContaining(`SQLSTATE ${state}`)]);
      expect(log).not.toContain('an answer of the client');

      await permitAll();
      await retry();
      await engine.waitForTransaction(first, 'its result is written', ({ attempts }) => attempts === 1);
      expect(await listAttempts(engine, first)).toMatchObject([{ number: 1, status, error_code: code }]);
      await waitForIdlePush(engine);
      expect(receiver.requests).toHaveLength(2);
    },
  );

  it('stop sending to an endpoint before too many accumulate, and continue when they are written', async () => {
    Object.assign(engine.app.app.get(PushLimits, { strict: false }), {
      maxRejectedResults: 3,
    } satisfies Partial<PushLimits>);
    const client = await createPushClient(engine, receiver.url());
    const other = await createPushClient(engine, receiver.url('/other'));
    await engine.rows(`insert into refused values ($1, null, '23514')`, client.environmentUuid);
    const uuids = await copyTransactions(engine, client.environmentUuid, model, 60);
    await eventually(async () => {
      await lookAgain();
      return receiver.requests.length >= 3;
    }, 'some are refused');
    await lookAgain();
    const sent = receiver.requests.length;
    // Plus those that were read, in flight or being written at that moment, up to eight of each, of all sixty.
    expect(sent).toBeLessThanOrEqual(3 + 3 * 8);
    await copyTransactions(engine, other.environmentUuid, model, 1);
    await waitForAllDelivered(engine, other); // other endpoints receive their documents
    expect(receiver.requests).toHaveLength(sent + 1);

    await permitAll();
    await retry();
    await waitForAllDelivered(engine, client);
    expect(new Set(receiver.keys).size).toBe(uuids.length + 1);
    expect(receiver.requests).toHaveLength(uuids.length + 1);
  });

  it('discards the result of a deleted document', async () => {
    const { client, connection, transactions } = await createDocuments(engine, 'http://127.0.0.1:1/', 1);
    const { uuid } = transactions[0]!;
    await waitForIdlePush(engine);
    await engine.rows(`insert into refused values (null, $1, '23514')`, uuid);
    await engine.advanceClock(60);
    await eventually(() => Promise.resolve(linesAbout(uuid).length === 1), 'its result is refused');
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
    await retry();
    expect(engine.app.app.get(RejectedResults, { strict: false }).transactionUuids()).not.toContain(uuid);
  });
});

describe('Push results, written by one process', () => {
  let engine: TestEngine;
  let receiver: Receiver;
  let model: string;

  beforeAll(async () => {
    receiver = await Receiver.start();
    const worker = await TestEngine.start();
    const { client, transactions } = await createDocuments(worker, receiver.url(), 1);
    await waitForAllDelivered(worker, client);
    model = transactions[0]!.uuid;
    const { databaseUrl, clock } = worker.app;
    await worker.stop();
    // Without its own scheduler: it sends exactly when the test requests it.
    engine = await TestEngine.start({ role: 'api', databaseUrl, clock });
    useFullConcurrency(engine);
    await refuseResults(engine);
    receiver.clear();
  });
  afterAll(async () => {
    await engine.stop();
    await receiver.stop();
  });

  it('releases a drain whose time slice ends before the database is back', async () => {
    const drain = engine.app.app.get(DrainEndpoint, { strict: false });
    const unwritten = engine.app.app.get(ResultWriter, { strict: false });
    const [one, other] = await Promise.all([
      createPushClient(engine, receiver.url()),
      createPushClient(engine, receiver.url()),
    ]);
    await engine.rows(`insert into refused values ($1, null, '53300')`, one.environmentUuid); // no connection is left
    await copyTransactions(engine, one.environmentUuid, model, 1);
    await copyTransactions(engine, other.environmentUuid, model, 1);
    const waits = jest.spyOn(unwritten, 'waitUntilWritable');
    const first = drain.drain(one.environmentUuid, AbortSignal.timeout(60_000));
    await eventually(
      () =>
        Promise.race([
          unwritten.waitUntilWritable().then(() => false),
          new Promise<true>((yes) => setImmediate(yes, true)),
        ]),
      'the result cannot be written',
    );
    waits.mockClear();
    const turn = new AbortController();
    const second = drain.drain(other.environmentUuid, turn.signal);
    await eventually(() => Promise.resolve(waits.mock.calls.length > 0), 'the other drain waits to send');
    turn.abort();
    await engine.rows('delete from refused');
    await Promise.all([first, second]);
    expect(receiver.requests).toHaveLength(1);
    await drain.drain(other.environmentUuid, AbortSignal.timeout(60_000));
    expect(receiver.requests).toHaveLength(2);
    waits.mockRestore();
  });

  it('counts a failure once for the circuit, although it is written twice', async () => {
    const { environmentUuid } = await createPushClient(engine, receiver.url());
    const [uuid] = await copyTransactions(engine, environmentUuid, model, 1);
    const [sent] = await readDue(engine.app.app.get(EntityManager, { strict: false }).fork(), {
      ...{ environmentUuid, lowPriority: false, at: engine.app.clock.now(), excluded: [], limit: 1 },
    });
    const [{ endpointVersion }] = (await engine.rows<{ endpointVersion: number }>(
      'select endpoint_version as "endpointVersion" from environment where uuid = $1',
      environmentUuid,
    )) as [{ endpointVersion: number }];
    const settle = engine.app.app.get(RecordAttemptResult, { strict: false });
    const result = { status: 500, errorCode: 'UNEXPECTED_STATUS', retryAfterSeconds: null, responseExcerpt: null };
    for (let time = 0; time < 2; time++) {
      const route = { environmentUuid, endpointVersion, permission: 'all' } as const;
      await settle.record(sent!.transaction, route, engine.app.clock.now(), { ...result, durationMs: 1 });
    }
    const [endpoint] = await engine.rows('select * from endpoint where environment_uuid = $1', environmentUuid);
    expect(endpoint).toMatchObject({ consecutive_failures: 1 });
    expect(await listAttempts(engine, uuid!)).toHaveLength(1);
  });
});

/** Lets the database reject the results of transactions and environments in the table `refused`, as an unknown constraint would. */
async function refuseResults(engine: TestEngine): Promise<void> {
  await engine.rows(
    `create table refused (environment_uuid uuid, transaction_uuid uuid, state text not null);
     create function refuse() returns trigger language plpgsql as $$
     declare found_state text;
     begin
       select state into found_state from refused r
         where r.transaction_uuid = new.uuid or r.environment_uuid = new.environment_uuid;
       if found_state is not null then raise 'refused' using errcode = found_state; end if;
       return new;
     end $$;
     create trigger refuse before update of attempts on transaction for each row execute function refuse();`,
  );
}
