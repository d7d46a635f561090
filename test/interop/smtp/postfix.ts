import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../harness/eventually';
import { freePort } from '../../harness/free-port';
import { installed, ServerProcess } from '../storage/server-process';

const MASTER = '/usr/lib/postfix/sbin/master';
/** The user `nobody`. */
const MAILBOX_OWNER = 65_534;

export interface PostfixOptions {
  /** The port of the service, to which all mails are relayed. */
  readonly relayPort: number;
  /** The certificate of the authority that the service's certificate has to be from, and the name in it: TLS is then required. */
  readonly tls?: { readonly ca: string; readonly name: string };
  /** Addresses with mailboxes here; what is sent to their domain is not relayed. */
  readonly mailboxes: readonly string[];
}

/** The programs of Postfix that take part, as in Debian's master.cf, without chroot. */
const SERVICES = [
  'pickup unix n - n 1 1 pickup',
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 1 1 qmgr',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'verify unix - - n - 1 verify',
  'flush unix n - n 1000? 0 flush',
  'proxymap unix - - n - - proxymap',
  'smtp unix - - n - - smtp',
  'relay unix - - n - - smtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'local unix - n n - - local',
  'virtual unix - n n - - virtual',
  'anvil unix - - n - 1 anvil',
  'scache unix - - n - 1 scache',
  'postlog unix-dgram n - n - 1 postlogd',
];

/**
 * A real Postfix with its own queue, which relays every mail to the service like the mail server of a sender. It has to be started
 * by root, because its master changes users.
 */
export class Postfix {
  private constructor(
    private readonly home: string,
    private readonly process: ServerProcess,
    readonly port: number,
  ) {}

  /** Throws with the package to install when Postfix is missing. */
  static async start(options: PostfixOptions): Promise<Postfix> {
    const postfix = installed(['/usr/sbin/postfix'], 'postfix swaks libnet-ssleay-perl');
    const home = await mkdtemp(join(tmpdir(), 'postfix-'));
    const port = await freePort();
    await chmod(home, 0o755);
    for (const name of ['conf', 'queue', 'data', 'mail']) await mkdir(join(home, name));
    if (options.tls) await writeFile(join(home, 'ca.pem'), options.tls.ca);
    await writeFile(join(home, 'conf/main.cf'), configuration(home, options));
    const smtpd = `127.0.0.1:${port} inet n - n - - smtpd`;
    await writeFile(join(home, 'conf/master.cf'), `${[smtpd, ...SERVICES].join('\n')}\n`);
    spawnSync('chown', ['postfix', join(home, 'data')]);
    spawnSync('chown', [String(MAILBOX_OWNER), join(home, 'mail')]);
    const check = spawnSync(postfix, ['-c', join(home, 'conf'), 'check'], { encoding: 'utf8' });
    if (check.status !== 0) throw new Error(`Postfix is not configured: ${check.stderr}`);
    // Without the script of Debian, which would leave the master behind when it is killed.
    const process = await ServerProcess.start(MASTER, ['-c', join(home, 'conf'), '-s'], null);
    const server = new Postfix(home, process, port);
    const isReady = async () => (await server.log()).includes('daemon started');
    await eventually(isReady, 'Postfix has started', 30_000).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    return server;
  }

  /** Puts a mail into the queue as swaks does, by SMTP. */
  async submit(from: string, to: string, raw: Buffer): Promise<void> {
    const file = join(this.home, `mail-${Math.random().toString(36).slice(2)}.eml`);
    await writeFile(file, raw);
    const { status, output } = await swaks(this.port, ['--from', from, '--to', to, '--data', `@${file}`]);
    if (status !== 0) throw new Error(`Postfix has not accepted the mail: ${output}`);
  }

  /** What it has logged about deliveries so far. */
  async log(): Promise<string> {
    return readFile(join(this.home, 'log'), 'utf8').catch(() => '');
  }

  /** The mails that a mailbox has received. */
  async received(address: string): Promise<string[]> {
    const folder = join(this.home, 'mail', address, 'new');
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  }

  /** The number of mails that wait. */
  async waiting(): Promise<number> {
    const { stdout } = spawnSync('/usr/sbin/postqueue', ['-c', join(this.home, 'conf'), '-j'], { encoding: 'utf8' });
    return Promise.resolve(stdout.split('\n').filter((line) => line !== '').length);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs swaks against a port; its status and the dialogue. */
export async function swaks(port: number, args: readonly string[]): Promise<{ status: number; output: string }> {
  const program = installed(['/usr/bin/swaks'], 'swaks libnet-ssleay-perl');
  const child = spawn(program, ['--server', `127.0.0.1:${port}`, '--helo', 'mx.supplier.example', ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status: status ?? -1, output };
}

function configuration(home: string, { relayPort, tls, mailboxes }: PostfixOptions): string {
  const settings: Record<string, string> = {
    compatibility_level: '3.6',
    queue_directory: join(home, 'queue'),
    data_directory: join(home, 'data'),
    maillog_file: join(home, 'log'),
    maillog_file_prefixes: home,
    mail_owner: 'postfix',
    setgid_group: 'postdrop',
    command_directory: '/usr/sbin',
    daemon_directory: '/usr/lib/postfix/sbin',
    myhostname: 'mx.supplier.example',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    relayhost: `[127.0.0.1]:${relayPort}`,
    disable_dns_lookups: 'yes',
    smtp_dns_support_level: 'disabled',
    message_size_limit: '100000000',
    mailbox_size_limit: '0',
    virtual_mailbox_limit: '0',
    alias_maps: '',
    virtual_mailbox_domains: [...new Set(mailboxes.map((address) => address.split('@')[1]))].join(' '),
    virtual_mailbox_maps: `inline:{ ${mailboxes.map((address) => `{ ${address} = ${address}/ }`).join(', ')} }`,
    virtual_mailbox_base: join(home, 'mail'),
    virtual_uid_maps: `static:${MAILBOX_OWNER}`,
    virtual_gid_maps: `static:${MAILBOX_OWNER}`,
    // A deferred mail is tried again at once, instead of minutes later.
    queue_run_delay: '1s',
    minimal_backoff_time: '1s',
    maximal_backoff_time: '2s',
    ...(tls && {
      smtp_tls_loglevel: '1',
      smtp_tls_security_level: 'secure',
      smtp_tls_CAfile: join(home, 'ca.pem'),
      smtp_tls_secure_cert_match: tls.name,
    }),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}
