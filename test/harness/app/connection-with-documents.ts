import { eventually } from '../eventually';
import type { TestContext } from './test-context';

/** Creates a connection whose first fetch has recorded its documents; returns its uuid. Needs a context with workers. */
export async function connectionWithDocuments(
  context: TestContext,
  fields: Record<string, unknown>,
  identity: { uuid: string; token: string } = { uuid: context.identity, token: context.token },
): Promise<string> {
  const uuid = await context.createConnection({ identity: identity.uuid, fields });
  await context.client
    .requestWithToken(identity.token, 'put', `/v1/connections/${uuid}/step2`)
    .send({ fields: {} })
    .expect(204);
  await eventually(async () => {
    const [row] = await context.query<{ done: boolean }>(
      "select last_fetch->>'finished_at' is not null as done from connection where uuid = $1",
      [uuid],
    );
    return row?.done;
  }, 'the first fetch ends');
  return uuid;
}
