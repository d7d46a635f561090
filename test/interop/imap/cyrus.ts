import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import { makeCertificate } from '../../fakes/imap/certificate';
import { eventually } from '../../harness/eventually';
import { freePort } from '../../harness/free-port';
import { ServerProcess } from '../storage/server-process';
import type { CyrusAccount } from './cyrus-account';

const MISSING = 'Cyrus is not installed. The IMAP interop suite needs it: .ci/install-cyrus';
/** The second one where Cyrus is the only IMAP server. */
const IMAPD = ['/opt/cyrus-imapd/usr/lib/cyrus/bin/imapd', '/usr/lib/cyrus/bin/imapd'];
const PASSWORD = 'geheim "mit" ü';
/** Below its folder; Cyrus does not create them itself. */
const FOLDERS = ['', 'conf', 'conf/socket', 'conf/db', 'conf/proc', 'conf/lock', 'conf/user', 'conf/quota', 'spool'];

/**
 * A real Cyrus IMAP in its own folder, which stores every folder of a mailbox in a database of its own. Plain and STARTTLS on one
 * port, with its own certificate authority. Runs without privileges and removes its files.
 */
export class Cyrus {
  readonly host = 'localhost';
  private readonly accounts: CyrusAccount[] = [];

  private constructor(
    private readonly home: string,
    private readonly process: ServerProcess,
    private readonly owner: Owner,
    readonly port: number,
    /** The authority's certificate in PEM. */
    readonly ca: string,
  ) {}

  /** Throws with what installs it when Cyrus is missing. */
  static async start(): Promise<Cyrus> {
    const master = installed(['/usr/sbin/cyrmaster', '/usr/lib/cyrus/bin/master']);
    const owner = unprivileged();
    const home = await mkdtemp(join(tmpdir(), 'cyrus-'));
    const port = await freePort();
    const { ca, cert, key } = makeCertificate();
    for (const name of FOLDERS.slice(1)) await mkdir(join(home, name));
    const files = {
      'imapd.conf': settings(home, owner),
      'cyrus.conf': services(home, installed(IMAPD), port),
      'cert.pem': cert,
      'key.pem': key,
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(home, name), content);
    for (const name of [...FOLDERS, ...Object.keys(files)]) await chown(join(home, name), owner.uid, owner.gid);
    const args = ['-C', join(home, 'imapd.conf'), '-M', join(home, 'cyrus.conf'), '-p', join(home, 'pid'), '-D'];
    const process = await ServerProcess.start(master, args, null, {}, owner);
    const server = new Cyrus(home, process, owner, port, ca);
    await eventually(() => greets(port), 'Cyrus greets', 30_000).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    return server;
  }

  /** A new, empty mailbox. */
  async newAccount(): Promise<CyrusAccount> {
    const user = `anna${this.accounts.length + 1}`;
    const program = installed(['/usr/sbin/saslpasswd2', '/usr/bin/saslpasswd2']);
    this.run(program, ['-p', '-c', '-f', join(this.home, 'sasldb'), '-u', this.host, user], PASSWORD);
    const auth = { user, pass: PASSWORD };
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: this.port,
      secure: false,
      doSTARTTLS: false,
      auth,
      logger: false,
    });
    await client.connect();
    const account = { user, password: PASSWORD, client, folders: new Set(['INBOX', 'Papierkorb']) };
    this.accounts.push(account);
    return account;
  }

  /** Stops the server, if it still runs, and removes its folder. */
  async stop(): Promise<void> {
    for (const { client } of this.accounts) client.close();
    await this.process.stop();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  private run(program: string, args: string[], input = ''): string {
    const { uid, gid } = this.owner;
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: this.home, uid, gid, input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
    return stdout;
  }
}

function installed(paths: readonly string[]): string {
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(MISSING);
  return found;
}

/** Whom Cyrus runs as: never root, as it gives up its rights. */
interface Owner {
  readonly user: string;
  readonly group: string;
  readonly uid: number;
  readonly gid: number;
}

function unprivileged(): Owner {
  const user = userInfo().uid === 0 ? 'nobody' : userInfo().username;
  const id = (flag: string): string => spawnSync('id', [flag, user]).stdout.toString().trim();
  return { user, group: id('-gn'), uid: Number(id('-u')), gid: Number(id('-g')) };
}

async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const settings = (home: string, { user, group }: Owner): string => `configdirectory: ${home}/conf
partition-default: ${home}/spool
proc_path: ${home}/conf/proc
mboxname_lockpath: ${home}/conf/lock
cyrus_user: ${user}
cyrus_group: ${group}
servername: localhost
unixhierarchysep: yes
altnamespace: yes
autocreate_users: anyone
autocreate_quota: 0
autocreate_inbox_folders: Papierkorb
xlist-trash: Papierkorb
tls_server_cert: ${home}/cert.pem
tls_server_key: ${home}/key.pem
allowplaintext: yes
failedloginpause: 0
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: ${home}/sasldb
sasl_mech_list: PLAIN LOGIN
`;

const services = (home: string, imapd: string, port: number): string => `START {
  recover cmd="/usr/sbin/cyrus ctl_cyrusdb -C ${home}/imapd.conf -r"
}
SERVICES {
  imap cmd="${imapd} -C ${home}/imapd.conf" listen="127.0.0.1:${port}" prefork=1
}
EVENTS {
}
`;
