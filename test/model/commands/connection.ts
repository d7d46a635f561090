import fc from 'fast-check';
import type { Episode } from '../episode';
import { isListing, KINDS, ModelConnection, REJECTIONS, STRATEGIES } from '../model';
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
      async (model, episode) => {
        const { strategy, documents, selection: kinds } = given;
        const { client, identity } = episode.tenants[strategy];
        const fields = { user: episode.name(), password: 'right', documents, new_per_fetch: 0, document_size_kb: 3 };
        const { body } = await client
          .request('post', '/v1/connections')
          .send({ integration_id: 'sandbox', name: 'Portal', identity_uuid: identity, fields })
          .expect(201);
        const { uuid } = (body as { data: { uuid: string } }).data;
        const answer = await episode.asUser(strategy, `/v1/connections/${uuid}/step2`, selected(kinds));
        expect(answer.status).toBe(204);
        model.connections.set(uuid, new ModelConnection(uuid, strategy, documents, kinds, episode.world.now()));
      },
      (model) => model.connections.size < MAX_CONNECTIONS,
    ),
  );

export const changeSelection = fc.record({ connection, selection }).map((given) =>
  connectionStep('change the selection', given, async (target, episode) => {
    const path = `/v1/connections/${target.uuid}/step2`;
    const { status } = await episode.asUser(target.strategy, path, selected(given.selection));
    // The selection is checked with the portal.
    expect(status).toBe(isListing(target.scenario) ? 204 : 422);
    if (status !== 204) return;
    target.select(given.selection);
    changed(target, episode);
  }),
);

export const disable = fc.record({ connection }).map((given) =>
  connectionStep('disable', given, async (target, episode) => {
    await put(target, episode, 'disable');
    const [row] = await episode.world.rows<{ count: string }>(
      'select count(*) from transaction where connection_uuid = $1',
      target.uuid,
    );
    target.disabledWith ??= Number(row!.count);
    changed(target, episode);
  }),
);

export const enable = fc.record({ connection }).map((given) =>
  connectionStep('enable', given, async (target, episode) => {
    await put(target, episode, 'enable');
    target.disabledWith = null;
    changed(target, episode);
  }),
);

export const breakCredentials = fc
  .record({ connection, scenario: fc.constantFrom(...REJECTIONS) })
  .map((given) =>
    connectionStep('break the credentials', given, (target, episode) => setScenario(target, episode, given.scenario)),
  );

export const repairCredentials = fc
  .record({ connection })
  .map((given) => connectionStep('repair the credentials', given, repair));

/** The portal works, and the user enters the password again. */
export async function repair(target: ModelConnection, episode: Episode): Promise<void> {
  await setScenario(target, episode, 'normal');
  const path = `/v1/connections/${target.uuid}`;
  const answer = await episode.asUser(target.strategy, path, { fields: { password: 'right' } });
  expect(answer.status).toBe(200);
  target.credentials = 'GOOD';
  changed(target, episode);
  const { status } = (answer.body as { data: { status: string } }).data;
  expect(target.statuses).toContain(status);
}

export const deleteConnection = fc.record({ connection }).map((given) =>
  connectionStep('delete', given, async (target, episode, model) => {
    const { client } = episode.tenants[target.strategy];
    const path = `/v1/connections/${target.uuid}`;
    const rows = await episode.world.rows<{ uuid: string }>(
      `select uuid from transaction where connection_uuid = $1 union all select uuid from "fetch" where connection_uuid = $1`,
      target.uuid,
    );
    await client.request('delete', path).expect(204);
    const uuids = rows.map(({ uuid }) => uuid);
    model.delete(target, uuids);
    const paths = [path, `${path}/fetches`, ...uuids.slice(0, 2).map((uuid) => `/v1/transactions/${uuid}/document`)];
    for (const gone of paths) await client.request('get', gone).expect(404);
    expect(await remains(episode, [target.uuid, ...uuids])).toEqual([]);
  }),
);

/** Makes the portal behave differently from its next request on. */
export async function setScenario(
  target: ModelConnection,
  episode: Episode,
  scenario: ModelConnection['scenario'],
): Promise<void> {
  const path = `/v1/sandbox/connections/${target.uuid}/scenario`;
  await episode.tenants[target.strategy].client.request('post', path).send({ scenario }).expect(204);
  target.setScenario(scenario);
  changed(target, episode);
}

const selected = (kinds: readonly string[]) => ({ fields: { folders: ['inbox'], kinds } });

const put = (target: ModelConnection, { tenants }: Episode, action: 'enable' | 'disable') =>
  tenants[target.strategy].client.request('put', `/v1/connections/${target.uuid}/${action}`).expect(204);
