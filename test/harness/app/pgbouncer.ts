import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pooler } from '../../../src/platform/config/pooler';
import { type Account, defaultAccount, spawnOptions } from '../../../src/platform/database/embedded/account';
import { withClient } from '../../../src/platform/database/with-client';
import { eventually } from '../eventually';
import { freePort } from '../free-port';

/** Where Debian installs it. */
const PROGRAM = '/usr/sbin/pgbouncer';

/** The configuration that docs/operate/operations.md recommends, from the root of the repository. */
const CONFIGURATION = resolve('docs/operate/pgbouncer.ini');

/**
 * What a transaction leaves in its session is gone before the next one, so that nothing can depend on it by chance. Every test
 * has a database of its own, whose connections must not wait for ten minutes after it.
 */
const TEST_SETTINGS = { server_reset_query_always: '1', server_idle_timeout: '5' };

/** Ends PgBouncer when the test process, which holds the other end of standard input, has ended in any way. */
const WATCHDOG = `
"$@" </dev/null &
read -r _
kill -TERM $!
wait $!`;

/** A PgBouncer in front of every database of a PostgreSQL server, with the configuration of the operator's guide. */
export class PgBouncer {
  private log = '';
  private child: ChildProcess | undefined;

  private constructor(
    private readonly serverUrl: string,
    private readonly folder: string,
    readonly port: number,
    private readonly account: Account | null,
  ) {}

  /** `settings` come after those of the configuration, and take precedence. */
  static async start(
    serverUrl: string,
    pooler: Pooler,
    settings: Readonly<Record<string, string>> = TEST_SETTINGS,
  ): Promise<PgBouncer> {
    await access(PROGRAM).catch(() => {
      throw new Error(`${PROGRAM} is missing: apt-get install pgbouncer`);
    });
    const server = new URL(serverUrl);
    const port = await freePort();
    const account = await defaultAccount(); // PgBouncer does not run as root
    const folder = await mkdtemp(join(tmpdir(), 'docfetch-pgbouncer-'));
    const users = `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`;
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    const configuration = configure(await readFile(CONFIGURATION, 'utf8'), {
      docfetch: ['*', `host=${server.hostname} port=${server.port}`],
      listen_port: ['listen_port', String(port)],
      auth_file: ['auth_file', join(folder, 'users.txt')],
      pool_mode: ['pool_mode', pooler],
    });
    for (const [name, text] of [
      ['users.txt', users],
      ['pgbouncer.ini', configuration + lines.join('')],
    ] as const) {
      await writeFile(join(folder, name), text, { mode: 0o600 });
      if (account) await chown(join(folder, name), account.uid, account.gid);
    }
    if (account) await chown(folder, account.uid, account.gid);
    const pgBouncer = new PgBouncer(serverUrl, folder, port, account);
    await pgBouncer.run();
    return pgBouncer;
  }

  private async run(): Promise<void> {
    const child = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', PROGRAM, '--quiet', join(this.folder, 'pgbouncer.ini')], {
      ...spawnOptions(this.account),
      detached: true, // Ctrl-C in the terminal ends the tests first
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.child = child;
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    try {
      const answers = () => withClient(this.through(this.serverUrl), () => Promise.resolve(true)).catch(() => false);
      await eventually(answers, 'PgBouncer answers', 20_000);
    } catch (error) {
      await this.stop();
      throw new Error(`PgBouncer does not start: ${this.log}`, { cause: error });
    }
  }

  /** The process whose children include PgBouncer. */
  get pid(): number {
    return this.child!.pid!;
  }

  /** The URL of the same database through this PgBouncer. */
  through(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String(this.port);
    return url.href;
  }

  /** Closes all its connections, of clients and of the server, and starts again. */
  async restart(): Promise<void> {
    await this.end();
    await this.run();
  }

  async stop(): Promise<void> {
    await this.end();
    await rm(this.folder, { recursive: true });
  }

  private async end(): Promise<void> {
    const ended = once(this.child!, 'exit');
    this.child!.stdin!.end();
    await ended;
  }
}

/** Replaces the name and value of settings, each of which must be in the text. */
function configure(text: string, changes: Readonly<Record<string, readonly [string, string]>>): string {
  let changed = text;
  for (const [name, [newName, value]] of Object.entries(changes)) {
    const line = new RegExp(`^${name} = .*$`, 'm');
    if (!line.test(changed)) throw new Error(`docs/operate/pgbouncer.ini has no line "${name} = …".`);
    changed = changed.replace(line, () => `${newName} = ${value}`);
  }
  return changed;
}
