import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { spawnOptions } from '../../../src/platform/database/embedded/account';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import type { PostgresServer } from './postgres-server';

const run = promisify(execFile);

/** What the standby does not take over from the files of its primary. */
const OWN_FILES = ['postmaster.pid', 'postmaster.opts', 'server.log'];

/** A real streaming standby of a PostgreSQL, which a test can delay, pause, stop and promote. */
export class StandbyServer {
  private constructor(
    private readonly primary: PostgresServer,
    private readonly folder: string,
    private readonly port: number,
    /** The URL of the database `postgres`. */
    readonly url: string,
  ) {}

  /** Copies the files of the running primary, as a base backup does, and streams from it. */
  static async of(primary: PostgresServer): Promise<StandbyServer> {
    const folder = await mkdtemp(join(tmpdir(), 'docfetch-standby-'));
    await chmod(folder, 0o711); // as root, PostgreSQL runs under another account
    const data = join(folder, 'data');
    const source = new Client({ connectionString: primary.url });
    await source.connect();
    await source.query('select pg_backup_start($1, true)', ['standby']);
    await run('cp', ['-a', primary.home.data, data]);
    const { rows } = await source.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await source.end();
    for (const name of OWN_FILES) await rm(join(data, name), { force: true });
    for (const name of await readdir(join(data, 'pg_wal')))
      if (/^[0-9A-F]{24}$/.test(name)) await rm(join(data, 'pg_wal', name));
    await writeFile(join(data, 'backup_label'), rows[0]!.labelfile);
    await writeFile(join(data, 'standby.signal'), '');
    const { hostname, port: primaryPort, username, password } = new URL(primary.url);
    const conninfo = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
    await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
    if (primary.home.account) await run('chown', ['-R', String(primary.home.account.uid), data]);
    const port = await freePort();
    const url = new URL(primary.url);
    url.port = String(port);
    const standby = new StandbyServer(primary, folder, port, url.href);
    await standby.start();
    return standby;
  }

  /** The URL of one of its databases. */
  urlOf(database: string): string {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    return url.href;
  }

  start(): Promise<void> {
    return this.control('start');
  }

  stop(): Promise<void> {
    return this.control('stop', 'immediate');
  }

  async remove(): Promise<void> {
    await this.stop().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Until `resume`, it replays nothing. */
  async pause(): Promise<void> {
    await this.query('select pg_wal_replay_pause()');
    await eventually(async () => {
      const [row] = await this.query<{ state: string }>('select pg_get_wal_replay_pause_state() as state');
      return row!.state === 'paused';
    }, 'the replay is paused');
  }

  async resume(): Promise<void> {
    await this.query('select pg_wal_replay_resume()');
  }

  /** It replays every commit this long after it was made. */
  async delay(milliseconds: number): Promise<void> {
    await this.query(`alter system set recovery_min_apply_delay = ${milliseconds}`);
    await this.query('select pg_reload_conf()');
    await eventually(async () => {
      const [row] = await this.query<{ ms: string }>(
        "select setting as ms from pg_settings where name = 'recovery_min_apply_delay'",
      );
      return row!.ms === String(milliseconds);
    }, 'the delay is set');
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  /** Waits until it has replayed everything that its primary has written. */
  async catchUp(): Promise<void> {
    const source = new Client({ connectionString: this.primary.url });
    await source.connect();
    try {
      const { rows } = await source.query<{ at: string }>('select pg_current_wal_flush_lsn()::text as at');
      await eventually(async () => {
        const [row] = await this.query<{ done: boolean }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as done', [
          rows[0]!.at,
        ]);
        return row!.done;
      }, 'the standby has caught up');
    } finally {
      await source.end();
    }
  }

  async query<Row extends object>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  private async control(command: 'start' | 'stop', mode?: string): Promise<void> {
    const { pgCtl, home } = this.primary;
    const data = join(this.folder, 'data');
    const options = `-c listen_addresses=127.0.0.1 -c port=${this.port} -c unix_socket_directories='' -c max_connections=100`;
    await run(
      pgCtl,
      [
        command,
        ...['-D', data, '-w', '-t', '60', '-l', join(data, 'server.log')],
        ...(mode ? ['-m', mode] : ['-o', options]),
      ],
      spawnOptions(home.account),
    );
  }
}
