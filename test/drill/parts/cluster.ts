import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PASSWORD = 'drill';

/** The account of PostgreSQL, which refuses to run as root. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** A PostgreSQL server of the installed programs (`PGBIN`, or those in PATH), with an archive, as an operator runs one. */
export class Cluster {
  private constructor(
    readonly folder: string,
    readonly data: string,
    readonly port: number,
    private readonly account: Account | null,
  ) {}

  get url(): string {
    return `postgres://docfetch:${PASSWORD}@127.0.0.1:${this.port}/docfetch`;
  }

  private get archive(): string {
    return join(this.folder, 'archive');
  }

  private get adminUrl(): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.port}/postgres`;
  }

  /** Creates the server and the empty database `docfetch`. `data` may be on a file system of its own. */
  static async create(folder: string, port: number, data = join(folder, 'data')): Promise<Cluster> {
    const cluster = new Cluster(folder, data, port, accountOfServer());
    for (const path of [folder, cluster.archive, data]) cluster.makeFolder(path);
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, PASSWORD);
    cluster.own(passwordFile);
    await cluster.program(
      'initdb',
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      '--encoding=UTF8',
      `--pwfile=${passwordFile}`,
    );
    const lines = [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      'archive_mode = on',
      `archive_command = 'test ! -f ${cluster.archive}/%f && cp %p ${cluster.archive}/%f'`,
    ];
    appendFileSync(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
    await cluster.start();
    await cluster.createDatabase();
    return cluster;
  }

  /** A base backup of this server in a folder of its own, and its seconds. */
  async baseBackup(to: string): Promise<number> {
    this.makeFolder(to);
    const options = [`--pgdata=${join(to, 'data')}`, '--wal-method=stream', '--checkpoint=fast'];
    return this.timed('pg_basebackup', `--dbname=${this.adminUrl}`, ...options);
  }

  /** A dump of the database `docfetch`, and its seconds. */
  dump(file: string): Promise<number> {
    return this.timed('pg_dump', '--format=custom', `--file=${file}`, this.url);
  }

  /** Restores a dump into the empty database `docfetch`; returns the seconds. */
  restore(file: string): Promise<number> {
    return this.timed('pg_restore', `--dbname=${this.url}`, '--no-owner', '--exit-on-error', file);
  }

  /** Another server from a base backup of this one, recovered to the end of this server's archive. */
  async recover(backup: string, port: number): Promise<{ server: Cluster; seconds: number }> {
    const server = new Cluster(backup, join(backup, 'data'), port, this.account);
    const lines = [`restore_command = 'cp ${this.archive}/%f %p'`, 'archive_mode = off', `port = ${port}`];
    appendFileSync(join(server.data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
    writeFileSync(join(server.data, 'recovery.signal'), '');
    this.own(join(server.data, 'recovery.signal'));
    const started = performance.now();
    await server.start();
    while ((await server.sql('select pg_is_in_recovery()')) === 't');
    return { server, seconds: secondsSince(started) };
  }

  /** Archives what has been written, so that a recovery reaches this moment. */
  async archiveNow(): Promise<void> {
    const file = await this.adminSql('select pg_walfile_name(pg_switch_wal())');
    while ((await this.adminSql('select last_archived_wal from pg_stat_archiver')) < file);
  }

  async start(): Promise<void> {
    await this.program('pg_ctl', 'start', '-D', this.data, '-w', '-t', '120', '-l', this.log);
  }

  /** `immediate` is a crash. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.program('pg_ctl', 'stop', '-D', this.data, '-m', mode);
  }

  async isRunning(): Promise<boolean> {
    return this.program('pg_ctl', 'status', '-D', this.data).then(
      () => true,
      () => false,
    );
  }

  get log(): string {
    return join(this.folder, 'postgres.log');
  }

  /** The only value of a query, as text. */
  sql(query: string): Promise<string> {
    return this.program('psql', '-X', '-A', '-t', '-q', '-d', this.url, '-c', query);
  }

  private adminSql(query: string): Promise<string> {
    return this.program('psql', '-X', '-A', '-t', '-q', '-d', this.adminUrl, '-c', query);
  }

  private async createDatabase(): Promise<void> {
    await this.adminSql(`create role docfetch login password '${PASSWORD}'`);
    await this.adminSql('create database docfetch owner docfetch');
  }

  private async timed(name: string, ...args: string[]): Promise<number> {
    const started = performance.now();
    await this.program(name, ...args);
    return secondsSince(started);
  }

  private async program(name: string, ...args: string[]): Promise<string> {
    const path = process.env.PGBIN ? join(process.env.PGBIN, name) : name;
    const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
    return (await run(path, args, { cwd: '/', env, ...this.account, maxBuffer: 2 ** 26 })).stdout.trim();
  }

  private makeFolder(path: string): void {
    mkdirSync(path, { recursive: true });
    this.own(path);
    chmodSync(path, 0o700);
  }

  private own(path: string): void {
    if (this.account) chownSync(path, this.account.uid, this.account.gid);
  }
}

export function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10;
}

function accountOfServer(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  return { uid: uid!, gid: gid! };
}
