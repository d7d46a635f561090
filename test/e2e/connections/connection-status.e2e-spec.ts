import { EntityManager } from '@mikro-orm/postgresql';
import { Connection } from '../../../src/connections/connection.entity';
import { sql } from '../../../src/platform/database/sql';
import { aClient } from '../../harness/a-client';
import { startApp, type TestApp } from '../../harness/start-app';

/** Every combination of the facts that the status is derived from. */
const FACTS = [false, true].flatMap((disabled) =>
  [false, true].flatMap((rejected) => [false, true].map((setUp) => ({ disabled, rejected, setUp }))),
);

describe('The status of a connection and its twin in SQL (contract 4)', () => {
  let app: TestApp;
  beforeAll(async () => (app = await startApp()));
  afterAll(() => app.stop());

  it('agree for every combination of facts', async () => {
    const client = await aClient(app);
    const identity_uuid = await client.identity();
    const em = app.app.get(EntityManager, { strict: false }).fork();
    const derived: Record<string, string> = {};
    for (const { disabled, rejected, setUp } of FACTS) {
      const fields = { user: 'u', password: 'p' };
      const body = { integration_id: 'sandbox', name: 'Portal', identity_uuid, fields };
      const answer = await client.call('post', '/v1/connections').send(body).expect(201);
      const { uuid } = (answer.body as { data: { uuid: string } }).data;
      const connection = await em.findOneOrFail(Connection, uuid);
      const now = app.clock.now();
      connection.disabledAt = disabled ? now : null;
      connection.credentialsRejectedAt = rejected ? now : null;
      connection.setupCompletedAt = setUp ? now : null;
      await em.flush();
      derived[uuid] = connection.status;
    }
    const rows = await sql<{ uuid: string; status: string }>(em, 'select uuid, status from connection_status');
    expect(Object.fromEntries(rows.map(({ uuid, status }) => [uuid, status]))).toEqual(derived);
    expect(new Set(Object.values(derived))).toEqual(new Set(['ACTIVE', 'PENDING', 'INVALID_CREDENTIALS', 'DISABLED']));
  });
});
