import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../harness/free-port';

const MISSING =
  'OpenSSH is not installed. The SFTP interop suite needs it: apt-get update && apt-get install -y openssh-server openssh-sftp-server';
const SFTP_SERVER = ['/usr/lib/openssh/sftp-server', '/usr/libexec/sftp-server', '/usr/libexec/openssh/sftp-server'];

export interface OpenSshOptions {
  readonly port?: number;
  /** The types of the host keys; set for a second server with the same or another key. */
  readonly hostKeys?: readonly ('ed25519' | 'ecdsa' | 'rsa')[];
}

/**
 * A real OpenSSH in its own folder, for the account that runs it, with generated keys. It supports no passwords: those are the
 * system's, and the system is not changed.
 */
export class OpenSsh {
  readonly host = 'localhost';
  readonly user = userInfo().username;

  private constructor(
    private readonly home: string,
    private readonly process: ChildProcess,
    readonly port: number,
    /** The folder of the files. */
    readonly root: string,
    /** A private key that may log in, and the same key encrypted with a passphrase. */
    readonly privateKey: string,
    readonly lockedKey: string,
    readonly unknownKey: string,
    /** The fingerprint of its first host key, as OpenSSH prints it. */
    readonly fingerprint: string,
  ) {}

  static readonly passphrase = 'geheim "mit" ü';

  /** Throws with the package to install when OpenSSH is missing. */
  static async start({ port, hostKeys = ['ed25519'] }: OpenSshOptions = {}): Promise<OpenSsh> {
    const binary = ['/usr/sbin/sshd', '/usr/bin/sshd'].find((path) => existsSync(path));
    const subsystem = SFTP_SERVER.find((path) => existsSync(path));
    if (!binary || !subsystem) throw new Error(MISSING);
    // As root, sshd separates privileges and requires this folder.
    if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true });
    const home = await mkdtemp(join(tmpdir(), 'openssh-'));
    await chmod(home, 0o700);
    const root = join(home, 'files');
    await mkdir(root);
    for (const type of hostKeys) makeKey(join(home, `host_${type}`), type);
    for (const name of ['client', 'unknown']) makeKey(join(home, name), 'ed25519');
    makeKey(join(home, 'locked'), 'rsa', OpenSsh.passphrase);
    const authorized = [read(join(home, 'client.pub')), read(join(home, 'locked.pub'))].join('');
    await writeFile(join(home, 'authorized_keys'), authorized, { mode: 0o600 });
    const free = port ?? (await freePort());
    await writeFile(
      join(home, 'sshd_config'),
      [
        `Port ${free}`,
        'ListenAddress 127.0.0.1',
        ...hostKeys.map((type) => `HostKey ${join(home, `host_${type}`)}`),
        `AuthorizedKeysFile ${join(home, 'authorized_keys')}`,
        'PidFile none',
        'StrictModes no',
        'UsePAM no',
        'PasswordAuthentication yes',
        'PermitRootLogin yes',
        'MaxStartups 100',
        `Subsystem sftp ${subsystem} -d ${root}`,
        '',
      ].join('\n'),
    );
    const child = spawn(binary, ['-D', '-e', '-f', join(home, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
    const keys = ['client', 'locked', 'unknown'].map((name) => read(join(home, name)));
    const server = new OpenSsh(
      ...([home, child, free, root, keys[0]!, keys[1]!, keys[2]!] as const),
      fingerprintOf(join(home, `host_${hostKeys[0]}.pub`)),
    );
    try {
      await started(child);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Step-1 input that logs in. */
  get fields(): Record<string, unknown> {
    return {
      ...{ host: this.host, port: this.port, user: this.user, login: 'key', private_key: this.privateKey },
      trusted_fingerprint: this.fingerprint,
    };
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await ended;
    }
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeKey(path: string, type: string, passphrase = ''): void {
  const { status, stderr } = spawnSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', 'interop', '-f', path]);
  if (status !== 0) throw new Error(`ssh-keygen: ${String(stderr)}`);
}

/** `256 SHA256:… comment (ED25519)` */
function fingerprintOf(path: string): string {
  return spawnSync('ssh-keygen', ['-l', '-f', path]).stdout.toString().split(' ')[1]!;
}

function read(path: string): string {
  return spawnSync('cat', [path]).stdout.toString();
}

/** Resolves when the server listens; rejects with its output when it exits instead. */
async function started(child: ChildProcess): Promise<void> {
  const output: string[] = [];
  const lines = createInterface({ input: child.stderr! });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      output.push(line);
      if (line.includes('Server listening on')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`sshd ended with ${code}:\n${output.join('\n')}`)));
  });
}
