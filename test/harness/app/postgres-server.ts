import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { spawnOptions } from '../../../src/platform/database/embedded/account';
import { findBinaries } from '../../../src/platform/database/embedded/binaries';
import { ensureCluster, readPassword, SUPERUSER } from '../../../src/platform/database/embedded/cluster';
import {
  deleteClusterFolder,
  openClusterFolder,
  type ClusterFolder,
} from '../../../src/platform/database/embedded/cluster-folder';
import type { Certified } from '../../fakes/imap/certificate';
import { addPooler, pooler } from '../../setup/poolers';
import { freePort } from '../free-port';
import type { NetworkNamespace } from '../network-namespace';
import { PgBouncer } from './pgbouncer';

const run = promisify(execFile);
const silent = () => undefined;

/** Another network than the loopback interface: the address of the server there, and those of its clients. */
type ReachableNetwork = Pick<NetworkNamespace, 'machine' | 'subnet'>;

/** A real PostgreSQL on a fixed port, which is restarted with `pg_ctl`, as an administrator does. */
export class PostgresServer {
  private constructor(
    readonly home: ClusterFolder,
    private readonly folder: string,
    readonly pgCtl: string,
    private readonly port: number,
    /** The URL of the database `postgres`. */
    readonly url: string,
    private readonly network?: ReachableNetwork,
  ) {}

  private pgBouncer: PgBouncer | undefined;

  /**
   * With a certificate, TCP connections require TLS. Otherwise, in a run through PgBouncer, it has one of its own. With a network, it is
   * reached from there too.
   */
  static async start(certified?: Certified, network?: ReachableNetwork): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'docfetch-restarts-'));
    // As root, PostgreSQL runs under another account, which must be able to traverse the folder.
    await chmod(folder, 0o711);
    const home = await openClusterFolder(folder, silent);
    const binaries = await findBinaries(home.account, silent);
    await ensureCluster(home, binaries, true, silent);
    const port = await freePort();
    const url = `postgresql://${SUPERUSER}:${await readPassword(home)}@127.0.0.1:${port}/postgres`;
    if (certified) await requireTls(home, certified);
    if (network) await appendFile(join(home.data, 'pg_hba.conf'), `host all all ${network.subnet} scram-sha-256\n`);
    const server = new PostgresServer(home, folder, join(dirname(binaries.postgres), 'pg_ctl'), port, url, network);
    await server.control('start');
    if (pooler && !certified) {
      server.pgBouncer = await PgBouncer.start(url, pooler);
      addPooler(url, server.pgBouncer.port);
    }
    return server;
  }

  /** `immediate` is a crash: the server recovers when it starts. `fast` disconnects every client and shuts down cleanly. */
  restart(mode: 'fast' | 'immediate'): Promise<void> {
    return this.control('restart', mode);
  }

  async stop(): Promise<void> {
    await this.pgBouncer?.stop();
    await this.control('stop', 'immediate');
    await deleteClusterFolder(this.folder);
  }

  private async control(command: 'start' | 'restart' | 'stop', mode?: string): Promise<void> {
    const addresses = ['127.0.0.1', ...(this.network ? [this.network.machine] : [])].join();
    const options = `-c listen_addresses=${addresses} -c port=${this.port} -c unix_socket_directories='' -c max_connections=100`;
    await run(
      this.pgCtl,
      [
        command,
        ...['-D', this.home.data, '-w', '-t', '120', '-l', join(this.home.data, 'server.log')],
        ...(mode ? ['-m', mode] : []),
        ...(command === 'stop' ? [] : ['-o', options]),
      ],
      spawnOptions(this.home.account),
    );
  }
}

async function requireTls({ data, account }: ClusterFolder, { cert, key }: Certified): Promise<void> {
  await writeFile(join(data, 'server.crt'), cert);
  await writeFile(join(data, 'server.key'), key, { mode: 0o600 });
  if (account) for (const file of ['server.crt', 'server.key']) await chown(join(data, file), account.uid, account.gid);
  await appendFile(join(data, 'postgresql.conf'), 'ssl = on\n');
  await writeFile(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
}
