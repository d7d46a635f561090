import { v7 as uuid } from 'uuid';
import { SetProvisioning } from '../../../../src/identities/environments/set-provisioning';
import { Jobs } from '../../../../src/platform/jobs/jobs';
import { PushLimits } from '../../../../src/provisioning/shared/push-limits';
import { copyConnection } from '../../../builders/copy-connection';
import type { Receiver } from '../../../fakes/receiver';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { type TestEngine, connectSandbox, type TransactionRow } from '../../../harness/engine/test-engine';

/** A row of `delivery_attempt`. */
export interface AttemptRow {
  readonly number: number;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error_code: string | null;
  readonly response_excerpt: string | null;
}

/** Creates a client whose documents are pushed to the receiver. */
export const createPushClient = (engine: TestEngine, url: string): Promise<TestClient> =>
  createTestClient(engine.app, { provisioning: { strategy: 'PUSH', url, auth: 'NONE', secret: null } });

/** Sets another URL as the support team does. */
export async function changeUrl(engine: TestEngine, { environmentUuid }: TestClient, url: string): Promise<void> {
  const set = engine.app.app.get(SetProvisioning, { strict: false });
  await set.set('test', environmentUuid, { strategy: 'PUSH', url, auth: 'NONE', secret: null });
}

/** Creates a client that fetches documents; returns their transactions once all are recorded. */
export async function createDocuments(
  engine: TestEngine,
  url: string,
  documents: number,
  fields: Record<string, unknown> = {},
): Promise<{ client: TestClient; connection: string; transactions: TransactionRow[] }> {
  const client = await createPushClient(engine, url);
  const connection = await connectSandbox(client, { documents, new_per_fetch: 0, document_size_kb: 4, ...fields });
  await engine.waitForFetches(connection, 1);
  return { client, connection, transactions: await engine.transactions(connection) };
}

/** Pushes one document to the receiver's scripted response; returns it once the result is recorded. */
export async function pushOneDocument(
  engine: TestEngine,
  receiver: Receiver,
  fields: Record<string, unknown> = {},
): Promise<{ transaction: TransactionRow; attempt: AttemptRow }> {
  const { transactions } = await createDocuments(engine, receiver.url(), 1, fields);
  const { uuid } = transactions[0]!;
  const transaction = await engine.waitForTransaction(
    uuid,
    'the first attempt is settled',
    ({ attempts }) => attempts === 1,
  );
  return { transaction, attempt: (await listAttempts(engine, uuid))[0]! };
}

export const listAttempts = (engine: TestEngine, transaction: string): Promise<AttemptRow[]> =>
  engine.rows('select * from delivery_attempt where transaction_uuid = $1 order by uuid', transaction);

export const isDelivered = ({ status }: TransactionRow): boolean => status === 'DELIVERED';

/** Seconds until the next attempt. */
export function secondsUntilRetry(engine: TestEngine, { due_at }: TransactionRow): number {
  return (due_at!.getTime() - engine.app.clock.now().getTime()) / 1000;
}

/** Resolves when every due document has been tried. */
export async function waitForIdlePush(engine: TestEngine): Promise<void> {
  await engine.runPolls();
  await waitForDrains(engine);
}

/** Resolves when no endpoint is being sent to. */
export async function waitForDrains({ app }: TestEngine): Promise<void> {
  const jobs = app.app.get(Jobs, { strict: false });
  await Promise.all([jobs.idle('drain-endpoint'), jobs.idle('drain-slow-endpoint')]);
}

/** Resolves when all of the client's documents are delivered. */
export const waitForAllDelivered = (engine: TestEngine, { environmentUuid }: TestClient): Promise<boolean> =>
  eventually(async () => {
    const open = await engine.count(
      `select count(*) from transaction where environment_uuid = $1 and status <> 'DELIVERED'`,
      environmentUuid,
    );
    return open === 0;
  }, 'everything is delivered');

/** Shortens the response timeout of endpoints. */
export function setResponseTimeout(engine: TestEngine, idleTimeoutMs: number): void {
  Object.assign(engine.app.app.get(PushLimits, { strict: false }), { idleTimeoutMs } satisfies Partial<PushLimits>);
}

/** Gives every endpoint the full concurrency of eight from the start, as after a series of successes. */
export function useFullConcurrency(engine: TestEngine): void {
  const limits = engine.app.app.get(PushLimits, { strict: false });
  Object.assign(limits, { initialInFlight: limits.maxInFlight } satisfies Partial<PushLimits>);
}

/** Copies a document `count` times into an environment, due now. Returns the copies' uuids. */
export async function copyTransactions(
  engine: TestEngine,
  environmentUuid: string,
  model: string,
  count: number,
): Promise<string[]> {
  const uuids = Array.from({ length: count }, () => uuid());
  const [own] = await engine.rows<{ environment_uuid: string; connection_uuid: string }>(
    'select environment_uuid, connection_uuid from transaction where uuid = $1',
    model,
  );
  const connection =
    own!.environment_uuid === environmentUuid
      ? own!.connection_uuid
      : await copyConnection(engine.app.app, own!.connection_uuid, environmentUuid);
  await engine.rows(
    `insert into transaction select made.* from transaction t, unnest($3::uuid[]) fresh,
       jsonb_populate_record(t, jsonb_build_object('uuid', fresh, 'dedupe_key', fresh, 'position', null,
         'environment_uuid', $2::text, 'connection_uuid', $5::text, 'status', 'PENDING', 'attempts', 0, 'last_error', null, 'settled_at', null,
         'last_attempt_at', null, 'due_at', $4::timestamptz)) made
     where t.uuid = $1`,
    model,
    environmentUuid,
    uuids,
    engine.app.clock.now(),
    connection,
  );
  return uuids;
}
