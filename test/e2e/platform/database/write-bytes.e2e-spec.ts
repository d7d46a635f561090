import { EntityManager } from '@mikro-orm/postgresql';
import { randomBytes } from 'node:crypto';
import { isDatabaseUnavailable } from '../../../../src/platform/availability/database-unavailable';
import { prepared } from '../../../../src/platform/database/sql';
import { writeBytes } from '../../../../src/platform/database/write-bytes';
import { useTestContext } from '../../../harness/app/test-context';

/** More than the pool has connections: if each failure lost one, none would be left. */
const MORE_THAN_THE_POOL = 30;
const INSERT = 'insert into kept (id, name, at, bytes) select $1::integer, $2::text, $3::timestamptz, $4::bytea';
const MANY = 3_000_000;

describe('Writing bytea values without copying', () => {
  const context = useTestContext();
  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const at = new Date('2026-02-28T23:59:59.123Z');
  const insert = (id: number, bytes: Buffer, name = 'name') =>
    writeBytes(em(), INSERT, [id, name, at, bytes.length], bytes);
  const write = (id: number, bytes: Buffer, name = 'name') => writeBytes(em(), INSERT, [id, name, at], bytes);
  const kept = async (id: number) =>
    (
      await context.query<{ name: string; at: Date; bytes: Buffer }>('select name, at, bytes from kept where id = $1', [
        id,
      ])
    )[0];

  beforeAll(async () => {
    await context.query(
      `create table kept (id integer primary key, name text not null, at timestamptz(3) not null, bytes bytea not null)`,
    );
  });

  it.each([0, 1, 255, 65_536, 262_172, MANY])('are stored unchanged: %i bytes', async (length) => {
    const bytes = randomBytes(length);
    await write(length, bytes, 'Überweisung 😀 \\');
    const row = await kept(length);
    expect(row).toMatchObject({ name: 'Überweisung 😀 \\', at });
    expect(row!.bytes.equals(bytes)).toBe(true);
  });

  it('may be a slice of a buffer that is reused after the write', async () => {
    const memory = randomBytes(300_000);
    const first = Buffer.from(memory.subarray(100, 200_100));
    await write(1001, memory.subarray(100, 200_100));
    memory.fill(1);
    await write(1002, memory.subarray(0, 300_000));
    expect((await kept(1001))!.bytes.equals(first)).toBe(true);
    expect((await kept(1002))!.bytes.equals(Buffer.alloc(300_000, 1))).toBe(true);
  });

  it('share their prepared statement with ordinary queries', async () => {
    const bytes = randomBytes(1000);
    await prepared(em(), INSERT, [1101, 'usual', at, bytes]);
    await write(1102, bytes);
    await prepared(em(), INSERT, [1103, 'usual', at, bytes]);
    for (const id of [1101, 1102, 1103]) expect((await kept(id))!.bytes.equals(bytes)).toBe(true);
  });

  it('fail like any statement, many times, without affecting later writes', async () => {
    await write(1201, randomBytes(10));
    for (let round = 0; round < MORE_THAN_THE_POOL; round++) {
      await expect(write(1201, randomBytes(MANY / 10))).rejects.toMatchObject({
        code: '23505',
        constraint: 'kept_pkey',
      });
      await expect(
        writeBytes(em(), 'insert into no_such_table values ($1)', [], randomBytes(MANY / 10)),
      ).rejects.toThrow('no_such_table');
      await expect(insert(1203, randomBytes(10))).rejects.toThrow('bind message supplies 5 parameters');
    }
    await write(1202, randomBytes(10));
    expect((await kept(1202))!.bytes).toHaveLength(10);
  });

  it('fail when their connection is lost during the write, many times, without affecting later writes', async () => {
    const ends = `insert into kept (id, name, at, bytes)
      select 1301, 'never', now(), $1::bytea where pg_terminate_backend(pg_backend_pid())`;
    for (let round = 0; round < MORE_THAN_THE_POOL; round++) {
      const error: unknown = await writeBytes(em(), ends, [], randomBytes(MANY / 10)).catch(
        (thrown: unknown) => thrown,
      );
      expect(isDatabaseUnavailable(error)).toBe(true);
    }
    expect(await kept(1301)).toBeUndefined();
    await write(1302, randomBytes(10));
    expect((await kept(1302))!.bytes).toHaveLength(10);
  });

  it('are written completely or not at all when their connection is lost', async () => {
    const [{ pid } = { pid: 0 }] = await context.query<{ pid: number }>('select pg_backend_pid() as pid');
    const others = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> ${pid} and application_name = 'docfetch'`;
    const long = randomBytes(60 * 1024 * 1024);
    const writing = write(1401, long).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    await context.query(others);
    const error = await writing;
    const row = await kept(1401);
    expect(error === null ? row !== undefined : isDatabaseUnavailable(error)).toBe(true);
    expect(row?.bytes.equals(long) ?? true).toBe(true); // lost at any moment: all bytes are stored, or none
    await write(1402, randomBytes(10));
    expect((await kept(1402))!.bytes).toHaveLength(10);
  });

  it('are written with more concurrency than the pool has connections', async () => {
    const all = Array.from({ length: 100 }, (_, n) => Buffer.alloc(100_000, n));
    await Promise.all(all.map((bytes, n) => write(2000 + n, bytes)));
    for (const [n, bytes] of all.entries()) expect((await kept(2000 + n))!.bytes.equals(bytes)).toBe(true);
  });
});
