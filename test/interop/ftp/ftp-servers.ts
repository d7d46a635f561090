import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { makeCertificate } from '../../fakes/imap/certificate';
import { eventually } from '../../harness/eventually';
import { installed, ServerProcess } from '../storage/server-process';
import { MODIFIED_AT } from '../storage/modified-at';
import { freePort } from '../../harness/free-port';

export type Security = 'EXPLICIT' | 'IMPLICIT' | 'NONE';

export interface RealFtp {
  readonly port: number;
  /** The authority that issued its certificate. */
  readonly ca: string;
  /** The folder of the user's files. */
  readonly root: string;
  /** Step-1 input that logs in. */
  readonly fields: Readonly<Record<string, unknown>>;
  put(path: string, content: Buffer | string, modified?: Date): Promise<void>;
  stop(): Promise<void>;
}

type Configure = (place: { home: string; root: string; port: number; security: Security }) => readonly string[];

/**
 * ProFTPD with its own account. Announces support for MLSD listings, or hides it as older servers do.
 * `directives` are added to the configuration. Throws with the package to install when ProFTPD is missing.
 */
export function startProftpd(
  hasFacts: boolean,
  security: Security = 'EXPLICIT',
  directives: readonly string[] = [],
): Promise<RealFtp> {
  const password = 'geheim "mit" ü';
  // The server rejects a login as root.
  const isRoot = userInfo().uid === 0;
  const { uid, gid } = isRoot ? { uid: 65534, gid: 65534 } : userInfo();
  return start(
    'proftpd-core proftpd-mod-crypto',
    '/usr/sbin/proftpd',
    ['-n', '-c'],
    security,
    { user: 'anna', password },
    ({ home, root, port }) => [
      ...(security === 'NONE' ? [] : ['LoadModule mod_tls.c']),
      'ServerType standalone',
      'UseIPv6 off',
      'DefaultAddress 127.0.0.1',
      'SocketBindTight on',
      `Port ${port}`,
      `User ${isRoot ? 'nobody' : userInfo().username}`,
      `Group ${isRoot ? 'nogroup' : String(gid)}`,
      'UseReverseDNS off',
      'MaxInstances 40',
      'AuthOrder mod_auth_file.c',
      `AuthUserFile ${home}/users`,
      'RequireValidShell off',
      `PidFile ${home}/pid`,
      `ScoreboardFile ${home}/scoreboard`,
      `DelayTable ${home}/delay`,
      `SystemLog ${home}/log`,
      `FactsAdvertise ${hasFacts ? 'on' : 'off'}`,
      'WtmpLog off',
      'TransferLog none',
      ...directives,
      ...(security === 'NONE'
        ? []
        : [
            'TLSEngine on',
            'TLSRequired on',
            `TLSECCertificateFile ${home}/cert.pem`,
            `TLSECCertificateKeyFile ${home}/key.pem`,
            `TLSLog ${home}/tls`,
            ...(security === 'IMPLICIT' ? ['TLSOptions UseImplicitSSL'] : []),
          ]),
      `# anna ${account(password, root, uid, gid)}`,
    ],
  );
}

async function start(
  packages: string,
  path: string,
  options: readonly string[],
  security: Security,
  login: { user: string; password: string },
  configure: Configure,
): Promise<RealFtp> {
  const binary = installed([path], packages);
  const home = await mkdtemp(join(tmpdir(), 'ftp-'));
  await chmod(home, 0o755);
  const root = join(home, 'files');
  await mkdir(root);
  await mkdir(join(home, 'empty'));
  const { ca, cert, key } = makeCertificate();
  await writeFile(join(home, 'cert.pem'), cert);
  await writeFile(join(home, 'key.pem'), key, { mode: 0o600 });
  const port = await freePort();
  const lines = configure({ home, root, port, security });
  const users = lines.filter((line) => line.startsWith('# anna ')).map((line) => line.slice('# anna '.length));
  await writeFile(join(home, 'users'), `${users.join('\n')}\n`, { mode: 0o600 });
  await writeFile(join(home, 'config'), `${lines.filter((line) => !line.startsWith('#')).join('\n')}\n`);
  let process: ServerProcess;
  try {
    process = await ServerProcess.start(binary, [...options, join(home, 'config')], null);
    await eventually(() => answers(port), `${path} answers`, 20_000);
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    ca,
    root,
    fields: { host: 'localhost', port, security, ...login },
    async put(path, content, modified = MODIFIED_AT) {
      const file = join(root, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      await utimes(file, modified, modified);
    },
    async stop() {
      await process.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A line of `AuthUserFile`, with the password hashed by crypt(3). */
function account(password: string, root: string, uid: number, gid: number): string {
  const { stdout, status } = spawnSync('perl', ['-e', 'print crypt($ARGV[0], q($6$interop$))', password]);
  if (status !== 0) throw new Error('perl is needed to make the password of an FTP account.');
  return `anna:${stdout.toString()}:${uid}:${gid}::${root}:/bin/false`;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
