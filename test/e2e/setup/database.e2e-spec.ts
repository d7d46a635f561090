import { Client } from 'pg';
import { emptyDatabaseUrl, testDatabaseUrl } from '../../setup/database';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

describe('the test databases', () => {
  it('give a worker the same database each time, even to two concurrent callers', async () => {
    const [first, second] = await Promise.all([testDatabaseUrl(), testDatabaseUrl()]);
    expect(second).toBe(first);
    expect(await testDatabaseUrl()).toBe(first);
    expect(nameIn(first)).toMatch(new RegExp(`^docfetch_test_[0-9a-f]{10}_w${process.env.JEST_WORKER_ID}$`));
    expect(await query(first, 'select current_database() as name')).toEqual([{ name: nameIn(first) }]);
  });

  it('give every caller of an empty database a separate one', async () => {
    const [first, second] = await Promise.all([emptyDatabaseUrl(), emptyDatabaseUrl()]);
    await query(first, 'create table only_here (id int)');
    expect(await query(first, `select to_regclass('only_here')::text as found`)).toEqual([{ found: 'only_here' }]);
    expect(await query(second, `select to_regclass('only_here')::text as found`)).toEqual([{ found: null }]);
    expect(nameIn(first).startsWith(`${nameIn(await testDatabaseUrl())}_`)).toBe(true);
  });
});
