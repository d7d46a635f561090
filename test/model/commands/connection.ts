import fc from 'fast-check';
import type { ModelRun } from '../model-run';
import {
  isListing,
  KINDS,
  type Kind,
  type Model,
  ModelConnection,
  REJECTIONS,
  STRATEGIES,
  type Strategy,
} from '../model';
import { remains } from '../observe';
import { changed, connectionStep, step } from './step';

/** A rate limit of the test, not of the service: checks take longer with more. */
const MAX_CONNECTIONS = 6;

const connection = fc.nat(59);
const selection = fc.subarray([...KINDS], { minLength: 1 });

export const createConnection = fc
  .record({ strategy: fc.constantFrom(...STRATEGIES), documents: fc.nat(5), selection })
  .map((given) =>
    step(
      'create a connection',
      given,
      (model, modelRun) => connectPortal(model, modelRun, given),
      (model) => model.connections.size < MAX_CONNECTIONS,
    ),
  );

interface NewPortal {
  readonly strategy: Strategy;
  /** How many documents it contains. */
  readonly documents: number;
  readonly selection: readonly Kind[];
  /** Fields of step 1 besides these. */
  readonly fields?: object;
}

export async function connectPortal(
  model: Model,
  modelRun: ModelRun,
  { strategy, documents, selection: kinds, fields: more }: NewPortal,
): Promise<ModelConnection> {
  const { client, identity } = modelRun.tenants[strategy];
  const fields = {
    user: modelRun.name(),
    password: 'right',
    documents,
    new_per_fetch: 0,
    document_size_kb: 3,
    ...more,
  };
  const { body } = await client
    .request('post', '/v1/connections')
    .send({ integration_id: 'sandbox', name: 'Portal', identity_uuid: identity, fields })
    .expect(201);
  const { uuid } = (body as { data: { uuid: string } }).data;
  const answer = await modelRun.asUser(strategy, `/v1/connections/${uuid}/step2`, selected(kinds));
  expect(answer.status).toBe(204);
  const connected = new ModelConnection(uuid, strategy, documents, kinds, modelRun.service.workersNow());
  model.connections.set(uuid, connected);
  return connected;
}

export const changeSelection = fc.record({ connection, selection }).map((given) =>
  connectionStep('change the selection', given, async (target, modelRun) => {
    const path = `/v1/connections/${target.uuid}/step2`;
    const { status } = await modelRun.asUser(target.strategy, path, selected(given.selection));
    // The selection is checked with the portal.
    expect(status).toBe(isListing(target.scenario) ? 204 : 422);
    if (status !== 204) return;
    target.select(given.selection);
    changed(target, modelRun);
  }),
);

export const disable = fc.record({ connection }).map((given) =>
  connectionStep('disable', given, async (target, modelRun) => {
    await put(target, modelRun, 'disable');
    const [row] = await modelRun.service.rows<{ count: string }>(
      'select count(*) from transaction where connection_uuid = $1',
      target.uuid,
    );
    target.disabledWith ??= Number(row!.count);
    changed(target, modelRun);
  }),
);

export const enable = fc.record({ connection }).map((given) =>
  connectionStep('enable', given, async (target, modelRun) => {
    await put(target, modelRun, 'enable');
    target.disabledWith = null;
    changed(target, modelRun);
  }),
);

export const breakCredentials = fc
  .record({ connection, scenario: fc.constantFrom(...REJECTIONS) })
  .map((given) =>
    connectionStep('break the credentials', given, (target, modelRun) => setScenario(target, modelRun, given.scenario)),
  );

export const repairCredentials = fc
  .record({ connection })
  .map((given) => connectionStep('repair the credentials', given, repair));

/** The portal works, and the user enters the password again. */
export async function repair(target: ModelConnection, modelRun: ModelRun): Promise<void> {
  await setScenario(target, modelRun, 'normal');
  const path = `/v1/connections/${target.uuid}`;
  const answer = await modelRun.asUser(target.strategy, path, { fields: { password: 'right' } });
  expect(answer.status).toBe(200);
  target.credentials = 'GOOD';
  changed(target, modelRun);
  const { status } = (answer.body as { data: { status: string } }).data;
  expect(target.statuses).toContain(status);
}

export const deleteConnection = fc.record({ connection }).map((given) =>
  connectionStep('delete', given, async (target, modelRun, model) => {
    const { client } = modelRun.tenants[target.strategy];
    const path = `/v1/connections/${target.uuid}`;
    const rows = await modelRun.service.rows<{ uuid: string }>(
      `select uuid from transaction where connection_uuid = $1 union all select uuid from "fetch" where connection_uuid = $1`,
      target.uuid,
    );
    await client.request('delete', path).expect(204);
    const uuids = rows.map(({ uuid }) => uuid);
    model.delete(target, uuids);
    const paths = [path, `${path}/fetches`, ...uuids.slice(0, 2).map((uuid) => `/v1/transactions/${uuid}/document`)];
    for (const gone of paths) await client.request('get', gone).expect(404);
    expect(await remains(modelRun, [target.uuid, ...uuids])).toEqual([]);
  }),
);

/** Makes the portal behave differently from its next request on. */
export async function setScenario(
  target: ModelConnection,
  modelRun: ModelRun,
  scenario: ModelConnection['scenario'],
): Promise<void> {
  const path = `/v1/sandbox/connections/${target.uuid}/scenario`;
  await modelRun.tenants[target.strategy].client.request('post', path).send({ scenario }).expect(204);
  target.setScenario(scenario);
  changed(target, modelRun);
}

const selected = (kinds: readonly string[]) => ({ fields: { folders: ['inbox'], kinds } });

const put = (target: ModelConnection, { tenants }: ModelRun, action: 'enable' | 'disable') =>
  tenants[target.strategy].client.request('put', `/v1/connections/${target.uuid}/${action}`).expect(204);
