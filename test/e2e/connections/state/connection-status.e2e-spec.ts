import { EntityManager } from '@mikro-orm/postgresql';
import { Connection } from '../../../../src/connections/state/connection.entity';
import { statusSql } from '../../../../src/identities/connection-status';
import { sql } from '../../../../src/platform/database/sql';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { startApp, type TestApp } from '../../../harness/app/start-app';

/** Every combination of the columns from which the status is derived. */
const STATES = [false, true].flatMap((disabled) =>
  [false, true].flatMap((rejected) => [false, true].map((setUp) => ({ disabled, rejected, setUp }))),
);

describe('The status of a connection (decisions 4)', () => {
  let app: TestApp;
  beforeAll(async () => (app = await startApp()));
  afterAll(() => app.stop());

  it('is the same for an object and in a query, for every combination of states', async () => {
    const client = await createTestClient(app);
    const em = app.app.get(EntityManager, { strict: false }).fork();
    const derived: Record<string, string> = {};
    for (const { disabled, rejected, setUp } of STATES) {
      const uuid = await aConnection(client);
      const connection = await em.findOneOrFail(Connection, uuid);
      const now = app.clock.now();
      connection.disabledAt = disabled ? now : null;
      connection.credentialsRejectedAt = rejected ? now : null;
      connection.setupCompletedAt = setUp ? now : null;
      await em.flush();
      derived[uuid] = connection.status;
    }
    const rows = await sql<{ uuid: string; status: string }>(
      em,
      `select uuid, ${statusSql('c')} as status from connection c where uuid = any($1::uuid[])`,
      [Object.keys(derived)],
    );
    expect(Object.fromEntries(rows.map(({ uuid, status }) => [uuid, status]))).toEqual(derived);
    expect(new Set(Object.values(derived))).toEqual(new Set(['ACTIVE', 'PENDING', 'INVALID_CREDENTIALS', 'DISABLED']));
  });
});

async function aConnection(client: TestClient): Promise<string> {
  const fields = { user: 'u', password: 'p' };
  const body = { integration_id: 'sandbox', name: 'Portal', identity_uuid: await client.createIdentity(), fields };
  const answer = await client.request('post', '/v1/connections').send(body).expect(201);
  return (answer.body as { data: { uuid: string } }).data.uuid;
}
