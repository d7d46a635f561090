import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Service } from '../harness/processes/service';
import { median, table } from '../harness/report';
import { setUpHttpApi } from '../http-api/http-api-setup';

/** Of the commands, and of the starts of the service, which take longer. */
const ROUNDS = 21;
const START_ROUNDS = 5;

/** One program, until it has ended; `goal` in milliseconds. */
interface Program {
  readonly name: string;
  readonly goal: number | null;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** How long the programs need from their start until they have done what is asked of them. */
export async function starting(folder: string): Promise<string> {
  await promisify(execFile)(process.execPath, [join('tools', 'build', 'main.mjs'), 'client']);
  const [dataDir, home] = [join(folder, 'service'), join(folder, 'home')];
  await mkdir(home);
  const client = join('sdk', 'cli', 'dist', 'main.mjs');
  const results: [name: string, goal: number | null, times: number[]][] = [];
  {
    await using service = await Service.start(dataDir);
    const { key, connections } = await setUpHttpApi(service);
    const asked = { DOCFETCH_URL: service.base, DOCFETCH_API_KEY: key };
    const programs: Program[] = [
      { name: 'bare Node', goal: null, args: ['--eval', '0'] },
      { name: 'docfetch-client --version', goal: 300, args: [client, '--version'] },
      { name: 'docfetch-client --help', goal: 300, args: [client, '--help'] },
      {
        name: 'docfetch-client transactions list',
        goal: 300,
        args: [client, 'transactions', 'list', '--json'],
        env: asked,
      },
      { name: 'docfetch --help', goal: 1_000, args: [join('dist', 'src', 'cli.js'), '--help'] },
      ...[
        ['environment', 'list'],
        ['environment', 'transfer-key'],
        ['connection', 'show', connections[0]!],
      ].map(([group, action, ...more]): Program => ({
        name: `docfetch ${group} ${action}`,
        goal: 1_000,
        args: [join('dist', 'src', 'cli.js'), group!, action!, ...more, '--json'],
        env: { DATABASE_URL: service.databaseUrl },
      })),
      {
        name: 'the service, refusing its PORT',
        goal: 1_000,
        status: 1,
        args: [join('dist', 'src', 'main.js')],
        env: { PORT: 'none' },
      },
    ];
    const times = programs.map(() => [] as number[]);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [at, program] of programs.entries()) {
        const ms = await durationOf(program, { HOME: home, DATA_DIR: dataDir });
        if (round > 0) times[at]!.push(ms);
      }
    }
    for (const [at, { name, goal }] of programs.entries()) results.push([name, goal, times[at]!]);
  }
  results.push(['the service, until it is ready', 3_000, await startsOf(dataDir)]);
  return report(results);
}

async function durationOf(
  { name, args, env, status = 0 }: Program,
  shared: Readonly<Record<string, string>>,
): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env: { ...shared, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== status) throw new Error(`${name} ended with ${code}:\n${output}`);
  return performance.now() - began;
}

/** Of the service with its embedded database, which exists. */
async function startsOf(dataDir: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= START_ROUNDS; round++) {
    const began = performance.now();
    await using _service = await Service.start(dataDir);
    if (round > 0) times.push(performance.now() - began);
  }
  return times;
}

function report(results: readonly [name: string, goal: number | null, times: readonly number[]][]): string {
  const baseline = median(results[0]![2]);
  const rows = results.map(([name, goal, times]) => [
    name,
    median(times).toFixed(0),
    Math.max(...times).toFixed(0),
    goal === null ? '' : String(goal),
    (median(times) / baseline).toFixed(1),
  ]);
  return `${table(['program', 'median ms', 'worst ms', 'goal', '× bare Node'], rows)}

From the start of the process until it has ended, ${ROUNDS} rounds in turn, with a service beside it that the commands ask; the service itself
until \`/health/ready\` answers 200, looked at every 100 ms, ${START_ROUNDS} rounds. Everything is built.`;
}
