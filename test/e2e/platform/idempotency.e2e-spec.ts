import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Response, Test } from 'supertest';
import { ManageKeys } from '../../../src/auth/manage-keys';
import { IdempotencyKeys } from '../../../src/platform/http/idempotency-keys';
import { anonymously } from '../../harness/a-client';
import { eventually } from '../../harness/eventually';
import { expectError } from '../../harness/expect-error';
import { useStage } from '../../harness/stage';

const DAY = 24 * 3600;
const LEASE = 60;

type Body = Record<string, unknown>;

interface Route {
  readonly name: string;
  readonly path: () => Promise<string> | string;
  readonly body: () => Body;
  readonly status: number;
  /** Counts what the request makes. */
  readonly made?: string;
}

describe('Idempotency-Key (contract 1)', () => {
  const stage = useStage();
  let moved = 0;
  const move = (seconds: number) => {
    stage.app.clock.move(seconds);
    moved += seconds;
  };
  afterEach(() => {
    stage.app.clock.move(-moved);
    moved = 0;
  });

  const post = (path: string, key: string, body: Body = {}): Test =>
    stage.client.call('post', path).set('Idempotency-Key', key).send(body);
  const count = async (table: string) =>
    Number((await stage.query<{ n: string }>(`select count(*) as n from ${table}`))[0]!.n);
  const row = async (key: string) => (await stage.query('select * from idempotency_key where key = $1', [key]))[0];

  const sandbox = (more: Body = {}) => ({
    integration_id: 'sandbox',
    name: 'Portal',
    identity_uuid: stage.identity,
    fields: { user: 'u', password: 'p' },
    ...more,
  });
  const forToken = (more: Body = {}) => ({
    identity_uuid: stage.identity,
    return_url: 'https://app.example.com/back',
    ...more,
  });
  const fetchNow = async () => {
    const uuid = await stage.activeConnection();
    await stage.query('update connection set next_fetch_at = $2 where uuid = $1', [uuid, stage.app.clock.in(9 * DAY)]);
    return `/v1/connections/${uuid}/fetch-now`;
  };

  const identityNames = Array.from({ length: 20 }, () => randomUUID());
  const routes: Route[] = [
    {
      name: 'POST /v1/identities',
      path: () => '/v1/identities',
      body: () => ({ client_identifier: identityNames.pop() }),
      status: 201,
      made: 'identity',
    },
    {
      name: 'POST /v1/connections',
      path: () => '/v1/connections',
      body: sandbox,
      status: 201,
      made: 'connection',
    },
    {
      name: 'POST /v1/connections/migrate',
      path: () => '/v1/connections/migrate',
      body: sandbox,
      status: 201,
      made: 'connection',
    },
    { name: 'POST /token', path: () => '/token', body: forToken, status: 201 },
    { name: 'POST /v1/token', path: () => '/v1/token', body: forToken, status: 201 },
    {
      name: 'POST /v1/webhooks',
      path: () => '/v1/webhooks',
      body: (more: Body = {}) => ({ url: 'https://client.example/', ...more }),
      status: 201,
      made: 'webhook',
    },
    { name: 'fetch-now', path: fetchNow, body: () => ({}), status: 202, made: "fetch_run where trigger = 'MANUAL'" },
  ];

  describe.each(routes)('$name', ({ path, body, status, made }) => {
    it('answers the same again, and does nothing a second time', async () => {
      const [address, key, content] = [await path(), randomUUID(), body()];
      const first = await post(address, key, content).expect(status);
      expect(first.headers).not.toHaveProperty('idempotent-replayed');
      const before = made && (await count(made));
      for (const at of [0, DAY - 60]) {
        move(at);
        const again = await post(address, key, content);
        expect(again.status).toBe(status);
        expect(again.text).toBe(first.text);
        expect(again.headers['content-type']).toBe(first.headers['content-type']);
        expect(again.headers['idempotent-replayed']).toBe('true');
        expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      }
      if (made) expect(await count(made)).toBe(before);
    });

    it('refuses the key for another body', async () => {
      const [address, key, content] = [await path(), randomUUID(), body()];
      await post(address, key, content).expect(status);
      for (const lang of ['en', 'de'] as const) {
        const other = await post(address, key, { ...content, more: 1 }).set('Lang', lang);
        expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED', {}, lang);
        expect(other.headers).not.toHaveProperty('idempotent-replayed');
      }
    });

    it.each([
      ['empty', ''],
      ['too long', 'x'.repeat(256)],
      ['with a space', 'a b'],
      ['beyond ASCII', 'schlüssel'],
      ['with a tab', 'tab\there'],
    ])('refuses a key that is no key: %s', async (_, key) => {
      const address = await path();
      for (const lang of ['en', 'de'] as const) {
        const answer = await post(address, key, body()).set('Lang', lang);
        expectError(answer, 422, 'VALIDATION_FAILED', { 'Idempotency-Key': 'INVALID_IDEMPOTENCY_KEY' }, lang);
      }
    });

    it('takes the longest and the strangest key', async () => {
      await post(await path(), 'x'.repeat(255), body());
      const [address, key, content] = [await path(), `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~${randomUUID()}`, body()];
      const first = await post(address, key, content).expect(status);
      expect((await post(address, key, content).expect(status)).text).toBe(first.text);
    });
  });

  describe('the same request', () => {
    it('is told by its content, not by the order of its members or its white space', async () => {
      const key = randomUUID();
      const first = await post('/v1/connections', key, sandbox()).expect(201);
      const reversed = Object.fromEntries(Object.entries(sandbox()).reverse());
      const again = await stage.client
        .call('post', '/v1/connections')
        .set('Idempotency-Key', key)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(reversed, null, 4))
        .expect(201);
      expect(again.body).toEqual(first.body);
    });

    it('is told by its address too', async () => {
      const [key, one, other] = [randomUUID(), await fetchNow(), await fetchNow()];
      await post(one, key).expect(202);
      expectError(await post(other, key), 422, 'IDEMPOTENCY_KEY_REUSED');
      expectError(await post('/v1/identities', key), 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('of another environment, identity or kind of credential is another one', async () => {
      const key = randomUUID();
      const address = await fetchNow();
      const siblings = `/v1/connections/${await stage.connection({ identity: stage.sibling })}/fetch-now`;
      const byKey = await post(address, key).expect(202);
      const byToken = await stage.client.callWithToken(stage.token, 'post', address).set('Idempotency-Key', key);
      expect([byToken.status, byToken.headers['idempotent-replayed']]).toEqual([202, undefined]);
      expect(byToken.body.uuid).not.toBe(byKey.body.uuid);
      const withBoth = await post(address, key).set('X-TOKEN', stage.token).expect(202);
      expect(withBoth.body).toEqual(byToken.body);
      const sibling = await stage.client
        .callWithToken(stage.siblingToken, 'post', siblings)
        .set('Idempotency-Key', key);
      expectError(sibling, 422, 'CONNECTION_NOT_ACTIVE');
      const body = { client_identifier: 'stranger' };
      await stage.stranger.call('post', '/v1/identities').set('Idempotency-Key', key).send(body).expect(201);
    });

    it('of two keys of one environment is the same, so that keys can be rotated', async () => {
      const keys = stage.app.app.get(ManageKeys, { strict: false });
      const successor = await keys.issue('test', stage.client.environmentUuid, null);
      const [key, address] = [randomUUID(), await fetchNow()];
      const first = await post(address, key).expect(202);
      const again = await anonymously(stage.app, 'post', address)
        .set({ 'X-API-KEY': successor.key, 'Idempotency-Key': key })
        .expect(202);
      expect(again.body).toEqual(first.body);
    });

    it('is a new one after 24 hours', async () => {
      const key = randomUUID();
      const first = await post('/v1/connections', key, sandbox()).expect(201);
      move(DAY + 1);
      const later = await post('/v1/connections', key, sandbox({ name: 'Another' })).expect(201);
      expect(later.body.data.uuid).not.toBe(first.body.data.uuid);
      move(60);
      expect((await post('/v1/connections', key, sandbox({ name: 'Another' })).expect(201)).body).toEqual(later.body);
    });
  });

  it('stands behind the guards: 401, 403 and 404 come first and are never kept', async () => {
    const [key, address] = [randomUUID(), await fetchNow()];
    const strangers = `/v1/connections/${randomUUID()}/fetch-now`;
    expectError(await anonymously(stage.app, 'post', address).set('Idempotency-Key', ' '), 401, 'MISSING_CREDENTIALS');
    expectError(await post(strangers, 'a b'), 404, 'CONNECTION_NOT_FOUND');
    expectError(await post('/v1/connections/x/fetch-now', 'a b'), 422, 'VALIDATION_FAILED', { uuid: 'INVALID_UUID' });
    expectError(await post(strangers, key), 404, 'CONNECTION_NOT_FOUND');
    const foreign = await stage.stranger.call('post', address).set('Idempotency-Key', key);
    expectError(foreign, 403, 'NOT_YOUR_CONNECTION');
    await post(address, key).expect(202);
    expectError(await stage.stranger.call('post', address).set('Idempotency-Key', key), 403, 'NOT_YOUR_CONNECTION');
    expectError(await anonymously(stage.app, 'post', address).set('Idempotency-Key', key), 401, 'MISSING_CREDENTIALS');
  });

  describe('a refusal', () => {
    it('is kept, and said again to whoever reads', async () => {
      const [key, body] = [randomUUID(), sandbox({ fields: { user: 'u', password: 'wrong-password', host: 'x' } })];
      const first = await post('/v1/connections', key, body);
      expect(first.status).toBe(422);
      const german = await post('/v1/connections', key, body).set('Lang', 'de');
      expect(german.headers['idempotent-replayed']).toBe('true');
      expectError(german, 422, first.body.code, { 'fields.host': 'UNKNOWN_PROPERTY' }, 'de');
    });

    it('of wrong input is kept too', async () => {
      const key = randomUUID();
      expectError(await post('/v1/identities', key), 422, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' });
      const again = await post('/v1/identities', key);
      expectError(again, 422, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' });
      expect(again.headers['idempotent-replayed']).toBe('true');
      expectError(await post('/v1/identities', key, { client_identifier: 'y' }), 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('with 409 is kept, without saying how long to wait', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      await stage.query('update connection set next_fetch_at = $1', [stage.app.clock.in(30)]);
      const first = await post(address, key);
      expectError(first, 409, 'SCHEDULED_FETCH_DUE');
      expect(first.headers).toHaveProperty('retry-after');
      await stage.query('update connection set next_fetch_at = $1', [stage.app.clock.in(DAY)]);
      const again = await post(address, key);
      expectError(again, 409, 'SCHEDULED_FETCH_DUE');
      expect(again.headers).not.toHaveProperty('retry-after');
      await post(address, randomUUID()).expect(202);
    });

    it('with 429 is not kept', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      for (let i = 0; i < 5; i++) await post(address, randomUUID()).expect(202);
      expectError(await post(address, key), 429, 'FETCH_QUOTA_EXCEEDED');
      move(3601);
      const accepted = await post(address, key).expect(202);
      expect(accepted.headers).not.toHaveProperty('idempotent-replayed');
    });

    it('with 500 is not kept', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      await stage.query('alter table fetch_run rename to fetch_run_moved');
      try {
        expectError(await post(address, key), 500, 'INTERNAL_ERROR');
      } finally {
        await stage.query('alter table fetch_run_moved rename to fetch_run');
      }
      await post(address, key).expect(202);
    });

    it('of a body that cannot be read leaves the key free', async () => {
      const [key, body] = [randomUUID(), { client_identifier: randomUUID() }];
      const malformed = () =>
        stage.client
          .call('post', '/v1/identities')
          .set({ 'Idempotency-Key': key, 'Content-Type': 'application/json' })
          .send('{"');
      expectError(await malformed(), 422, 'MALFORMED_JSON');
      const first = await post('/v1/identities', key, body).expect(201);
      expectError(await malformed(), 422, 'MALFORMED_JSON');
      expect((await post('/v1/identities', key, body).expect(201)).text).toBe(first.text);
    });
  });

  it('charges a replayed fetch-now nothing', async () => {
    const [key, address] = [randomUUID(), await fetchNow()];
    const { body } = await post(address, key).expect(202);
    for (let i = 0; i < 8; i++) expect((await post(address, key).expect(202)).body).toEqual(body);
    for (let i = 0; i < 4; i++) await post(address, randomUUID()).expect(202);
    expectError(await post(address, randomUUID()), 429, 'FETCH_QUOTA_EXCEEDED');
    expect((await post(address, key).expect(202)).body).toEqual(body);
  });

  describe('at the same time', () => {
    it('makes one of twenty, and the others hear its answer or that it is still running', async () => {
      const [key, before] = [randomUUID(), await count('connection')];
      const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/connections', key, sandbox())));
      expect(await count('connection')).toBe(before + 1);
      const made = answers.filter(({ status }) => status === 201);
      expect(made.filter(({ headers }) => headers['idempotent-replayed'] !== 'true')).toHaveLength(1);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expectError(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
        expect(answer.headers['retry-after']).toBe('1');
      }
    });

    /** Holds the connection's row, so that a fetch-now waits; answers how to let go. */
    async function holding(address: string): Promise<() => Promise<void>> {
      const holder = new Client({ connectionString: stage.app.databaseUrl });
      await holder.connect();
      await holder.query('begin');
      await holder.query('select 1 from connection where uuid = $1 for update', [address.split('/')[3]]);
      return async () => {
        await holder.query('commit');
        await holder.end();
      };
    }
    const waiting = async () =>
      Number(
        (
          await stage.query<{ n: string }>(
            "select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        )[0]!.n,
      );
    const begun = (request: Test): Promise<Response> => request.then((answer) => answer);

    it('answers 409 while the first one is running, and then what it was answered', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      const release = await holding(address);
      const first = begun(post(address, key));
      await eventually(async () => (await waiting()) === 1, 'the first one waits');
      for (const lang of ['en', 'de'] as const) {
        const second = await post(address, key).set('Lang', lang);
        expectError(second, 409, 'IDEMPOTENCY_IN_PROGRESS', {}, lang);
        expect(second.headers['retry-after']).toBe('1');
      }
      expectError(await post(address, key, { more: 1 }), 422, 'IDEMPOTENCY_KEY_REUSED');
      await release();
      const answer = await first;
      expect(answer.status).toBe(202);
      expect((await post(address, key).expect(202)).body).toEqual(answer.body);
    });

    it('lets the next one take over from one that has not been heard of, and does the work once even if that one comes back', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      const fetches = await count('fetch_run');
      const release = await holding(address);
      const frozen = begun(post(address, key));
      await eventually(async () => (await waiting()) === 1, 'the first one waits');
      move(LEASE + 1);
      const successor = begun(post(address, key));
      await eventually(async () => (await waiting()) === 2, 'the second one waits');
      await release();
      expectError(await frozen, 409, 'IDEMPOTENCY_IN_PROGRESS');
      const answer = await successor;
      expect(answer.status).toBe(202);
      expect(await count('fetch_run')).toBe(fetches + 1);
      expect((await post(address, key).expect(202)).body).toEqual(answer.body);
    });
  });

  describe('after its process has died', () => {
    /** The row as it is left behind. */
    const died = (key: string, committed: boolean) =>
      stage.query(
        `update idempotency_key set answer = null, answered_at = null, committed_at = ${committed ? 'now()' : 'null'}
         where key = $1`,
        [key],
      );

    it('is done by the next one once the lease is over, when nothing had been committed', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      const { body } = await post(address, key).expect(202);
      await died(key, false);
      expectError(await post(address, key), 409, 'IDEMPOTENCY_IN_PROGRESS');
      move(LEASE + 1);
      expectError(await post(address, key, { more: 1 }), 422, 'IDEMPOTENCY_KEY_REUSED');
      const again = await post(address, key).expect(202);
      expect(again.body).not.toEqual(body);
      expect((await post(address, key).expect(202)).body).toEqual(again.body);
    });

    it('is not done again when it had been committed', async () => {
      const [key, before] = [randomUUID(), await count('connection')];
      await post('/v1/connections', key, sandbox()).expect(201);
      await died(key, true);
      expectError(await post('/v1/connections', key, sandbox()), 409, 'IDEMPOTENCY_IN_PROGRESS');
      move(LEASE + 1);
      expectError(await post('/v1/connections', key, sandbox()), 422, 'IDEMPOTENCY_KEY_REUSED');
      expect(await count('connection')).toBe(before + 1);
    });

    it('is known to be committed by the very transaction that did the work', async () => {
      const key = randomUUID();
      await post('/v1/connections', key, sandbox()).expect(201);
      const [found] = await stage.query<{ same: boolean }>(
        `select exists (select 1 from idempotency_key k, connection c
           where k.key = $1 and k.committed_at is not null and c.uuid = any (k.about)) as same`,
        [key],
      );
      expect(found!.same).toBe(true);
    });
  });

  describe('what is kept', () => {
    it('holds neither the body nor the answer in the clear', async () => {
      const key = randomUUID();
      const secret = `hunter2-${randomUUID()}`;
      await post('/v1/connections', key, sandbox({ fields: { user: 'u', password: secret } })).expect(201);
      const other = randomUUID();
      const { body } = await post('/token', other, forToken()).expect(201);
      const dump = Buffer.concat(
        [await row(key), await row(other)].flatMap((found) =>
          Object.values(found!).map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)))),
        ),
      ).toString('latin1');
      for (const text of [secret, 'Portal', body.data.token, 'app.example.com']) expect(dump).not.toContain(text);
    });

    it('of a deleted connection is told no more, and the connection is not made again', async () => {
      const key = randomUUID();
      const { body } = await post('/v1/connections', key, sandbox()).expect(201);
      await stage.client.call('delete', `/v1/connections/${body.data.uuid}`).expect(204);
      expect(await row(key)).toMatchObject({ answer: null });
      const before = await count('connection');
      expectError(await post('/v1/connections', key, sandbox()), 422, 'IDEMPOTENCY_KEY_REUSED');
      expect(await count('connection')).toBe(before);
    });

    it('of a deleted identity is told no more, nor of its connections and tokens', async () => {
      const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
      const { body } = await post('/v1/identities', keys[0], { client_identifier: randomUUID() }).expect(201);
      const { identity_uuid } = body.data;
      await post('/v1/connections', keys[1], sandbox({ identity_uuid })).expect(201);
      await post('/token', keys[2], forToken({ identity_uuid })).expect(201);
      await stage.query('delete from identity where uuid = $1', [identity_uuid]);
      for (const key of keys) expect(await row(key)).toMatchObject({ answer: null });
    });

    it('is swept after 24 hours, and not before', async () => {
      const key = randomUUID();
      await post('/v1/identities', key, { client_identifier: randomUUID() }).expect(201);
      const keys = stage.app.app.get(IdempotencyKeys, { strict: false });
      move(DAY - 60);
      await keys.sweep();
      expect(await row(key)).toBeDefined();
      move(61);
      await keys.sweep();
      expect(await row(key)).toBeUndefined();
    });
  });
});
