import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { deleteClusterFolder } from '../../../src/platform/database/embedded/cluster-folder';
import { findPostmaster } from '../../../src/platform/database/embedded/postmaster';
import { type InvalidSettings, Settings } from '../../../src/platform/config/settings';
import { eventually } from '../../harness/eventually';
import { emptyDatabaseUrl, migratedDatabaseUrl } from '../../setup/database';
import { runEntryPoint } from './run-entry-point';
import { ServiceProcess } from './service-process';
import { freePort } from '../../harness/free-port';

const dataFolders: string[] = [];

/** Creates a folder that the database's account can access; it is deleted with its content at the end. */
async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docfetch-start-'));
  dataFolders.push(folder);
  await chmod(folder, 0o711);
  return folder;
}

afterAll(async () => {
  for (const folder of dataFolders) await deleteClusterFolder(folder);
});

const key = (name: string, fill: number) => `${name}:${Buffer.alloc(32, fill).toString('base64')}`;
const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

describe('Invalid settings', () => {
  /** The lines that every entry point prints before it ends. */
  const problemsOf = (env: Record<string, string>): readonly string[] => {
    try {
      Settings.fromEnvironment(env);
      return [];
    } catch (error) {
      return (error as InvalidSettings).problems;
    }
  };

  it('are all reported at once, one line each, without secrets', async () => {
    const env = {
      PORT: 'eighty',
      PUBLIC_URL: 'docfetch.example',
      DATABASE_URL: 'mysql://u:hunter2@db/x',
      ENCRYPTION_KEYS: 'a:hunter2',
      TOKEN_KEYS: `a:${Buffer.alloc(16).toString('base64')}`,
      ROLE: 'boss',
      WORKER_CONCURRENCY: '0',
      NETWORK_ALLOW: '10.0.0.0',
      LOG_LEVEL: 'loud',
    };
    const { status, stdout, stderr } = await ServiceProcess.run('main', env);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const problems = lines(stderr);
    expect(problems).toEqual(problemsOf(env));
    const names = [
      'PORT',
      'PUBLIC_URL',
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'TOKEN_KEYS',
      'ROLE',
      'WORKER_CONCURRENCY',
      'NETWORK_ALLOW',
      'LOG_LEVEL',
    ];
    expect(problems.map((line) => line.split(' ')[0]).sort()).toEqual([...names].sort());
    for (const line of problems) {
      expect(line).toMatch(/ must /);
      expect(line).not.toContain('hunter2');
    }
  });

  it('are reported before the application is loaded', async () => {
    const listModules = `import m from 'node:module'; process.on('exit', () => console.log(Object.keys(m._cache).join()))`;
    const loader = `--import=data:text/javascript,${encodeURIComponent(listModules)}`;
    const service = await ServiceProcess.start('main', { PORT: 'abc' }, [], [loader]);
    const { status, stdout } = await service.end();
    expect(status).toBe(1);
    expect(stdout).toContain('settings.js');
    expect(stdout).not.toContain('@nestjs');
  });

  it('are required in production', () => {
    const problems = problemsOf({ NODE_ENV: 'production' });
    expect(problems.map((line) => line.split(' ')[0])).toEqual([
      'PUBLIC_URL',
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'TOKEN_KEYS',
    ]);
    for (const line of problems) expect(line).toContain('is required when NODE_ENV is production');
  });

  it.each([
    ['prefix', 'NETWORK_ALLOW', '10.0.0.0/64'],
    ['port', 'PORT', '70000'],
    [
      'key named twice',
      'ENCRYPTION_KEYS',
      `a:${Buffer.alloc(32).toString('base64')},a:${Buffer.alloc(32, 1).toString('base64')}`,
    ],
  ])('are rejected: invalid %s', (_, name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} `));
  });

  it('of an unavailable database are reported in one line', async () => {
    const port = await freePort();
    const { status, stderr } = await runEntryPoint('main', {
      DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${port}/docfetch`,
      DATA_DIR: await dataFolder(),
    });
    expect(status).toBe(1);
    expect(stderr).not.toContain('hunter2');
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toMatch(/^Docfetch could not start: .*ECONNREFUSED/);
  });

  it('of a database that does not exist are reported in one line, and it is not created', async () => {
    const url = new URL(await emptyDatabaseUrl());
    url.pathname = '/mistyped';
    for (const entryPoint of ['main', 'migrate'] as const) {
      const { status, stderr } = await runEntryPoint(entryPoint, {
        DATABASE_URL: url.href,
        DATA_DIR: await dataFolder(),
      });
      expect(status).toBe(1);
      expect(lines(stderr)).toEqual([
        expect.stringContaining('the database cannot be used: database "mistyped" does not exist'),
      ]);
    }
  });

  it('of a database that was not migrated are reported in one line', async () => {
    const { status, stderr } = await runEntryPoint('main', {
      DATABASE_URL: await emptyDatabaseUrl(),
      DATA_DIR: await dataFolder(),
    });
    expect(status).toBe(1);
    expect(lines(stderr)).toHaveLength(1);
    expect(stderr).toContain('npm run migrate');
  });
});

