import { EntityManager } from '@mikro-orm/postgresql';
import { Connection } from '../../../../src/connections/state/connection.entity';
import { sql } from '../../../../src/platform/database/sql';
import { REASON_CODE } from '../../../../src/connections/state/reason.view';
import type { Reason } from '../../../../src/integrations/core/source-errors';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { startApp, type TestApp } from '../../../harness/app/start-app';

/** Every combination of the columns from which the status is derived. */
const FACTS = [false, true].flatMap((disabled) =>
  [false, true].flatMap((rejected) => [false, true].map((setUp) => ({ disabled, rejected, setUp }))),
);

/** Every reason, including the one that clients receive under another code. */
const REASONS = [...(REASON_CODE.enum as readonly Reason[]), 'PERMISSION_MISSING' as const];

describe('The state of a connection in TypeScript and SQL (decisions 4)', () => {
  let app: TestApp;
  beforeAll(async () => (app = await startApp()));
  afterAll(() => app.stop());

  it.each([false, true])('agree on the health for every reason, credentials rejected: %s', async (refused) => {
    const uuid = await aConnection(await createTestClient(app));
    const em = app.app.get(EntityManager, { strict: false }).fork();
    const connection = await em.findOneOrFail(Connection, uuid);
    connection.setupCompletedAt = app.clock.now();
    const found: Record<string, unknown> = {};
    for (const reason of REASONS) {
      connection.failureReason = reason;
      connection.failingSince = app.clock.now();
      connection.credentialsRejectedAt = refused ? app.clock.now() : null;
      await em.flush();
      const rows = await sql<{ health: string }>(em, 'select health from connection_status where uuid = $1', [uuid]);
      expect([reason, rows[0]!.health]).toEqual([reason, connection.health]);
      found[reason] = connection.health;
    }
    expect(found).toMatchObject({ HOST_KEY_CHANGED: 'ACTION_REQUIRED', PROVIDER_DOWN: 'DEGRADED' });
  });

  it('agree for every combination of inputs', async () => {
    const client = await createTestClient(app);
    const em = app.app.get(EntityManager, { strict: false }).fork();
    const derived: Record<string, string> = {};
    for (const { disabled, rejected, setUp } of FACTS) {
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
      'select uuid, status from connection_status where uuid = any($1::uuid[])',
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
