import { eventually } from '../eventually';
import type { Stage } from './test-context';

/** A connection whose first fetch has brought its documents; answers its uuid. Needs a stage with workers. */
export async function connectionWithDocuments(
  stage: Stage,
  fields: Record<string, unknown>,
  identity: { uuid: string; token: string } = { uuid: stage.identity, token: stage.token },
): Promise<string> {
  const uuid = await stage.connection({ identity: identity.uuid, fields });
  await stage.client
    .callWithToken(identity.token, 'put', `/v1/connections/${uuid}/step2`)
    .send({ fields: {} })
    .expect(204);
  await eventually(async () => {
    const [row] = await stage.query<{ done: boolean }>(
      "select last_fetch->>'finished_at' is not null as done from connection where uuid = $1",
      [uuid],
    );
    return row?.done;
  }, 'the first fetch ends');
  return uuid;
}
