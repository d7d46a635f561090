import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Response, Test } from 'supertest';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { LEASE, useIdempotency } from './use-idempotency';

describe('Concurrent requests with one Idempotency-Key (decisions 1)', () => {
  const { context, move, post, count, sandbox, fetchNow } = useIdempotency();

  describe('at the same time', () => {
    it('executes one of twenty requests, and answers the others with its response or 409', async () => {
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

    /** Locks the connection's row, so that a fetch-now waits; returns the release function. */
    async function holding(address: string): Promise<() => Promise<void>> {
      const holder = new Client({ connectionString: context.app.databaseUrl });
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
          await context.query<{ n: string }>(
            "select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        )[0]!.n,
      );
    const begun = (request: Test): Promise<Response> => request.then((answer) => answer);

    it('answers 409 while the first one is running, and then with its response', async () => {
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

    it('lets the next instance take over an expired lease, and does the work once even if the first resumes', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      const fetches = await count('"fetch"');
      const release = await holding(address);
      const delayed = begun(post(address, key));
      await eventually(async () => (await waiting()) === 1, 'the first one waits');
      move(LEASE + 1);
      const successor = begun(post(address, key));
      await eventually(async () => (await waiting()) === 2, 'the second one waits');
      await release();
      expectError(await delayed, 409, 'IDEMPOTENCY_IN_PROGRESS');
      const answer = await successor;
      expect(answer.status).toBe(202);
      expect(await count('"fetch"')).toBe(fetches + 1);
      expect((await post(address, key).expect(202)).body).toEqual(answer.body);
    });
  });

  describe('after its process has died', () => {
    /** Simulates the row of a process that has died. */
    const died = (key: string, committed: boolean) =>
      context.query(
        `update idempotency_key set response = null, responded_at = null, committed_at = ${committed ? 'now()' : 'null'}
         where key = $1`,
        [key],
      );

    it('is executed by the next request after the lease, when nothing was committed', async () => {
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

    it('is not repeated when it was committed', async () => {
      const [key, before] = [randomUUID(), await count('connection')];
      await post('/v1/connections', key, sandbox()).expect(201);
      await died(key, true);
      expectError(await post('/v1/connections', key, sandbox()), 409, 'IDEMPOTENCY_IN_PROGRESS');
      move(LEASE + 1);
      expectError(await post('/v1/connections', key, sandbox()), 422, 'IDEMPOTENCY_KEY_REUSED');
      expect(await count('connection')).toBe(before + 1);
    });

    it('is recognized as committed by the same transaction', async () => {
      const key = randomUUID();
      await post('/v1/connections', key, sandbox()).expect(201);
      const [found] = await context.query<{ same: boolean }>(
        `select exists (select 1 from idempotency_key k, connection c
           where k.key = $1 and k.committed_at is not null and c.uuid = any (k.resource_uuids)) as same`,
        [key],
      );
      expect(found!.same).toBe(true);
    });
  });
});
