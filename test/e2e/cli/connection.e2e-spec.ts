import { randomUUID } from 'node:crypto';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { useCommandLine } from './command-line';

interface Shown {
  readonly uuid: string;
  readonly status: string;
}

describe('docfetch connection list, show, fetch (decisions 7)', () => {
  const line = useCommandLine();
  let client: TestClient;
  let identity: string;
  let active: string;
  let pending: string;

  const connection = async (name: string, of: string) => {
    const { body } = await client
      .request('post', '/v1/connections')
      .send({
        integration_id: 'sandbox',
        name,
        identity_uuid: of,
        fields: { user: 'u', password: 'correct-horse' },
      })
      .expect(201);
    return (body as { data: { uuid: string } }).data.uuid;
  };
  const list = async (...args: string[]) =>
    (await line.json<Shown[]>(['connection', 'list', '--environment', client.environmentUuid, ...args])).map(
      ({ uuid }) => uuid,
    );

  beforeAll(async () => {
    client = await createTestClient(line.app);
    identity = await client.createIdentity();
    active = await connection('One', identity);
    const token = await client.createToken(identity);
    await client.requestWithToken(token, 'put', `/v1/connections/${active}/step2`).send({ fields: {} }).expect(204);
    pending = await connection('Two', await client.createIdentity());
  });

  it('lists connections with filters', async () => {
    expect(await list()).toEqual([active, pending]);
    expect(await list('--status', 'pending')).toEqual([pending]);
    expect(await list('--identity', identity)).toEqual([active]);
    expect(await list('--integration', 'imap')).toEqual([]);
    expect(await list('--limit', '1')).toEqual([active]);
    expect(await list('--after', active)).toEqual([pending]);
    const output = await line.runSuccessfully(['connection', 'list', '--environment', client.environmentUuid]);
    expect(output).toMatch(/^CONNECTION +STATUS +HEALTH +INTEGRATION +NAME\n/);
    expect(output.split('\n')[1]).toMatch(new RegExp(`^${active}  ACTIVE +UNKNOWN +sandbox +One$`));
    const none = await createTestClient(line.app);
    expect(await line.runSuccessfully(['connection', 'list', '--environment', none.environmentUuid])).toBe(
      'No connections.\n',
    );
  });

  it('shows the same data as the API, without a secret', async () => {
    const { body } = await client.request('get', `/v1/connections/${pending}`).expect(200);
    const api = (body as { data: object }).data;
    const shown = await line.json<object>(['connection', 'show', pending]);
    expect(shown).toEqual({ ...api, environment_uuid: client.environmentUuid });
    expect(await line.json(['connection', 'list', '--environment', client.environmentUuid])).toContainEqual(shown);
    const output = await line.runSuccessfully(['connection', 'show', pending]);
    expect(output).toMatch(/^status {12}PENDING$/m);
    expect(JSON.stringify(shown) + output).not.toContain('correct-horse');
  });

  it('queues a fetch by the rules of fetch-now', async () => {
    await line.pool.query(`update connection set next_fetch_at = now() + interval '1 day' where uuid = $1`, [active]);
    const { uuid } = await line.json<{ uuid: string }>(['connection', 'fetch', active]);
    expect(await line.runSuccessfully(['connection', 'fetch', active])).toMatch(/^Queued fetch [0-9a-f-]{36}\.\n$/);
    const { rows } = await line.pool.query<object>(
      `select actor, details from audit_log where action = 'connection.fetch' and subject_uuid = $1 order by uuid`,
      [active],
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({ actor: expect.stringMatching(/^cli/), details: { fetch_uuid: uuid } });
    const queued = await line.pool.query(`select 1 from "fetch" where connection_uuid = $1 and trigger = 'MANUAL'`, [
      active,
    ]);
    expect(queued.rowCount).toBe(2);

    await line.expectRefusal(['connection', 'fetch', pending], /^Nothing can be fetched/);
    await line.pool.query(`update connection set next_fetch_at = now() + interval '20 seconds' where uuid = $1`, [
      active,
    ]);
    await line.expectRefusal(
      ['connection', 'fetch', active],
      /less than a minute anyway\. Try again in \d+ seconds\.$/m,
    );
  });

  const nowhere = randomUUID();
  it.each<[string, string[], RegExp]>([
    ['an unknown environment', ['list', '--environment', nowhere], /no environment/],
    ['a list of everything', ['list'], /--environment/],
    ['an unknown status', ['list', '--environment', nowhere, '--status', 'broken'], /active, pending/],
    ['an unknown connection', ['show', nowhere], /no connection/],
  ])('rejects %s', async (_, args, reason) => {
    await line.expectRefusal(['connection', ...args], reason);
  });
});
