import { answer, Receiver } from '../../../fakes/receiver';
import { TestEngine } from '../../../harness/engine/test-engine';
import { createDocuments, waitForIdlePush } from './push-setup';

/** A client with thousands of pending documents, half of them redelivered in bulk; the circuit of its endpoint is open. */
export interface PushBacklog {
  readonly engine: TestEngine;
  readonly environment: string;
}

/** Sets it up once for the test file, and clears it afterwards. Its members exist from `beforeAll` on. */
export function usePushBacklog(documents: number): PushBacklog {
  const waiting = {} as { -readonly [Member in keyof PushBacklog]: PushBacklog[Member] };
  let receiver: Receiver;

  beforeAll(async () => {
    [waiting.engine, receiver] = await Promise.all([TestEngine.start(), Receiver.start()]);
    const { engine } = waiting;
    receiver.always(answer(503, { 'retry-after': '3600' }));
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    await waitForIdlePush(engine); // from now on the circuit of the endpoint is open
    waiting.environment = client.environmentUuid;
    await engine.rows(
      `insert into transaction
       select (jsonb_populate_record(t, jsonb_build_object('uuid', gen_random_uuid(), 'dedupe_key', n::text,
         'low_priority', n % 2 = 0, 'due_at', $2::timestamptz - make_interval(secs => n % 100), 'attempts', n))).*
       from transaction t, generate_series(1, $3::int) n where t.uuid = $1`,
      transactions[0]!.uuid,
      engine.app.clock.now(),
      documents,
    );
    await engine.rows('analyze transaction');
  });
  afterAll(async () => {
    await waiting.engine?.stop();
    await receiver?.stop();
  });

  return waiting;
}
