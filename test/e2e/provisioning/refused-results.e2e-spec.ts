import { Writable } from 'node:stream';
import { PushLimits } from '../../../src/provisioning/push-limits';
import { RefusedResults } from '../../../src/provisioning/sending/refused-results';
import { answer, Receiver } from '../../fakes/receiver';
import { eventually } from '../../harness/eventually';
import { Engine } from '../fetches/engine';
import { allDelivered, attemptsOf, copyTo, documentsFor, drained, isDelivered, pushingTo } from './pushing';

describe('What an endpoint has answered, when the database refuses to take it (contract 6)', () => {
  let engine: Engine;
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
      Engine.start({ log: sink, settings: { logLevel: 'error' } }),
      Receiver.start(),
    ]);
    const { client, transactions } = await documentsFor(engine, receiver.url(), 1);
    await allDelivered(engine, client);
    model = transactions[0]!.uuid;
    // As a constraint would that the service knows nothing of.
    await engine.rows(
      `create table refused (environment_uuid uuid, transaction_uuid uuid, state text not null);
       create function refuse() returns trigger language plpgsql as $$ begin
         if exists (select from refused r where r.state = '23514'
                    and (r.transaction_uuid = new.uuid or r.environment_uuid = new.environment_uuid)) then
           raise 'refused' using errcode = '23514';
         end if;
         if exists (select from refused r where r.state = '22003' and r.transaction_uuid = new.uuid) then
           raise 'refused' using errcode = '22003';
         end if;
         return new;
       end $$;
       create trigger refuse before update of attempts on transaction for each row execute function refuse();`,
    );
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
  const retry = () => engine.app.app.get(RefusedResults, { strict: false }).retry();
  const linesAbout = (uuid: string) =>
    log.split('\n').filter((line) => line.includes(uuid) && line.includes('refuses'));
  /** Every chance to send something again: each look makes a job for what is due. */
  const lookAgain = async () => {
    for (let look = 0; look < 3; look++) await drained(engine);
  };

  it.each([
    ['delivered', 200, '23514', null],
    ['delivered', 200, '22003', null],
    ['not delivered', 500, '23514', 'UNEXPECTED_STATUS'],
  ])(
    'sends a document that was %s (%i, SQLSTATE %s) no more, and writes that when it can',
    async (_, status, state, code) => {
      const client = await pushingTo(engine, receiver.url());
      receiver.next(answer(status, {}, 'an answer of the client'));
      const [first, second] = (await copyTo(engine, client.environmentUuid, model, 2)).toSorted() as [string, string];
      await engine.rows('insert into refused values (null, $1, $2)', first, state);
      await engine.transaction(second, 'the other document is delivered', isDelivered);
      await lookAgain();
      expect(receiver.keys.toSorted()).toEqual([first, second]);
      await retry();
      await lookAgain();
      expect(receiver.requests).toHaveLength(2);
      expect(linesAbout(first)).toEqual([expect.stringContaining(`SQLSTATE ${state}`)]);
      expect(log).not.toContain('an answer of the client');

      await permitAll();
      await retry();
      await engine.transaction(first, 'its result is written', ({ attempts }) => attempts === 1);
      expect(await attemptsOf(engine, first)).toMatchObject([{ number: 1, status, error_code: code }]);
      await drained(engine);
      expect(receiver.requests).toHaveLength(2);
    },
  );

  it('stops to send to an endpoint before such results become too many, and goes on when they are written', async () => {
    Object.assign(engine.app.app.get(PushLimits, { strict: false }), { refusedAtMost: 3 });
    const client = await pushingTo(engine, receiver.url());
    const other = await pushingTo(engine, receiver.url('/other'));
    await engine.rows(`insert into refused values ($1, null, '23514')`, client.environmentUuid);
    const uuids = await copyTo(engine, client.environmentUuid, model, 60);
    await eventually(async () => {
      await lookAgain();
      return receiver.requests.length >= 3;
    }, 'some are refused');
    await lookAgain();
    const sent = receiver.requests.length;
    expect(sent).toBeLessThanOrEqual(3 + 16); // and what one drain has on its way and being written down
    await copyTo(engine, other.environmentUuid, model, 1);
    await allDelivered(engine, other); // other endpoints get theirs
    expect(receiver.requests).toHaveLength(sent + 1);

    await permitAll();
    await retry();
    await allDelivered(engine, client);
    expect(new Set(receiver.keys).size).toBe(uuids.length + 1);
    expect(receiver.requests).toHaveLength(uuids.length + 1);
  });

  it('forgets the result of a document that is deleted', async () => {
    const { client, connection, transactions } = await documentsFor(engine, 'http://127.0.0.1:1/', 1);
    const { uuid } = transactions[0]!;
    await drained(engine);
    await engine.rows(`insert into refused values (null, $1, '23514')`, uuid);
    await engine.move(60);
    await eventually(() => Promise.resolve(linesAbout(uuid).length === 1), 'its result is refused');
    await client.call('delete', `/v1/connections/${connection}`).expect(204);
    await retry();
    expect(engine.app.app.get(RefusedResults, { strict: false }).transactions()).not.toContain(uuid);
  });
});
