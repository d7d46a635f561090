import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '../../../src/bootstrap/database/open-database';
import { MIGRATIONS } from '../../../src/bootstrap/database/migrations';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres';
import { deleteClusterFolder } from '../../../src/platform/database/embedded/cluster-folder';
import { migratedDatabaseUrl } from '../../setup/database';
import { runEntryPoint } from './run-entry-point';
import type { EntryPoint } from './service-process';

const ENTRY_POINTS: [string, EntryPoint, string[]][] = [
  ['npm start', 'main', []],
  ['npm run migrate', 'migrate', []],
  ['npm run cli', 'cli', ['environment', 'list']],
];
const KEY = `test:${Buffer.alloc(32, 7).toString('base64')}`;
/** The first migration of a version whose migrations were squashed. */
const OLDER = '20261120100000_create-platform';
const NEWER = '29991231000000_add-something';
const NEWEST = MIGRATIONS.at(-1)!.name;

async function query(url: string, text: string, parameters: string[] = []): Promise<{ name: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(text, parameters)).rows;
  } finally {
    await client.end();
  }
}

/** Tables, functions and executed migrations. */
const content = (url: string) =>
  query(
    url,
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
     union all select proname::text from pg_proc where pronamespace = 'public'::regnamespace
     union all select name::text from migration order by name`,
  );

describe('A database of DATABASE_URL', () => {
  const env = (DATABASE_URL: string) => ({
    ...{ DATABASE_URL, DATA_DIR: '/dev/null/docfetch', PORT: '0' },
    ...{ ENCRYPTION_KEYS: KEY, TOKEN_KEYS: KEY },
  });

  const refuses = async (url: string, stray: string) => {
    const before = await content(url);
    for (const [, entryPoint, args] of ENTRY_POINTS) {
      const { status, stdout, stderr } = await runEntryPoint(entryPoint, env(url), args);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringMatching(
          new RegExp(`the database of DATABASE_URL has the schema of another version .*${stray}.* set DATABASE_URL to`),
        ),
      ]);
    }
    expect(await content(url)).toEqual(before);
  };

  it('with another encoding than UTF8 is rejected', async () => {
    const url = new URL(await migratedDatabaseUrl());
    const name = `${url.pathname.slice(1)}_latin`;
    await query(
      url.href,
      `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    );
    url.pathname = name;
    for (const [, entryPoint, args] of ENTRY_POINTS) {
      const { status, stderr } = await runEntryPoint(entryPoint, env(url.href), args);
      expect(status).toBe(1);
      expect(stderr).toMatch(/the database has the encoding LATIN1\. Create it with UTF8: .*\n$/);
    }
  });

  it('with only the migrations of an older version is rejected and not changed', async () => {
    const url = await migratedDatabaseUrl();
    await query(url, 'delete from migration');
    await query(url, 'insert into migration (name) values ($1)', [OLDER]);
    await refuses(url, OLDER);
  });

  it('with an unknown migration between the known ones is rejected', async () => {
    const url = await migratedDatabaseUrl();
    await query(url, 'insert into migration (name) values ($1)', [OLDER]);
    await refuses(url, OLDER);
  });

  it('with a newer migration, but without one of this version, is rejected', async () => {
    const url = await migratedDatabaseUrl();
    await query(url, 'update migration set name = $1 where name = $2', [NEWER, NEWEST]);
    await refuses(url, NEWER);
  });

  it('with all migrations of this version and a newer one is accepted, as during an upgrade', async () => {
    const url = await migratedDatabaseUrl();
    await query(url, 'insert into migration (name) values ($1)', [NEWER]);
    expect(await runEntryPoint('cli', env(url), ['environment', 'list'])).toMatchObject({ status: 0, stderr: '' });
    expect(await runEntryPoint('migrate', env(url))).toMatchObject({ stdout: 'The schema is up to date.\n' });
  });
});

describe('An embedded database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docfetch-schema-'));
    await chmod(folder, 0o711); // when run by root, PostgreSQL uses another account
  });
  afterAll(() => deleteClusterFolder(folder));

  const withServer = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
    const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  };

  it('of an older version is rejected and not changed, and the message names its folder', async () => {
    const before = await withServer(async (url) => {
      await migrateDatabase(url);
      await query(url, 'delete from migration');
      await query(url, 'insert into migration (name) values ($1)', [OLDER]);
      return content(url);
    });
    for (const [, entryPoint, args] of ENTRY_POINTS) {
      const { status, stderr } = await runEntryPoint(entryPoint, { DATA_DIR: folder, PORT: '0' }, args);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringContaining(`the database in ${join(folder, 'postgres')} has the schema of another version`),
      ]);
      expect(stderr).toContain('delete this folder');
    }
    expect(await withServer(content)).toEqual(before);
  });
});
