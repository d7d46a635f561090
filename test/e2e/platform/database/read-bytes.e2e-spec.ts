import { EntityManager } from '@mikro-orm/postgresql';
import { randomBytes } from 'node:crypto';
import { readBytes } from '../../../../src/platform/database/read-bytes';
import { useTestContext } from '../../../harness/app/test-context';

const SELECT = 'select bytes from some_bytes where id = $1';

describe('Reading bytea values in binary format', () => {
  const context = useTestContext();
  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const memory = () => Buffer.alloc(400_000, 'old');

  beforeAll(async () => {
    await context.query('create table some_bytes (id integer primary key, bytes bytea)');
  });

  it.each([0, 1, 25, 65_536, 65_537, 400_000])('are written to the given memory: %i bytes', async (length) => {
    const bytes = randomBytes(length);
    await context.query('insert into some_bytes values ($1, $2)', [length, bytes]);
    const given = memory();
    const found = await readBytes(em(), SELECT, [String(length)], given);
    expect(found?.equals(bytes)).toBe(true);
    expect(found?.buffer).toBe(given.buffer);
  });

  it('are null when there is no row', async () => {
    expect(await readBytes(em(), SELECT, ['-1'], memory())).toBeNull();
  });

  it('fail when the memory is too small, without affecting later reads', async () => {
    await context.query('insert into some_bytes values (1000, $1)', [randomBytes(300_000)]);
    for (let round = 0; round < 30; round++) {
      await expect(readBytes(em(), SELECT, ['1000'], Buffer.alloc(299_999))).rejects.toThrow(RangeError);
    }
    expect((await readBytes(em(), SELECT, ['1000'], memory()))?.length).toBe(300_000);
  });

  it('fail like any statement, many times, without affecting later reads', async () => {
    for (let round = 0; round < 30; round++) {
      await expect(readBytes(em(), 'select bytes from no_such_table', [], memory())).rejects.toThrow('no_such_table');
    }
    expect(await readBytes(em(), SELECT, ['-1'], memory())).toBeNull();
  });

  it('fail in the middle of a response, many times, without affecting later reads', async () => {
    const text = `select decode(repeat('00', 200000 / (2 - n)), 'hex') from generate_series(1, 2) n where n > $1`;
    for (let round = 0; round < 30; round++) {
      await expect(readBytes(em(), text, ['0'], memory())).rejects.toThrow('division by zero');
    }
    expect(await readBytes(em(), SELECT, ['-1'], memory())).toBeNull();
  });

  it('fail when their connection is lost, many times, without affecting later reads', async () => {
    await context.query('insert into some_bytes values (1001, $1)', [randomBytes(400_000)]);
    const text = `select bytes from some_bytes, pg_terminate_backend(pg_backend_pid()) where id = $1`;
    for (let round = 0; round < 30; round++) {
      await expect(readBytes(em(), text, ['1001'], memory())).rejects.toThrow(/terminat/);
    }
    expect((await readBytes(em(), SELECT, ['1001'], memory()))?.length).toBe(400_000);
  });

  it('share connections with other statements', async () => {
    const bytes = randomBytes(400_000);
    await context.query('insert into some_bytes values (1002, $1)', [bytes]);
    const rounds = Array.from({ length: 60 }, async (_, n) => {
      if (n % 3 === 0) {
        const [row] = await em().execute<{ bytes: Buffer }[]>('select bytes from some_bytes where id = 1002');
        return row!.bytes.equals(bytes);
      }
      if (n % 3 === 1) {
        const rows = await em().execute<{ n: number }[]>(
          'select n, repeat(n::text, 200) from generate_series(1, 2000) n',
        );
        return rows.every(({ n: number }, at) => number === at + 1);
      }
      return (await readBytes(em(), SELECT, ['1002'], memory()))!.equals(bytes);
    });
    expect(new Set(await Promise.all(rounds))).toEqual(new Set([true]));
  });

  it('succeed when others that are read at the same time are rejected, are missing, or do not fit', async () => {
    await context.query('create table some_numbers (id integer primary key, n integer)');
    await context.query('insert into some_numbers select n, n % 3 from generate_series(1, 30) n');
    const text = `select decode(repeat('ab', 60000 / n), 'hex') from some_numbers where id = $1`;
    const found = await Promise.allSettled(
      Array.from({ length: 33 }, (_, at) => readBytes(em(), text, [String(at + 1)], Buffer.alloc(50_000))),
    );
    const results = found.map((one) =>
      one.status === 'fulfilled' ? (one.value?.length ?? null) : (one.reason as Error).message.split(' ')[0],
    );
    const expected = (id: number) => (id > 30 ? null : ['division', 'The', 30_000][id % 3]);
    expect(results).toEqual(Array.from({ length: 33 }, (_, at) => expected(at + 1)));
  });

  it('are read with more concurrency than the pool has connections', async () => {
    await context.query(
      `insert into some_bytes select n, decode(repeat(lpad(to_hex(n), 4, '0'), 50000), 'hex') from generate_series(2000, 2099) n`,
    );
    const found = await Promise.all(
      Array.from({ length: 100 }, (_, n) => readBytes(em(), SELECT, [String(2000 + n)], memory())),
    );
    expect(found.map((bytes) => [bytes?.length, bytes?.readUInt16BE(0), bytes?.readUInt16BE(99_998)])).toEqual(
      Array.from({ length: 100 }, (_, n) => [100_000, 2000 + n, 2000 + n]),
    );
  });
});
