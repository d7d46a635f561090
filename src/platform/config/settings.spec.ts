import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY, OTHER_KEY, PRODUCTION, problemsOf } from '../../../test/harness/settings-of-production';
import type { NamedKey } from './master-key';
import { Settings } from './settings';

describe('the settings (decisions 8)', () => {
  let dataDir: string;
  const read = (env: NodeJS.ProcessEnv = {}) => Settings.fromEnvironment({ DATA_DIR: dataDir, ...env });

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'docfetch-settings-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('have no required values outside of production', () => {
    expect(read()).toMatchObject({
      production: false,
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      databasePooler: null,
      databaseDirectUrl: null,
      role: 'all',
      networkAllow: ['127.0.0.0/8', '::1/128'],
      rateLimitPerKey: 600,
      rateLimitPerToken: 120,
      rateLimitFailures: 20,
      trustProxy: 0,
      logLevel: 'info',
      metricsPort: null,
      metricsToken: null,
      showsMetrics: false,
      runsApi: true,
      runsWorker: true,
    });
  });

  it('set the delays before the attempts of a push, which start at 0 and increase', () => {
    expect(read().pushRetrySchedule).toEqual([
      0, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 72_000, 86_400,
    ]);
    expect(read({ PUSH_RETRY_SCHEDULE: '0s, 5s, 1m, 1d' }).pushRetrySchedule).toEqual([0, 5, 60, 86_400]);
    for (const [schedule, problem] of [
      ['30s,2m', 'must begin with 0s'],
      ['0s,2m,30s', 'must grow'],
      ['0s,30', 'must be a list of times'],
      ['0s,,30s', 'must be a list of times'],
      ['0s,8d', '7 days'],
    ] as const) {
      expect(problemsOf({ PUSH_RETRY_SCHEDULE: schedule, DATA_DIR: dataDir })).toEqual([
        expect.stringMatching(`^PUSH_RETRY_SCHEDULE ${problem}|^PUSH_RETRY_SCHEDULE .*${problem}`),
      ]);
    }
  });

  it.each([
    ['a pooler of the embedded database', { DATABASE_POOLER: 'session' }, /^DATABASE_POOLER needs DATABASE_URL/],
    ['an unknown pooler', { DATABASE_POOLER: 'statement', DATABASE_URL: PRODUCTION.DATABASE_URL }, /^DATABASE_POOLER /],
    [
      'a direct address besides a direct address',
      { DATABASE_URL: PRODUCTION.DATABASE_URL, DATABASE_DIRECT_URL: 'postgres://user:hunter2@db/docfetch' },
      /^DATABASE_DIRECT_URL is only for DATABASE_POOLER/,
    ],
    [
      'settings of the session at a pooler',
      { DATABASE_URL: `${PRODUCTION.DATABASE_URL}?options=-c%20lock_timeout%3D5s`, DATABASE_POOLER: 'transaction' },
      /^DATABASE_URL must not contain options with DATABASE_POOLER/,
    ],
    [
      'a replica of the embedded database',
      { DATABASE_REPLICA_URL: PRODUCTION.DATABASE_URL },
      /^DATABASE_REPLICA_URL needs DATABASE_URL/,
    ],
    [
      'settings of the session at a pooler of the replica',
      {
        DATABASE_URL: PRODUCTION.DATABASE_URL,
        DATABASE_REPLICA_URL: `${PRODUCTION.DATABASE_URL}?options=-c%20lock_timeout%3D5s`,
        DATABASE_POOLER: 'transaction',
      },
      /^DATABASE_REPLICA_URL must not contain options with DATABASE_POOLER/,
    ],
    [
      'an invalid address of a pooler',
      { DATABASE_URL: 'mysql://db/x', DATABASE_POOLER: 'session' },
      /^DATABASE_URL must/,
    ],
  ])('reject %s in one line', (_, env, problem) => {
    const problems = problemsOf({ ...env, DATA_DIR: dataDir });
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems[0]).not.toContain('hunter2');
  });

  it('generate separate keys once outside of production, readable only by the owner', () => {
    const [first, again] = [read(), read()];
    expect(again.encryptionKeys).toEqual(first.encryptionKeys);
    expect(again.tokenKeys).toEqual(first.tokenKeys);
    expect((first.encryptionKeys[0] as NamedKey).bytes).toHaveLength(32);
    expect(first.tokenKeys[0]!.bytes).not.toEqual((first.encryptionKeys[0] as NamedKey).bytes);
    expect(statSync(join(dataDir, 'encryption-key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'encryption-key'), 'utf8')).toMatch(/^local:/);
  });

  it.each([
    ['a folder that cannot be created', () => '/dev/null/docfetch', /ENOTDIR/],
    [
      'a file with a broken key',
      () => {
        writeFileSync(join(dataDir, 'encryption-key'), 'local:hunter2');
        return dataDir;
      },
      /encryption-key: must be a list of id:base64/,
    ],
  ])('report %s as an error of DATA_DIR, without its content', (_, folder, reason) => {
    const [problem, ...others] = problemsOf({ DATA_DIR: folder() });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^DATA_DIR cannot be used: /);
    expect(problem).toMatch(reason);
    expect(problem).not.toContain('hunter2');
  });

  it('are parsed correctly', () => {
    const settings = Settings.fromEnvironment({
      ...PRODUCTION,
      PORT: '8080',
      ROLE: 'worker',
      WORKER_CONCURRENCY: '3',
      NETWORK_ALLOW: '10.0.0.0/8, fd00::/8',
      LOG_LEVEL: ' warn ',
      RATE_LIMIT_PER_KEY: '6000',
      RATE_LIMIT_PER_TOKEN: '1200',
      RATE_LIMIT_FAILURES: '200',
      TRUST_PROXY: '10.0.0.0/8, fd00::/8',
      METRICS_PORT: '9464',
      METRICS_TOKEN: 'm'.repeat(32),
      SHOW_UNAVAILABLE: 'true',
      CONSOLE_ENABLED: 'false',
      SHUTDOWN_DELAY_SECONDS: '15',
    });
    expect(settings).toMatchObject({
      production: true,
      port: 8080,
      publicUrl: 'https://docs.example.com',
      databaseUrl: PRODUCTION.DATABASE_URL,
      role: 'worker',
      workerConcurrency: 3,
      pushConcurrency: 8,
      networkAllow: ['10.0.0.0/8', 'fd00::/8'],
      logLevel: 'warn',
      rateLimitPerKey: 6000,
      rateLimitPerToken: 1200,
      rateLimitFailures: 200,
      trustProxy: ['10.0.0.0/8', 'fd00::/8'],
      metricsPort: 9464,
      metricsToken: 'm'.repeat(32),
      showsMetrics: true,
      showUnavailable: true,
      consoleEnabled: false,
      shutdownDelaySeconds: 15,
      runsApi: false,
      runsWorker: true,
    });
    expect(settings.encryptionKeys.map(({ id }) => id)).toEqual(['k2', 'k1']);
    expect((settings.encryptionKeys[0] as NamedKey).bytes).toEqual(Buffer.alloc(32, 2));
  });

  it('allow no private network in production by default', () => {
    expect(Settings.fromEnvironment(PRODUCTION).networkAllow).toEqual([]);
  });

  it.each(['DATABASE_URL', 'PUBLIC_URL', 'ENCRYPTION_KEYS', 'TOKEN_KEYS'])('require %s in production', (name) => {
    for (const value of [undefined, '', '  ']) {
      expect(problemsOf({ ...PRODUCTION, [name]: value })).toEqual([expect.stringMatching(`^${name} is required`)]);
    }
  });

  it('reject another NODE_ENV than production, development and test, which would mean development', () => {
    expect(read({ NODE_ENV: 'development' }).production).toBe(false);
    expect(read({ NODE_ENV: 'test' }).production).toBe(false);
    expect(read(PRODUCTION).production).toBe(true);
    for (const NODE_ENV of ['prod', 'Production', 'staging']) {
      expect(problemsOf({ ...PRODUCTION, NODE_ENV })).toEqual([expect.stringMatching(/^NODE_ENV must be /)]);
    }
  });

  it('store documents in the database without a bucket, and reveal nothing of its URL', () => {
    expect(read({ STORAGE_URL: ' ' }).storage).toBeNull();
    const STORAGE_URL = 's3://documents?access_key=AKIA&secret_key=hidden';
    expect(read({ STORAGE_URL }).storage).toMatchObject({ bucket: 'documents', secretKey: 'hidden' });
    const [problem, ...others] = problemsOf({ STORAGE_URL: `${STORAGE_URL}&secret=hidden` });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^STORAGE_URL takes region, access_key, secret_key, endpoint, addressing, each once/);
    expect(problem).not.toContain('hidden');
  });

  it('accept a number of proxies, or their networks', () => {
    expect(read({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    for (const TRUST_PROXY of ['yes', '10', '-1', '10.0.0.0', '*']) {
      expect(problemsOf({ TRUST_PROXY })).toEqual([expect.stringMatching(/^TRUST_PROXY must be a number of proxies/)]);
    }
    expect(problemsOf({ RATE_LIMIT_PER_KEY: '0' })).toEqual([expect.stringMatching(/^RATE_LIMIT_PER_KEY must /)]);
  });

  it('report all errors at once, one line each', () => {
    const found = problemsOf({
      NODE_ENV: 'production',
      PORT: '70000',
      ROLE: 'boss',
      WORKER_CONCURRENCY: 'many',
      NETWORK_ALLOW: '10.0.0.0/99',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'docs.example.com',
    });
    const names = found.map((problem) => problem.split(' ')[0]);
    expect(names.sort()).toEqual([
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'LOG_LEVEL',
      'NETWORK_ALLOW',
      'PORT',
      'PUBLIC_URL',
      'ROLE',
      'TOKEN_KEYS',
      'WORKER_CONCURRENCY',
    ]);
    expect(found.every((problem) => !problem.includes('\n'))).toBe(true);
  });

  it.each([
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['DATABASE_POOL', '1'],
    ['WORKER_CONCURRENCY', '0'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://user@example.com'],
    ['PUBLIC_URL', 'https://example.com?x=1'],
    ['DATABASE_URL', 'mysql://db/docfetch'],
    ['DATABASE_URL', 'postgres://db'],
    ['DATABASE_URL', 'postgres://db/docfetch?sslmode=verify-full&sslrootcert=/nowhere/authority.pem'],
    ['NETWORK_ALLOW', '10.0.0.1'],
    ['NETWORK_ALLOW', 'example.com/8'],
    ['ENCRYPTION_KEYS', KEY],
    ['ENCRYPTION_KEYS', `k1:${Buffer.alloc(16).toString('base64')}`],
    ['ENCRYPTION_KEYS', `k1:${KEY},k1:${OTHER_KEY}`],
    ['TOKEN_KEYS', 't1:'],
    ['PROVIDERS_DIR', '/nonexistent/providers'],
    ['PROVIDERS_DIR', 'package.json'],
    ['SHOW_UNAVAILABLE', 'yes'],
    ['METRICS_PORT', '0'],
    ['METRICS_PORT', '3000'],
    ['METRICS_PORT', 'yes'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'with a blank '.repeat(4)],
  ])('reject %s=%s', (name, value) => {
    expect(problemsOf({ DATA_DIR: dataDir, [name]: value })).toEqual([expect.stringMatching(`^${name} `)]);
  });

  it('never contain a secret in an error', () => {
    const secret = Buffer.alloc(31, 9).toString('base64');
    const found = problemsOf({
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgress://user:hunter2@db/docfetch',
      ENCRYPTION_KEYS: `k1:${secret}`,
      TOKEN_KEYS: `t1:${KEY},t1:${secret}`,
    });
    expect(found).toHaveLength(3);
    for (const part of ['hunter2', secret, KEY]) expect(found.join('\n')).not.toContain(part);
  });
});
