import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { defaultAccount } from '../../../src/platform/database/embedded/account';
import { SHARED_FOLDER } from '../../../src/platform/database/embedded/binaries';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres';
import { deleteClusterFolder } from '../../../src/platform/database/embedded/cluster-folder';
import { findPostmaster, waitForExit } from '../../../src/platform/database/embedded/postmaster';
import { processIdentity, pidIfRunning } from '../../../src/platform/database/embedded/process-table';

/** Its source files, which another process loads. */
const EMBEDDED = join(__dirname, '../../../src/platform/database/embedded');
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? it : it.skip;

interface Answer {
  url: string;
  adopted: boolean;
  ownerPid: number | null;
  output: string[];
}

let template: string;
let base: string;
let dataDir: string;
const running: EmbeddedPostgres[] = [];
const owners: ChildProcess[] = [];

beforeAll(async () => {
  template = await temporaryFolder();
  const server = await startEmbeddedPostgres({ dataDir: join(template, 'postgres'), durable: false });
  await server.stop();
});

afterAll(() => rm(template, { recursive: true }));

beforeEach(async () => {
  base = await temporaryFolder();
  dataDir = join(base, 'postgres');
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const owner of owners.splice(0)) await kill(owner);
  for (const folder of [dataDir, join(base, 'private/postgres')]) {
    await waitForExit(await dataOf(folder));
    await deleteClusterFolder(folder);
  }
  await rm(base, { recursive: true });
  // Removed only when it is empty, because it may contain real clusters.
  if (isRoot) await rmdir(SHARED_FOLDER).catch(() => undefined);
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docfetch-embedded-'));
  await chmod(folder, 0o755);
  return folder;
}

/** A stopped cluster from an earlier start, for tests that are not about the first one. */
function givenCluster(): void {
  execFileSync('cp', ['-a', join(template, 'postgres'), dataDir]);
}

async function start(options: { dataDir?: string; print?: (line: string) => void } = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, ...options });
  running.push(server);
  return server;
}

/** Another process that starts the server, reports the result and then waits. */
async function startInOwnProcess(): Promise<{ owner: ChildProcess; answer: Answer }> {
  const script = `
    const { transpileModule } = require('typescript');
    require.extensions['.ts'] = (module, file) => module._compile(transpileModule(
      require('fs').readFileSync(file, 'utf8'), { compilerOptions: { target: 'es2023', module: 'commonjs', esModuleInterop: true } }
    ).outputText, file);
    const output = [];
    require(${JSON.stringify(join(EMBEDDED, 'embedded-postgres.ts'))})
      .startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false, print: (line) => output.push(line) })
      .then(({ url, adopted, ownerPid }) => console.log(JSON.stringify({ url, adopted, ownerPid, output })));
    setInterval(() => undefined, 60_000);`;
  const owner = spawn(process.execPath, ['-e', script], { cwd: EMBEDDED, stdio: ['ignore', 'pipe', 'inherit'] });
  owners.push(owner);
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  return { owner, answer: JSON.parse(line) as Answer };
}

async function kill(owner: ChildProcess): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  owner.kill('SIGKILL');
  await once(owner, 'exit');
}

/** The shell above the postmaster and that shell's other child, which holds the pipe. */
function watchdogsOf(postmaster: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const processes = table.map((line) => line.trim().split(/\s+/).map(Number));
  const shell = processes.find(([pid]) => pid === postmaster)?.[1] ?? 0;
  const children = processes.flatMap(([pid, parent]) => (parent === shell && pid && pid !== postmaster ? [pid] : []));
  expect(children).toHaveLength(1);
  return [shell, ...children];
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}

async function postmasterOf(folder: string): Promise<Awaited<ReturnType<typeof findPostmaster>>> {
  return findPostmaster(await dataOf(folder));
}