describe('A service with a database server', () => {
  it('starts after the migration, and a second migration changes nothing', async () => {
    const env = { DATABASE_URL: await emptyDatabaseUrl(), DATA_DIR: await dataFolder() };
    const first = await ServiceProcess.run('migrate', env);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Migrated: .*create-platform/);
    expect(await runEntryPoint('migrate', env)).toMatchObject({
      status: 0,
      stdout: 'The schema is up to date.\n',
    });
    const port = await freePort();
    const service = await (await ServiceProcess.start('main', { ...env, PORT: String(port) })).ready();
    await request(`http://127.0.0.1:${port}`).get('/health/ready').expect(200);
    expect(lines(service.stdout)).toEqual([
      `Docfetch is ready at http://localhost:${port} (role all, port ${port}; API documentation: http://localhost:${port}/docs)`,
    ]);
    expect(await service.kill('SIGTERM')).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['a required key is missing in ENCRYPTION_KEYS', 'k2', 1, 'ENCRYPTION_KEYS has no key "k1"'],
    ['a key has another value under the same name', 'k1', 2, 'the key "k1" of ENCRYPTION_KEYS is not the one'],
  ])('does not start when %s, and names the key', async (_, id, byte, reason) => {
    const env = {
      DATABASE_URL: await migratedDatabaseUrl(),
      DATA_DIR: await dataFolder(),
      PORT: String(await freePort()),
    };
    const create = ['environment', 'create', '--client', 'A', '--name', 'A', '--kind', 'test'];
    const encrypting = { ...env, ENCRYPTION_KEYS: key('k1', 1) };
    expect(await runEntryPoint('cli', encrypting, create)).toMatchObject({ status: 0 });
    const { status, stderr } = await runEntryPoint('main', { ...env, ENCRYPTION_KEYS: key(id, byte) });
    expect(status).toBe(1);
    expect(lines(stderr)).toEqual([expect.stringContaining(`Docfetch could not start: ${reason}`)]);
    const both = { ...env, ENCRYPTION_KEYS: `${key('k2', 2)},${key('k1', 1)}` };
    expect(await runEntryPoint('main', both)).toMatchObject({ status: 0, stderr: '' });
  });

  it('reports that its port is in use', async () => {
    const other = createServer().listen(0);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const env = { DATABASE_URL: await migratedDatabaseUrl(), DATA_DIR: await dataFolder(), PORT: String(port) };
    const { status, stderr } = await runEntryPoint('main', env);
    other.close();
    expect(status).toBe(1);
    expect(lines(stderr)).toEqual([expect.stringMatching(new RegExp(`^Port ${port} is in use`))]);
  });

  it('serves only the health check with the role worker', async () => {
    const port = await freePort();
    const env = {
      DATABASE_URL: await migratedDatabaseUrl(),
      DATA_DIR: await dataFolder(),
      PORT: String(port),
      ROLE: 'worker',
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://docfetch.example',
      ENCRYPTION_KEYS: key('k1', 1),
      TOKEN_KEYS: key('k1', 2),
    };
    const service = await (await ServiceProcess.start('main', env)).ready();
    await request(`http://127.0.0.1:${port}`).get('/health/live').expect(200);
    await request(`http://127.0.0.1:${port}`).get('/v1/integrations').expect(404);
    await request(`http://127.0.0.1:${port}`).get('/docs').expect(404);
    // In production, where all lines are JSON, so is the one that reports that it is ready.
    expect(lines(service.stdout).map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ msg: 'Docfetch is ready', role: 'worker', port, address: 'https://docfetch.example' }),
    ]);
    expect(await service.kill('SIGINT')).toMatchObject({ status: 0 });
  });
});

