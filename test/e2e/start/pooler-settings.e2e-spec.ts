import { emptyDatabaseUrl, migratedDatabaseUrl } from '../../setup/database';
import { freePort } from '../../harness/free-port';
import { runEntryPoint } from './run-entry-point';

const FOLDER = { DATA_DIR: '/dev/null/docfetch', PORT: '0' };
const KEYS = {
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  TOKEN_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};

/** The address of a pooler on which nothing listens: connections to it fail. */
const unavailable = async () => `postgres://u:hunter2@127.0.0.1:${await freePort()}/docfetch`;

describe('The migration step with a pooler', () => {
  const migrate = (env: Record<string, string>) => runEntryPoint('migrate', { ...FOLDER, ...KEYS, ...env });

  it('in transaction mode requires DATABASE_DIRECT_URL, and says so in one line', async () => {
    const DATABASE_URL = await emptyDatabaseUrl();
    const { status, stderr } = await migrate({ DATABASE_URL, DATABASE_POOLER: 'transaction' });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The migration failed: DATABASE_DIRECT_URL is required with DATABASE_POOLER=transaction[^\n]*\n$/,
    );
  });

  it.each(['transaction', 'session'])('in %s mode uses only DATABASE_DIRECT_URL', async (DATABASE_POOLER) => {
    const env = { DATABASE_URL: await unavailable(), DATABASE_POOLER, DATABASE_DIRECT_URL: await emptyDatabaseUrl() };
    expect(await migrate(env)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Migrated: /) });
  });

  it('in session mode uses DATABASE_URL without a direct one', async () => {
    const env = { DATABASE_URL: await emptyDatabaseUrl(), DATABASE_POOLER: 'session' };
    expect(await migrate(env)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Migrated: /) });
  });
});

describe('The service with a pooler', () => {
  it.each(['main', 'cli'] as const)('uses only DATABASE_URL: %s', async (entryPoint) => {
    const env = { DATABASE_POOLER: 'transaction', DATABASE_URL: await migratedDatabaseUrl() };
    const given = { ...FOLDER, ...KEYS, ...env, DATABASE_DIRECT_URL: await unavailable() };
    expect(await runEntryPoint(entryPoint, given, ['environment', 'list'])).toMatchObject({ status: 0, stderr: '' });
  });
});