async function dataOf(folder: string): Promise<string> {
  return join(await readlink(join(folder, 'moved-to')).catch(() => folder), 'data');
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function remember(url: string): Promise<void> {
  await query(url, `create table if not exists note (text text); insert into note values ('kept')`);
}

describe('the embedded PostgreSQL', () => {
  it('creates the database docfetch at its first start, accessible with a password on 127.0.0.1 only', async () => {
    const output: string[] = [];
    const server = await start({ print: (line) => output.push(line) });

    expect(server).toMatchObject({ adopted: false, ownerPid: null });
    expect(output).toEqual([`Creating the database in ${dataDir}.`]);
    const [row] = await query(
      server.url,
      `select current_database() as name, current_setting('listen_addresses') as tcp, current_setting('unix_socket_directories') as unix,
         datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding
       from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({
      name: 'docfetch',
      tcp: '127.0.0.1',
      unix: '',
      provider: 'b',
      locale: 'C.UTF-8',
      encoding: 'UTF8',
    });
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect((await stat(join(dataDir, 'data/docfetch-password'))).mode & 0o777).toBe(0o600);
  });

  it('is crash-safe by default, and accepts further settings', async () => {
    const server = await startEmbeddedPostgres({ dataDir, settings: { work_mem: '7MB', shared_buffers: '16MB' } });
    running.push(server);
    const sql = `select string_agg(setting, ' ' order by name) as all from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`;
    expect(await query(server.url, sql)).toEqual([{ all: 'on on on' }]);
    expect(await query(server.url, 'show work_mem')).toEqual([{ work_mem: '7MB' }]);
  });

  it('keeps its data and its password over a restart, and stop() leaves no process', async () => {
    const first = await start();
    await remember(first.url);
    await first.stop();
    expect(await postmasterOf(dataDir)).toBeNull();
    await first.stop();

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    expect(await query(second.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('adopts the server of another living process and does not stop it', async () => {
    givenCluster();
    const { owner, answer } = await startInOwnProcess();
    await remember(answer.url);

    const adopted = await start();
    expect(adopted).toMatchObject({ adopted: true, ownerPid: owner.pid, url: answer.url });
    await adopted.stop();
    expect(await query(answer.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('stops PostgreSQL when its process is killed, and the next start keeps the data', async () => {
    givenCluster();
    const { owner, answer } = await startInOwnProcess();
    await remember(answer.url);
    await kill(owner);
    await eventually(async () => (await postmasterOf(dataDir)) === null);
    await expect(query(answer.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);

    const next = await start();
    expect(await query(next.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('does not adopt the server of a process that was just killed, but waits and starts its own', async () => {
    givenCluster();
    const { owner, answer } = await startInOwnProcess();
    await remember(answer.url);
    const old = await postmasterOf(dataDir);
    await kill(owner);

    const next = await start();
    expect(next.adopted).toBe(false);
    expect((await postmasterOf(dataDir))?.pid).not.toBe(old?.pid);
    expect(await query(next.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('recovers when process and PostgreSQL were killed together', async () => {
    givenCluster();
    const { owner, answer } = await startInOwnProcess();
    await remember(answer.url);
    const postmaster = await postmasterOf(dataDir);
    process.kill(postmaster?.pid ?? 0, 'SIGKILL');
    await kill(owner);

    const next = await start();
    expect(next.adopted).toBe(false);
    expect(await query(next.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('shuts down a server whose process and watchdog were killed', async () => {
    givenCluster();
    const { owner, answer } = await startInOwnProcess();
    await remember(answer.url);
    const orphan = await postmasterOf(dataDir);
    for (const pid of watchdogsOf(orphan?.pid ?? 0)) process.kill(pid, 'SIGKILL');
    await kill(owner);

    const next = await start();
    expect(next.adopted).toBe(false);
    expect((await postmasterOf(dataDir))?.pid).not.toBe(orphan?.pid);
    expect(await query(next.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('starts when the pid in a stale postmaster.pid belongs to another program', async () => {
    givenCluster();
    const first = await start();
    await remember(first.url);
    const file = join(dataDir, 'data/postmaster.pid');
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
    await first.stop();
    await writeFile(file, [process.pid, ...rest].join('\n'));

    const next = await start();
    expect(next.adopted).toBe(false);
    expect(await query(next.url, 'select text from note')).toEqual([{ text: 'kept' }]);
  });

  it('creates one cluster when two processes start concurrently; the second adopts the first', async () => {
    const answers = await Promise.all([startInOwnProcess(), startInOwnProcess()]);
    const [first, second] = answers.sort((a, b) => Number(a.answer.adopted) - Number(b.answer.adopted));

    expect(first?.answer.adopted).toBe(false);
    expect(second?.answer).toMatchObject({ adopted: true, ownerPid: first?.owner.pid, url: first?.answer.url });
    const output = answers.flatMap(({ answer }) => answer.output);
    expect(output.filter((line) => line.startsWith('Creating'))).toHaveLength(1);
    expect((await readdir(dataDir)).sort()).toEqual(['data', 'owner', 'postgres.log']);
  });

  it('takes over the lock and the unfinished cluster of a process killed during its first start', async () => {
    await mkdir(join(dataDir, 'initdb-half/data'), { recursive: true });
    const dead = spawn('sleep', ['60']);
    const claim = processIdentity(dead.pid ?? 0) ?? '';
    await kill(dead);
    expect(pidIfRunning(claim)).toBeNull();
    await symlink(`${claim} # 1`, join(dataDir, 'start.lock'));

    await start();
    expect((await readdir(dataDir)).sort()).toEqual(['data', 'owner', 'postgres.log']);
  });

  it('reports in one line that a cluster of another major version needs a dump', async () => {
    givenCluster();
    await writeFile(join(dataDir, 'data/PG_VERSION'), '12\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 12.*or set DATABASE_URL\.$/);
    expect(await postmasterOf(dataDir)).toBeNull();
  });

  it('reports the message of PostgreSQL when it does not start', async () => {
    givenCluster();
    const options = { dataDir, durable: false, settings: { shared_buffers: 'plenty' } };
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(
      /invalid value for parameter "shared_buffers": "plenty"/,
    );
  });

  asRoot('runs under an ordinary account when the service is root', async () => {
    givenCluster();
    await start();
    const postmaster = await postmasterOf(dataDir);
    const account = await defaultAccount();
    expect((await stat(`/proc/${postmaster?.pid}`)).uid).toBe(account?.uid);
    expect(account?.uid).toBeGreaterThan(0);
  });

  asRoot('keeps its data in a reachable folder when that account cannot enter the one asked for', async () => {
    await mkdir(join(base, 'private'), { mode: 0o700 });
    const hidden = join(base, 'private/postgres');
    const output: string[] = [];
    const first = await start({ dataDir: hidden, print: (line) => output.push(line) });
    const elsewhere = await readlink(join(hidden, 'moved-to'));
    expect(elsewhere).toMatch(/^\/var\/lib\/docfetch\//);
    expect(output[0]).toBe(`The account postgres cannot reach ${hidden}: the database is kept in ${elsewhere}.`);
    await remember(first.url);
    await first.stop();

    output.length = 0;
    const second = await start({ dataDir: hidden, print: (line) => output.push(line) });
    expect(await query(second.url, 'select text from note')).toEqual([{ text: 'kept' }]);
    expect(output).toEqual([]);
  });
});
