import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../harness/eventually';
import { installed, ServerProcess } from '../storage/server-process';
import { S3Owner } from './s3-owner';

const PACKAGES = 'swift-proxy swift-account swift-container swift-object';
/** The stores behind the proxy server. */
const STORES = ['account', 'container', 'object'] as const;
const REGION = 'eu-central-1';
const ACCESS_KEY = 'anna:belege';
const SECRET_KEY = 'geheim/+=';

export interface Bucket {
  readonly name: string;
  /** The owner, who fills the bucket. */
  readonly owner: S3Owner;
  /** Step-1 input that logs in. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Adds `count` files, last changed an hour ago, to the bucket's index only: they are listed but cannot be read. */
  fillIndex(prefix: string, count: number): Promise<void>;
}

/** Filters in their order; `tempauth` requires a configured cache, which may be unavailable. */
const PIPELINE = 'catch_errors cache listing_formats s3api tempauth slo versioned_writes symlink proxy-server';

/**
 * Adds entries without objects to a bucket's index, so that a large number takes seconds. Run by the Python that
 * Swift runs on. Arguments: the bucket, the number of entries, the prefix of their names, the time of their change, all indexes.
 */
const FILL_INDEX = `
import sys
from swift.common.utils import Timestamp
from swift.container.backend import ContainerBroker
bucket, count, prefix = sys.argv[1], int(sys.argv[2]), sys.argv[3]
at = Timestamp(sys.argv[4]).internal
index = next(each for each in map(ContainerBroker, sys.argv[5:]) if each.get_info()['container'] == bucket)
index.merge_items([{'name': '%s%d.pdf' % (prefix, n), 'created_at': at, 'size': 1, 'content_type': 'application/pdf',
  'etag': '%032x' % n, 'deleted': 0, 'storage_policy_index': 0} for n in range(count)])
`;
import { freePort } from '../../harness/free-port';

/** OpenStack Swift with its S3 interface: a proxy server and three stores, in a temporary folder. */
export class Swift {
  private constructor(
    private readonly home: string,
    private readonly processes: readonly ServerProcess[],
    readonly port: number,
  ) {}

  /** Throws with the package to install when Swift is missing. */
  static async start(): Promise<Swift> {
    const proxy = installed(['/usr/bin/swift-proxy-server'], PACKAGES);
    for (const store of STORES) installed([`/usr/bin/swift-${store}-server`], PACKAGES);
    const home = await mkdtemp(join(tmpdir(), 'swift-'));
    const processes: ServerProcess[] = [];
    try {
      await mkdir(join(home, 'disks/disk'), { recursive: true });
      await writeFile(
        join(home, 'swift.conf'),
        lines(['[swift-hash]', 'swift_hash_path_suffix = interop', 'swift_hash_path_prefix = interop']) +
          lines(['[storage-policy:0]', 'name = only', 'default = yes']),
      );
      const ports: number[] = [];
      for (const store of STORES) {
        const port = await freePort();
        ports.push(port);
        makeRing(home, store, port);
        await writeFile(join(home, `${store}.conf`), storeSettings(home, store, port));
        processes.push(
          await ServerProcess.start(`/usr/bin/swift-${store}-server`, [join(home, `${store}.conf`)], null),
        );
      }
      const port = await freePort();
      await writeFile(join(home, 'proxy.conf'), doorSettings(home, port));
      processes.push(await ServerProcess.start(proxy, [join(home, 'proxy.conf')], null));
      for (const each of [...ports, port])
        await eventually(() => listens(each), `Swift listens on port ${each}`, 60_000);
      return new Swift(home, processes, port);
    } catch (error) {
      await Promise.all(processes.map((process) => process.stop()));
      await rm(home, { recursive: true, force: true });
      throw error;
    }
  }

  /** Creates an empty bucket. */
  async bucket(): Promise<Bucket> {
    const name = `belege-${randomUUID()}`;
    const endpoint = `http://localhost:${this.port}`;
    const owner = new S3Owner(endpoint, REGION, name, { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY });
    await owner.make();
    return {
      name,
      owner,
      fields: { endpoint, region: REGION, bucket: name, access_key: ACCESS_KEY, secret_key: SECRET_KEY },
      fillIndex: (prefix, count) => this.fillIndex(name, prefix, count),
    };
  }

  private async fillIndex(bucket: string, prefix: string, count: number): Promise<void> {
    const found = await readdir(join(this.home, 'disks/disk/containers'), { recursive: true, withFileTypes: true });
    const indexes = found
      .filter(({ name }) => name.endsWith('.db'))
      .map(({ name, parentPath }) => join(parentPath, name));
    const at = ((Date.now() - 3_600_000) / 1000).toFixed(5);
    run('/usr/bin/python3', ['-c', FILL_INDEX, bucket, String(count), prefix, at, ...indexes], this.home);
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One disk that contains everything. */
function makeRing(home: string, store: string, port: number): void {
  const builder = `${store}.builder`;
  for (const args of [['create', '1', '1', '0'], ['add', `r1z1-127.0.0.1:${port}/disk`, '1'], ['rebalance']])
    run('/usr/bin/swift-ring-builder', [builder, ...args], home);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}\n${stderr}`);
}

function common(home: string, port: number): string[] {
  return [
    '[DEFAULT]',
    'bind_ip = 127.0.0.1',
    `bind_port = ${port}`,
    `user = ${userInfo().username}`,
    `swift_dir = ${home}`,
    // In the process itself, so that it exits with it.
    'workers = 0',
  ];
}

function storeSettings(home: string, store: string, port: number): string {
  return lines([
    ...common(home, port),
    `devices = ${home}/disks`,
    'mount_check = false',
    'disable_fallocate = true',
    '[pipeline:main]',
    `pipeline = ${store}-server`,
    `[app:${store}-server]`,
    `use = egg:swift#${store}`,
  ]);
}

function doorSettings(home: string, port: number): string {
  return lines([
    ...common(home, port),
    '[pipeline:main]',
    `pipeline = ${PIPELINE}`,
    '[app:proxy-server]',
    'use = egg:swift#proxy',
    'account_autocreate = true',
    ...['catch_errors', 'listing_formats', 'slo', 'symlink'].flatMap((name) => [
      `[filter:${name}]`,
      `use = egg:swift#${name}`,
    ]),
    '[filter:cache]',
    'use = egg:swift#memcache',
    'memcache_servers = 127.0.0.1:1',
    '[filter:s3api]',
    'use = egg:swift#s3api',
    `location = ${REGION}`,
    '[filter:tempauth]',
    'use = egg:swift#tempauth',
    `user_${ACCESS_KEY.replace(':', '_')} = ${SECRET_KEY} .admin`,
    '[filter:versioned_writes]',
    'use = egg:swift#versioned_writes',
    'allow_object_versioning = true',
  ]);
}

const lines = (settings: readonly string[]): string => `${settings.join('\n')}\n`;

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });
}
