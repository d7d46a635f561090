import { repair } from './commands/connection';
import type { ModelRun } from './model-run';
import { STRATEGIES, type Model } from './model';
import { remains, remainsAtRest } from './observe';
import { settle } from './settle';

/** Longer than the longest interval between two attempts, two trials of a circuit, or two fetches. */
const ALL_IS_DUE = 27 * 3600;

/**
 * The end of a run: everything works again. Then every document must be recorded and delivered, and after the deletion nothing
 * may be left.
 */
export async function finish(model: Model, modelRun: ModelRun): Promise<void> {
  const { service, endpoint, tenants } = modelRun;
  await settle(model, modelRun);
  await endpoint.setMode('accepts');
  for (const connection of model.connections.values()) {
    const { client } = tenants[connection.strategy];
    await client.request('put', `/v1/connections/${connection.uuid}/enable`).expect(204);
    connection.disabledWith = null;
    await repair(connection, modelRun);
  }
  await service.advance(ALL_IS_DUE);
  let { fetches, transactions } = await settle(model, modelRun);
  if (transactions.some(({ status }) => status === 'FAILED')) {
    endpoint.log.redeliver();
    await tenants.PUSH.client.request('post', '/v1/transactions/redeliver').send({ status: 'FAILED' }).expect(202);
    ({ fetches, transactions } = await settle(model, modelRun));
  }

  const last = new Map(fetches.map((fetch) => [fetch.connection_uuid, fetch]));
  expect([...last.values()].filter(({ status }) => status !== 'SUCCEEDED')).toEqual([]);
  expect(transactions.filter(({ status }) => ['PENDING', 'FAILED'].includes(status))).toEqual([]);
  const living = new Set(transactions.map(({ uuid }) => uuid));
  for (const strategy of STRATEGIES) {
    const { feed } = tenants[strategy];
    const again = await feed.readAll();
    expect(again.map((row) => row.transaction_uuid)).toEqual([...feed.received].filter((uuid) => living.has(uuid)));
  }
  await deleteAll(model, modelRun, [...living, ...fetches.map(({ uuid }) => uuid)]);
}

/** Deletes the identities with everything that belongs to them: nothing of it may be left, also when all work has ended. */
async function deleteAll(model: Model, modelRun: ModelRun, uuids: readonly string[]): Promise<void> {
  const deleted = [...uuids, ...model.connections.keys()];
  for (const strategy of STRATEGIES) {
    const { client, identity } = modelRun.tenants[strategy];
    deleted.push(identity);
    await client.request('delete', `/v1/identities/${identity}`).expect(204);
  }
  expect(await remains(modelRun, deleted)).toEqual([]);
  await modelRun.rest();
  expect(await remainsAtRest(modelRun, deleted)).toEqual([]);
  for (const strategy of STRATEGIES) expect(await modelRun.tenants[strategy].feed.readAll()).toEqual([]);
  expect(modelRun.endpoint.log.takeForbidden()).toEqual([]);
}
