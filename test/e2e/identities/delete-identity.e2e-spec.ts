import { randomUUID } from 'node:crypto';
import { eventually } from '../../harness/eventually';
import { expectError } from '../../harness/http/expect-error';
import { itChecksIdentityAccess } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';
import { countTextOccurrences, countUuidOccurrences } from '../../harness/app/find-occurrences';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';

describe('DELETE /v1/identities/{identity_uuid} (decisions 4 and 5)', () => {
  const context = useTestContext({ role: 'all' });
  const path = (uuid: string) => `/v1/identities/${uuid}`;
  const remove = (uuid: string) => context.client.request('delete', path(uuid));

  async function anIdentity(): Promise<{ uuid: string; token: string }> {
    const uuid = await context.client.createIdentity();
    return { uuid, token: await context.client.createToken(uuid) };
  }

  /** Every uuid that could identify data of the identity. */
  async function uuidsOf(identity: string): Promise<string[]> {
    const rows = await context.query<{ uuid: string }>(
      `with own as (select uuid from connection where identity_uuid = $1),
            paper as (select t.uuid, t.content_uuid from transaction t join own on t.connection_uuid = own.uuid)
       select $1::uuid as uuid union select uuid from own union select uuid from paper union select content_uuid from paper
       union select f.uuid from "fetch" f join own on f.connection_uuid = own.uuid
       union select a.uuid from delivery_attempt a join paper on a.transaction_uuid = paper.uuid
       union select o.uuid from outbox o join own on o.subject_uuid = own.uuid
       union select uuid from outbox where subject_uuid = $1
       union select c.uuid from content c join own on c.owner_uuid = own.uuid`,
      [identity],
    );
    return rows.map(({ uuid }) => uuid);
  }

  itChecksIdentityAccess(context, { method: 'delete', path, accepts: ['key'] });

  it('removes its data from every table except the audit log', async () => {
    const identity = await anIdentity();
    const fields = { documents: 3, scenario: 'broken_document' };
    const first = await connectionWithDocuments(context, { ...fields, user: randomUUID() }, identity);
    await connectionWithDocuments(context, { ...fields, user: randomUUID() }, identity);
    await context.createConnection({ identity: identity.uuid }); // its setup was never completed
    await context.client.request('put', `/v1/connections/${first}/disable`).expect(204);
    // As if pushes had failed, and content had been stored without a record yet.
    await context.query(
      `insert into delivery_attempt (uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms)
       select uuidv7(), environment_uuid, 'STANDARD', uuid, 1, now(), 5 from transaction where identity_uuid = $1`,
      [identity.uuid],
    );
    await context.query(
      `insert into content (uuid, owner_uuid, environment_uuid, size, sha256, chunks, created_at)
       select gen_random_uuid(), uuid, environment_uuid, 0, '', 0, now() from connection where uuid = $1`,
      [first],
    );
    const missing = { text: `Missing ${randomUUID()}` };
    await context.client.requestWithToken(identity.token, 'post', '/v1/ui/source-requests').send(missing).expect(204);
    const uuids = await uuidsOf(identity.uuid);
    const tables = (found: Record<string, number>) => [
      ...new Set(Object.keys(found).map((name) => name.split('.')[0])),
    ];
    const before = tables(await countUuidOccurrences(context, uuids));
    expect(before).toEqual(
      expect.arrayContaining([
        ...['identity', 'connection', 'data_key', 'content', 'content_chunk', 'transaction', 'delivery_attempt'],
        ...['fetch', 'fetch_failure', 'outbox', 'audit_log'],
      ]),
    );

    const answer = await remove(identity.uuid);
    expect([answer.status, answer.text]).toEqual([204, '']);

    expect(tables(await countUuidOccurrences(context, uuids))).toEqual(['audit_log']);
    expect(await countTextOccurrences(context, missing.text)).toEqual({});
    for (const uuid of uuids)
      expect(Object.keys(await countTextOccurrences(context, uuid)).filter((t) => t !== 'audit_log')).toEqual([]);
    expectError(await context.client.request('get', path(identity.uuid)), 404, 'IDENTITY_NOT_FOUND');
    expectError(await context.client.request('get', `/v1/connections/${first}`), 404, 'CONNECTION_NOT_FOUND');
  });

  it('records in the audit log who deleted it, and how many connections were deleted', async () => {
    const { uuid } = await anIdentity();
    await context.createConnection({ identity: uuid });
    await context.createConnection({ identity: uuid });
    await remove(uuid).expect(204);
    const log = await context.query<{ action: string; actor: string; details: object; environment_uuid: string }>(
      'select action, actor, details, environment_uuid from audit_log where subject_uuid = $1 order by uuid',
      [uuid],
    );
    expect(log.map(({ action }) => action)).toEqual(['identity.create', 'identity.delete']);
    expect(log[1]).toMatchObject({
      actor: expect.stringMatching(/^key:/),
      details: { connections: 2 },
      environment_uuid: context.client.environmentUuid,
    });
  });

  it('revokes its UI tokens immediately, including those for one connection', async () => {
    const { uuid, token } = await anIdentity();
    const connection_uuid = await context.createConnection({ identity: uuid });
    const narrow = await context.client.createToken(uuid, { connection_uuid });
    await context.client.requestWithToken(token, 'get', '/v1/connections').expect(200);
    await remove(uuid).expect(204);
    for (const dead of [token, narrow]) {
      expectError(await context.client.requestWithToken(dead, 'get', '/v1/connections'), 401, 'INVALID_TOKEN');
    }
  });

  it('stops a running fetch, and stores nothing of it', async () => {
    const { uuid, token } = await anIdentity();
    const connection = await context.createConnection({
      identity: uuid,
      fields: { documents: 400, user: randomUUID() },
    });
    await context.client
      .requestWithToken(token, 'put', `/v1/connections/${connection}/step2`)
      .send({ fields: {} })
      .expect(204);
    await eventually(async () => {
      const [row] = await context.query<{ running: boolean }>(
        `select status = 'RUNNING' and new > 0 as running from "fetch" where connection_uuid = $1`,
        [connection],
      );
      return row?.running;
    }, 'the fetch brings its first documents');
    await remove(uuid).expect(204);
    await eventually(async () => {
      const jobs = await context.query(
        "select from pgboss.job where singleton_key = $1 and state in ('created', 'retry', 'active')",
        [connection],
      );
      return jobs.length === 0;
    }, 'the fetch has stopped');
    expect(Object.keys(await countTextOccurrences(context, connection))).toEqual(['audit_log']);
    const [left] = await context.query('select count(*)::int as n from content where owner_uuid = $1', [connection]);
    expect(left).toEqual({ n: 0 });
  });

  it('deletes an identity once under concurrent requests', async () => {
    const { uuid } = await anIdentity();
    await context.createConnection({ identity: uuid });
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(uuid)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    const log = await context.query("select from audit_log where subject_uuid = $1 and action = 'identity.delete'", [
      uuid,
    ]);
    expect(log).toHaveLength(1);
  });

  it('succeeds during concurrent deletions and changes of its connections', async () => {
    const { uuid } = await anIdentity();
    const connections = await Promise.all(
      Array.from({ length: 6 }, () => context.createConnection({ identity: uuid })),
    );
    const answers = await Promise.all([
      remove(uuid),
      ...connections.map((connection, n) =>
        n % 2
          ? context.client.request('delete', `/v1/connections/${connection}`)
          : context.client.request('put', `/v1/connections/${connection}/disable`),
      ),
    ]);
    expect(answers[0].status).toBe(204);
    expect(answers.every(({ status }) => [204, 404].includes(status))).toBe(true);
    expect(await countUuidOccurrences(context, connections)).toEqual({ 'audit_log.subject_uuid': expect.any(Number) });
  });

  it('does not affect other identities, and frees its client_identifier', async () => {
    const name = randomUUID();
    const uuid = await context.client.createIdentity(name);
    const [stays] = [
      await context.createConnection({ identity: context.otherIdentity }),
      await context.createConnection({ identity: uuid }),
    ];
    await remove(uuid).expect(204);
    await context.client.request('get', `/v1/connections/${stays}`).expect(200);
    await context.client.requestWithToken(context.otherIdentityToken, 'get', '/v1/connections').expect(200);
    expect(await context.client.createIdentity(name)).not.toBe(uuid);
  });

  it('respects the narrower scope of a token sent with the key', async () => {
    const { uuid, token } = await anIdentity();
    const narrow = await context.client.createToken(uuid, { integration_id: 'sandbox' });
    for (const lang of ['en', 'de'] as const) {
      expectError(await remove(uuid).set('X-TOKEN', narrow).set('Lang', lang), 403, 'NOT_ALLOWED_BY_TOKEN', {}, lang);
    }
    await remove(uuid).set('X-TOKEN', token).expect(204);
  });
});
