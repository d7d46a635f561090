import type { Episode } from './episode';
import { violations } from './invariants';
import { STRATEGIES, type Model } from './model';
import { observe, type Observation } from './observe';

/** Lets the service come to rest, and checks every rule. */
export async function settle(model: Model, episode: Episode): Promise<Observation> {
  const observed = await observeAtRest(model, episode);
  const feeds = STRATEGIES.map((strategy) => episode.tenants[strategy].feed);
  expect(violations(model, { ...observed, feeds, pushes: episode.endpoint.log })).toEqual([]);
  const keys = Map.groupBy(observed.transactions, (row) => row.connection_uuid);
  for (const connection of model.connections.values()) {
    const recorded = new Set(keys.get(connection.uuid)?.map(({ key }) => key));
    connection.atRest(observed.statuses.get(connection.uuid)!, recorded);
  }
  episode.endpoint.log.atRest(observed.waiting);
  model.deleted.length = 0;
  episode.count('settled phases');
  return observed;
}

/** Time passes during the observation too: when something becomes due before its end, parts of it would show different states. */
async function observeAtRest(model: Model, episode: Episode): Promise<Observation> {
  for (;;) {
    const due = await episode.nextDue(await episode.rest());
    const observed = await observe(episode, model);
    if (episode.world.now() < due) return observed;
    episode.count('observations again');
  }
}
