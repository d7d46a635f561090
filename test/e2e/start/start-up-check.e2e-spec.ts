import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { emptyDatabaseUrl, migratedDatabaseUrl } from '../../setup/database';
import { runEntryPoint } from './run-entry-point';
import type { EntryPoint } from './service-process';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const CREATE = ['environment', 'create', '--client', 'Acme', '--name', 'Second', '--kind', 'test'];

/** Every entry point; of the CLI a command that reads, one that writes and the one that tolerates missing keys. */
const ENTRY_POINTS: [string, EntryPoint, string[]][] = [
  ['the service', 'main', []],
  ['the migration step', 'migrate', []],
  ['environment create', 'cli', CREATE],
  ['environment list', 'cli', ['environment', 'list']],
  ['encryption rotate', 'cli', ['encryption', 'rotate']],
];
const without = (...names: string[]) => ENTRY_POINTS.filter(([name]) => !names.includes(name));

describe('The start-up check of every entry point', () => {
  let pool: Pool;
  let env: Record<string, string>;

  beforeAll(async () => {
    const DATABASE_URL = await migratedDatabaseUrl();
    pool = new Pool({ connectionString: DATABASE_URL, max: 1 });
    env = { DATABASE_URL, DATA_DIR: '/dev/null/docfetch', PORT: '0' };
    for (const name of ['ENCRYPTION_KEYS', 'TOKEN_KEYS']) env[name] = key('k1', 1);
    expect(await runEntryPoint('cli', env, CREATE)).toMatchObject({ status: 0, stderr: '' });
  });
  afterAll(() => pool?.end());

  const rows = async () =>
    (
      await pool.query<{ environments: string; keys: string }>(
        `select (select count(*) from environment) as environments, (select string_agg(master_key_id, ',') from data_key) as keys`,
      )
    ).rows[0];

  const refuses = async (entryPoint: EntryPoint, args: string[], changes: Record<string, string>, reason: string) => {
    const before = await rows();
    const { status, stdout, stderr } = await runEntryPoint(entryPoint, { ...env, ...changes }, args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(reason)]);
    expect(await rows()).toEqual(before);
  };

  it.each(without('encryption rotate'))('rejects a missing key: %s', (_, entryPoint, args) =>
    refuses(entryPoint, args, { ENCRYPTION_KEYS: key('k2', 2) }, 'ENCRYPTION_KEYS has no key "k1"'),
  );

  it.each(ENTRY_POINTS)('rejects another key under the same name: %s', (_, entryPoint, args) =>
    refuses(
      entryPoint,
      args,
      { ENCRYPTION_KEYS: `${key('k2', 2)},${key('k1', 3)}` },
      'the key "k1" of ENCRYPTION_KEYS is not',
    ),
  );

  it.each(without('the migration step'))('rejects a database without the schema: %s', async (_, entryPoint, args) =>
    refuses(entryPoint, args, { DATABASE_URL: await emptyDatabaseUrl() }, 'Run "npm run migrate" first.'),
  );

  it.each(ENTRY_POINTS)('rejects documents in a bucket that is not configured: %s', async (_, entryPoint, args) => {
    const content = randomUUID();
    await pool.query(
      `insert into object_deletion_queue (content_uuid, environment_uuid, location, chunks, due_at)
       values ($1, gen_random_uuid(), 'elsewhere/', 1, now())`,
      [content],
    );
    try {
      await refuses(entryPoint, args, {}, 'documents are stored in the bucket and prefix "elsewhere/"');
    } finally {
      await pool.query('delete from object_deletion_queue where content_uuid = $1', [content]);
    }
  });

  it('lets the migration step migrate an empty database', async () => {
    const { status, stdout } = await runEntryPoint('migrate', { ...env, DATABASE_URL: await emptyDatabaseUrl() });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Migrated: /) });
  });
});
