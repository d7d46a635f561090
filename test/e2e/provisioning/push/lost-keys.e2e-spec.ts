import { answer, type Receiver } from '../../../fakes/receiver';
import { type TestEngine, connectSandbox, type TransactionRow } from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import { listAttempts, createDocuments, waitForIdlePush, isDelivered, secondsUntilRetry } from './push-setup';

/** A badly restored backup, or a key that was destroyed by mistake: the connection still exists. */
describe('Documents of a connection whose data key is lost', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  /** Two connections of one client; the first push of each document has failed, and the receiver works again. */
  async function twoConnections(): Promise<{ connection: string; lost: TransactionRow; sound: TransactionRow }> {
    receiver.always(answer(500));
    const { client, connection, transactions } = await createDocuments(engine, receiver.url(), 1);
    const other = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(other, 1);
    const [sound] = await engine.transactions(other);
    const tried = ({ uuid }: TransactionRow) =>
      engine.waitForTransaction(uuid, 'the first attempt is settled', ({ attempts }) => attempts === 1);
    const found = { connection, lost: await tried(transactions[0]!), sound: await tried(sound!) };
    await waitForIdlePush(engine);
    receiver.clear();
    receiver.always(answer(200));
    return found;
  }

  it.each([
    [
      'wrapped by a master key that is not configured',
      `update data_key set master_key_id = 'lost' where owner_uuid = $1`,
    ],
    ['damaged', `update data_key set wrapped_key = wrapped_key || '\\x00' where owner_uuid = $1`],
  ])('fail individually while it is %s, and are sent when it is restored', async (_, lose) => {
    const { connection, lost, sound } = await twoConnections();
    const [key] = await engine.rows<Record<string, unknown>>(
      'select * from data_key where owner_uuid = $1',
      connection,
    );
    await engine.rows(lose, connection);
    await engine.advanceClock(40);
    await engine.waitForTransaction(sound.uuid, 'the other connection’s document is delivered', isDelivered);
    const failed = await engine.waitForTransaction(
      lost.uuid,
      'it has failed visibly',
      ({ attempts }) => attempts === 2,
    );
    expect(failed).toMatchObject({ status: 'PENDING', last_error: { code: 'CONTENT_UNREADABLE', status: null } });
    expect((await listAttempts(engine, lost.uuid))[1]).toMatchObject({
      number: 2,
      status: null,
      error_code: 'CONTENT_UNREADABLE',
    });
    await waitForIdlePush(engine); // the delivery closes the circuit a moment after it is recorded
    // The endpoint is not the cause.
    const [endpoint] = await engine.rows<{ consecutive_failures: number }>(
      'select consecutive_failures from endpoint join transaction using (environment_uuid) where uuid = $1',
      lost.uuid,
    );
    expect(endpoint!.consecutive_failures).toBe(0);
    expect(receiver.keys).toEqual([sound.uuid]);

    await engine.rows(
      'update data_key set master_key_id = $2, wrapped_key = $3 where owner_uuid = $1',
      connection,
      key!.master_key_id,
      key!.wrapped_key,
    );
    await waitForIdlePush(engine);
    await engine.advanceClock(secondsUntilRetry(engine, failed) + 1);
    await engine.waitForTransaction(lost.uuid, 'it is delivered', isDelivered);
    expect(receiver.keys).toEqual([sound.uuid, lost.uuid]);
  });

  it('are FAILED after the usual number of attempts when the key is lost, and the client is notified', async () => {
    const { connection, lost, sound } = await twoConnections();
    await engine.rows('delete from data_key where owner_uuid = $1', connection);
    for (let number = 1; number < 12; number++) {
      const tried = await engine.waitForTransaction(
        lost.uuid,
        `attempt ${number}`,
        ({ attempts }) => attempts === number,
      );
      await waitForIdlePush(engine);
      await engine.advanceClock(secondsUntilRetry(engine, tried) + 1);
    }
    const failed = await engine.waitForTransaction(lost.uuid, 'it has failed', ({ status }) => status === 'FAILED');
    expect(failed).toMatchObject({ attempts: 12, due_at: null, last_error: { code: 'CONTENT_UNREADABLE' } });
    const events = await engine.rows<{ data: unknown }>(
      `select data from outbox where type = 'delivery.failed' and subject_uuid = $1`,
      connection,
    );
    expect(events).toEqual([{ data: { transaction_uuid: lost.uuid, error: failed.last_error } }]);
    await waitForIdlePush(engine);
    expect(receiver.keys).toEqual([sound.uuid]);
  });
});
