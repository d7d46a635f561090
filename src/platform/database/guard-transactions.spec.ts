import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { RequestScope } from '../request/request-scope';
import { guardTransactions } from './guard-transactions';

const ENVIRONMENT = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';
const LOCK = `; select pg_advisory_xact_lock_shared(hashtextextended('served:${ENVIRONMENT}', 0)); select fence from environment where uuid = '${ENVIRONMENT}'`;

/** A guarded connection; `fence` is that of the environment, and `sent` what the database gets. */
function connection(state: { fence: string | null }, limitsIdle = false, notesPositions = false) {
  const sent: string[] = [];
  const client = {
    query: (text: string) => {
      sent.push(text);
      const results = text.split('; ').map(() => ({ rows: [{ fence: state.fence }] }));
      return Promise.resolve(results.length > 1 ? results : results[0]);
    },
  };
  const pool = new EventEmitter();
  guardTransactions(pool as unknown as Pool, { limitsIdle, notesPositions });
  pool.emit('connect', client);
  return { sent, query: client.query };
}

const inRequest = (environmentUuid: string | undefined, others: readonly string[] = []) =>
  jest
    .spyOn(RequestScope, 'get')
    .mockReturnValue({ environmentUuid, otherEnvironments: new Set(others) } as unknown as RequestScope);

afterEach(() => jest.restoreAllMocks());

describe('A transaction', () => {
  it('outside of a request begins with nothing else, and behind a pooler with a limit', async () => {
    const [direct, pooled] = [connection({ fence: 'MOVED' }), connection({ fence: 'MOVED' }, true)];
    for (const { query } of [direct, pooled]) {
      for (const text of ['begin', 'select 1', 'commit', 'start transaction read only', 'commit']) await query(text);
    }
    expect(direct.sent).toEqual(['begin', 'select 1', 'commit', 'start transaction read only', 'commit']);
    const limit = '; set local idle_in_transaction_session_timeout = 60000';
    expect(pooled.sent.filter((text) => text.includes(limit))).toEqual([
      `begin${limit}`,
      `start transaction read only${limit}`,
    ]);
  });

  it('of a request locks its environment', async () => {
    inRequest(ENVIRONMENT);
    const { sent, query } = connection({ fence: null });
    for (const text of ['begin', 'select 1', 'commit']) await query(text);
    expect(sent).toEqual([`begin${LOCK}`, 'select 1', 'commit']);
  });

  it('of a request notes its position for all environments that it changes, after its commit', async () => {
    const other = '019a9f6e-0000-7c5e-9d0a-1b7c2f3e4d5a';
    inRequest(ENVIRONMENT, [other]);
    const { sent, query } = connection({ fence: null }, false, true);
    for (const text of ['begin', 'select 1', 'commit']) await query(text);
    const [commit, ...notes] = sent.at(-1)!.split('; ');
    expect(commit).toBe('commit');
    expect(
      notes.map((note) => /^insert into write_position .* \('([^']+)', pg_current_wal_insert_lsn/.exec(note)?.[1]),
    ).toEqual([other, ENVIRONMENT]);
  });

  it('that is rolled back, or belongs to no request, notes no position', async () => {
    const { sent, query } = connection({ fence: null }, false, true);
    for (const text of ['begin', 'commit']) await query(text);
    inRequest(ENVIRONMENT);
    for (const text of ['begin', 'rollback']) await query(text);
    expect(sent.join()).not.toContain('write_position');
  });

  it('is refused while its environment is fenced, and can be rolled back', async () => {
    inRequest(ENVIRONMENT);
    const state = { fence: 'MOVING' as string | null };
    const { sent, query } = connection(state);
    await query('begin');
    for (const text of ['select 1', 'commit']) {
      await expect(query(text)).rejects.toMatchObject({ code: 'ENVIRONMENT_MOVING' });
    }
    await query('rollback');
    state.fence = null;
    for (const text of ['begin', 'select 1']) await query(text);
    expect(sent).toEqual([`begin${LOCK}`, 'rollback', `begin${LOCK}`, 'select 1']);
  });

  it('is not refused because an earlier one was that has never been rolled back', async () => {
    inRequest(ENVIRONMENT);
    const { query } = connection({ fence: 'MOVING' });
    await query('begin');
    inRequest(undefined);
    await query('begin');
    await expect(query('select 1')).resolves.toBeDefined();
  });

  it('of a request is refused with another isolation level, whose snapshot is older than the lock', async () => {
    inRequest(ENVIRONMENT);
    const { query } = connection({ fence: null });
    await query('start transaction isolation level repeatable read');
    await expect(query('select 1')).rejects.toThrow('isolation level');
    await query('rollback');
    await expect(query('select 1')).resolves.toBeDefined();
  });
});
