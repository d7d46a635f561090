import type { ModelRun } from './model-run';
import { violations } from './invariants';
import { STRATEGIES, type Model } from './model';
import { observe, type Observation } from './observe';

/** Lets the service come to rest, and checks every rule. */
export async function settle(model: Model, modelRun: ModelRun): Promise<Observation> {
  const observed = await observeAtRest(model, modelRun);
  const feeds = STRATEGIES.map((strategy) => modelRun.tenants[strategy].feed);
  const found = violations(model, { ...observed, feeds, pushes: modelRun.endpoint.log });
  if (found.length > 0) process.stdout.write(await describeDeliveries(modelRun, found));
  expect(found).toEqual([]);
  const keys = Map.groupBy(observed.transactions, (row) => row.connection_uuid);
  for (const connection of model.connections.values()) {
    const recorded = new Set(keys.get(connection.uuid)?.map(({ key }) => key));
    connection.atRest(observed.statuses.get(connection.uuid)!, recorded);
  }
  modelRun.endpoint.log.atRest(observed.waiting);
  model.deleted.length = 0;
  modelRun.count('settled phases');
  return observed;
}

/**
 * What the database knows about the transactions that the violations name, their attempts, the bulk redeliveries, and the fetches of
 * the connections that they name, one row per line.
 */
async function describeDeliveries({ service, environments }: ModelRun, found: readonly string[]): Promise<string> {
  const named = found.flatMap((sentence) => sentence.match(UUIDS) ?? []);
  const transactions = await service.rows(
    `select uuid, status, created_at, attempts, prior_attempts, restarted_at, last_attempt_at, settled_at, due_at
     from transaction where uuid = any($1::uuid[]) order by uuid`,
    named,
  );
  const attempts = await service.rows(
    `select transaction_uuid, number, started_at, duration_ms, status, error_code
     from delivery_attempt where transaction_uuid = any($1::uuid[]) order by transaction_uuid, number`,
    named,
  );
  const redeliveries = await service.rows(
    `select uuid, status, connection_uuid, requested_at, finished_at, total, processed
     from redelivery where environment_uuid = any($1::uuid[]) order by requested_at`,
    environments,
  );
  const fetches = await service.rows(
    `select uuid, connection_uuid, trigger, status, seen, new, duplicate, filtered, failed, error_code, interruptions, created_at,
       started_at, finished_at
     from "fetch" where connection_uuid = any($1::uuid[]) order by connection_uuid, started_at`,
    named,
  );
  return [...transactions, ...attempts, ...redeliveries, ...fetches].map((row) => `${JSON.stringify(row)}\n`).join('');
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Time passes during the observation too: when something becomes due before its end, parts of it would show different states. */
async function observeAtRest(model: Model, modelRun: ModelRun): Promise<Observation> {
  for (;;) {
    const due = await modelRun.nextDue(await modelRun.rest());
    const observed = await observe(modelRun, model);
    if (modelRun.service.workersNow() < due) return observed;
    modelRun.count('observations again');
  }
}