describe('A service with its embedded database', () => {
  let folder: string;
  let env: Record<string, string>;
  let first: ServiceProcess;
  const running: ServiceProcess[] = [];

  beforeAll(async () => {
    folder = await dataFolder();
    env = { DATA_DIR: folder, PORT: String(await freePort()) };
    first = await start();
  });
  afterAll(async () => {
    for (const service of running) await service.kill('SIGKILL');
    await eventually(async () => (await postmaster()) === null, 'the database has gone');
    await deleteClusterFolder(join(folder, 'postgres'));
  });

  const postmaster = () => findPostmaster(join(folder, 'postgres', 'data'));
  const start = async () => {
    const service = await ServiceProcess.start('main', env);
    running.push(service);
    return service.ready();
  };
  const url = () => `http://127.0.0.1:${env.PORT}`;
  const cli = async (...args: string[]) => {
    const { status, stdout, stderr } = await ServiceProcess.run('cli', env, args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, string>;
  };

  it('recovers automatically after its database was killed', async () => {
    const waitForLine = (line: string) => eventually(async () => first.stdout.includes(line), line);
    const ready = async () => (await request(url()).get('/health/ready')).status === 200;
    expect(await ready()).toBe(true);

    process.kill((await postmaster())!.pid, 'SIGKILL');
    await waitForLine('PostgreSQL has stopped unexpectedly');
    await waitForLine('PostgreSQL runs again.');
    await eventually(ready, 'the service is ready again');
  });

  it('keeps its data after a clean stop, which takes seconds, and after a kill', async () => {
    await request(url()).get('/health/ready').expect(200);
    // The command line works while the service is running.
    const { api_key: key } = await cli(
      'environment',
      'create',
      '--client',
      'Acme',
      '--name',
      'Test',
      '--kind',
      'test',
      '--json',
    );
    const identity = await request(url())
      .post('/v1/identities')
      .set('X-API-KEY', key!)
      .send({ client_identifier: 'c-1' })
      .expect(201);
    const { identity_uuid: uuid } = (identity.body as { data: { identity_uuid: string } }).data;
    const stillThere = () => request(url()).get(`/v1/identities/${uuid}`).set('X-API-KEY', key!).expect(200);

    const second = await runEntryPoint('main', { ...env, PORT: String(await freePort()) });
    expect(second.status).toBe(1);
    expect(lines(second.stderr)).toEqual([
      `Docfetch is already running on ${folder} (process ${first.child.pid}). Stop it first, or set another DATA_DIR.`,
    ]);
    await stillThere();

    const before = performance.now();
    expect(await first.kill('SIGTERM')).toMatchObject({ status: 0, stderr: '' });
    expect(performance.now() - before).toBeLessThan(8_000);
    expect(await postmaster()).toBeNull();

    const third = await start();
    await stillThere();
    expect((await third.kill('SIGKILL')).signal).toBe('SIGKILL');
    await eventually(async () => (await postmaster()) === null, 'the database ends with its service');

    const fourth = await start();
    await stillThere();
    expect(existsSync(join(folder, 'encryption-key'))).toBe(true);
    expect((await readFile(join(folder, 'token-key'), 'utf8')).trim()).toMatch(/^local:/);
    expect(await fourth.kill('SIGTERM')).toMatchObject({ status: 0 });
  });
});
