import type { ModelRun } from './model-run';
import { violations } from './invariants';
import { STRATEGIES, type Model } from './model';
import { observe, type Observation } from './observe';

/** Lets the service come to rest, and checks every rule. */
export async function settle(model: Model, modelRun: ModelRun): Promise<Observation> {
  const observed = await observeAtRest(model, modelRun);
  const feeds = STRATEGIES.map((strategy) => modelRun.tenants[strategy].feed);
  expect(violations(model, { ...observed, feeds, pushes: modelRun.endpoint.log })).toEqual([]);
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

/** Time passes during the observation too: when something becomes due before its end, parts of it would show different states. */
async function observeAtRest(model: Model, modelRun: ModelRun): Promise<Observation> {
  for (;;) {
    const due = await modelRun.nextDue(await modelRun.rest());
    const observed = await observe(modelRun, model);
    if (modelRun.service.now() < due) return observed;
    modelRun.count('observations again');
  }
}
