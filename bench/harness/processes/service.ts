import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres';
import { Child } from './child';
import type { Usage } from './usage';
import { freePort } from '../../../test/harness/free-port';

const START_MS = 120_000;
const BUILD = join(process.cwd(), 'dist');
const SCRIPTS = join(BUILD, 'src');
/** The Node options of `npm start`. */
const OPTIONS: readonly string[] = /"start": "exec node (.*) dist\/src\/main\.js[ "]/
  .exec(readFileSync(join(process.cwd(), 'package.json'), 'utf8'))![1]!
  .split(' ');
const run = promisify(execFile);

/** The real service as its own process (`ROLE=all` by default), on its embedded database below `dataDir`. */
export class Service implements AsyncDisposable {
  private constructor(
    readonly child: Child,
    /** The base URL, without a trailing slash. */
    readonly base: string,
    private readonly dataDir: string,
    readonly databaseUrl: string,
    /** A connection to the service's database, to observe the service without sending it requests. */
    readonly database: Client,
  ) {}

  /** Resolves when it is ready. `more` are further settings. `log` is an open file; by default, standard error. */
  static async start(
    dataDir: string,
    more: Readonly<Record<string, string>> = {},
    { log, build = BUILD }: { readonly log?: number; readonly build?: string } = {},
  ): Promise<Service> {
    const port = await freePort();
    const env = { PORT: String(port), DATA_DIR: dataDir, ROLE: 'all', LOG_LEVEL: 'warn', ...more };
    const child = Child.start(join(build, 'src', 'main.js'), env, [], optionsFor(env.ROLE), log);
    const base = `http://127.0.0.1:${port}`;
    try {
      await ready(child, base);
      const { url } = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
      const database = new Client({ connectionString: url });
      database.on('error', () => undefined); // the server ends with the service
      await database.connect();
      return new Service(child, base, dataDir, url, database);
    } catch (error) {
      await child[Symbol.asyncDispose]();
      throw error;
    }
  }

  get usage(): Usage {
    return this.child.usage;
  }

  /** Runs a CLI command and returns its JSON output. */
  async command<T>(...args: string[]): Promise<T> {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: this.dataDir };
    const { stdout } = await run(process.execPath, [join(SCRIPTS, 'cli.js'), ...args, '--json'], { env });
    return JSON.parse(stdout) as T;
  }

  /** Sends a request with an API key or a UI token and returns `data`. Rejects unless it succeeds. */
  async call<T>(
    credential: string | { readonly token: string },
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<T> {
    const headers = {
      ...(typeof credential === 'string' ? { 'x-api-key': credential } : { 'x-token': credential.token }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(this.base + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? (JSON.parse(text) as { data: T }).data : undefined) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.end().catch(() => undefined);
    await this.child[Symbol.asyncDispose]();
  }
}

async function ready(child: Child, base: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const answer = await fetch(`${base}/health/ready`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    if (child.end !== null) throw new Error(`The service has ended instead of starting (${child.end}).`);
    if (performance.now() > deadline) throw new Error(`The service did not start within ${START_MS} ms.`);
    await pause(100);
  }
}

/** Processes that only serve the API keep V8's default young generation size (ADR 19). */
const optionsFor = (role: string): readonly string[] =>
  role === 'api' ? OPTIONS.filter((option) => !option.startsWith('--max-semi-space-size')) : OPTIONS;
