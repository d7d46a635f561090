import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { isDatabaseUnavailable } from '../../../../src/platform/availability/database-unavailable';
import { ormOptions } from '../../../../src/platform/database/orm-options';
import { preparedTransaction } from '../../../../src/platform/database/prepared-transaction';
import { sql } from '../../../../src/platform/database/sql';
import { ENTITIES } from '../../../../src/bootstrap/database/entities';
import { MIGRATIONS } from '../../../../src/bootstrap/database/migrations';
import { emptyDatabaseUrl } from '../../../setup/database';
import { throughPooler } from '../../../setup/poolers';

const POOL = 3;

describe('Connections to the database that are lost', () => {
  let orm: MikroORM;
  let killer: Client;

  beforeAll(async () => {
    const databaseUrl = await emptyDatabaseUrl();
    const { databasePooler: pooler, ...used } = throughPooler(databaseUrl);
    orm = await MikroORM.init(
      ormOptions({ databaseUrl: used.databaseUrl, pooler, pool: POOL, entities: ENTITIES, migrations: MIGRATIONS }),
    );
    killer = new Client({ connectionString: databaseUrl });
    await killer.connect();
  });
  afterAll(async () => {
    await killer?.end();
    await orm?.close();
  });

  const kill = (pid: number) => killer.query('select pg_terminate_backend($1, 10000)', [pid]);
  const pidOf = async (em: Parameters<typeof sql>[0]) =>
    (await sql<{ pid: number }>(em, 'select pg_backend_pid() as pid'))[0]!.pid;
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  it('during a transaction do not exhaust the pool', async () => {
    for (let round = 0; round < 2 * POOL; round++) {
      const error = await failure(
        orm.em.fork().transactional(async (em) => {
          await kill(await pidOf(em));
          await sql(em, 'select 1');
        }),
      );
      expect(error).not.toBeNull();
      expect(isDatabaseUnavailable(error)).toBe(true);
    }
    expect(await orm.em.fork().transactional((em) => sql(em, 'select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('before the first statement of a prepared transaction do not exhaust the pool', async () => {
    const em = orm.em.fork();
    const one = () => preparedTransaction(em, (run) => run('select pg_backend_pid() as pid', []));
    for (let round = 0; round < 2 * POOL; round++) {
      const pool = await em.getConnection().getNativeClient();
      const client = await pool.connect();
      const lost = jest.spyOn(pool, 'connect').mockImplementationOnce(jest.fn().mockResolvedValue(client));
      await failure(client.query('select pg_terminate_backend(pg_backend_pid())'));
      expect(isDatabaseUnavailable(await failure(one()))).toBe(true);
      lost.mockRestore();
    }
    expect(await one()).toHaveLength(1);
  });

  it('at the commit do not exhaust the pool', async () => {
    for (let round = 0; round < 2 * POOL; round++) {
      const error = await failure(orm.em.fork().transactional(async (em) => kill(await pidOf(em))));
      expect(isDatabaseUnavailable(error)).toBe(true);
    }
    expect(await orm.em.fork().transactional((em) => sql(em, 'select 1 as one'))).toEqual([{ one: 1 }]);
  });
});
