import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, link, mkdir, mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeCertificate } from '../../fakes/imap/certificate';
import { freePort } from '../../harness/free-port';
import {
  dovecotConfiguration,
  type DovecotAccount,
  type DovecotUsers,
  type DovecotOAuth,
  oauthConfiguration,
} from './dovecot-configuration';

export const DOVECOT_USER = { user: 'anna@example.com', password: 'geheim "mit" ü' };

/** The maximum of hard links per file; file systems allow only a few more. */
const MOST_NAMES = 50_000;

const MISSING =
  'Dovecot is not installed. The IMAP interop suite needs it: apt-get update && apt-get install -y dovecot-imapd';

export interface DovecotOptions {
  /** Replaces the announced capabilities. */
  readonly capability?: string;
  /** Many mailboxes: any user with the password of `DOVECOT_USER` has one. */
  readonly manyUsers?: DovecotUsers;
  readonly oauth?: DovecotOAuth;
  /** In PEM, the certificates of intermediate authorities behind the server's. Default: one of an authority of its own. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/**
 * A real Dovecot in its own folder: one mailbox in Maildir format, plain and STARTTLS on one port, TLS on another,
 * with its own certificate authority. Runs without privileges and removes its files.
 */
export class Dovecot {
  readonly host = 'localhost';
  private delivered = 0;

  private constructor(
    private readonly home: string,
    private readonly process: ChildProcess,
    private readonly account: DovecotAccount,
    readonly port: number,
    readonly tlsPort: number,
    /** The authority's certificate in PEM. */
    readonly ca: string,
  ) {}

  /** Throws with the package to install when Dovecot is missing. */
  static async start({ capability, manyUsers, certificate, oauth }: DovecotOptions = {}): Promise<Dovecot> {
    const binary = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot', 'dovecot'].find(
      (path) => spawnSync(path, ['--version']).status === 0,
    );
    if (!binary) throw new Error(MISSING);
    const account = unprivileged();
    const home = await mkdtemp(join(manyUsers?.folder ?? tmpdir(), 'dovecot-'));
    const [port, tlsPort] = [await freePort(), await freePort()];
    const { ca, cert, key } = { ...makeCertificate(manyUsers && { hosts: manyUsers.addresses }), ...certificate };
    await writeFile(join(home, 'cert.pem'), cert);
    await writeFile(join(home, 'key.pem'), key);
    await writeFile(join(home, 'users'), `${DOVECOT_USER.user}:{PLAIN}${DOVECOT_USER.password}\n`);
    const capabilityLine = capability === undefined ? '' : `imap_capability = ${capability}\n`;
    const configuration = dovecotConfiguration(home, account, {
      port,
      tlsPort,
      ...(manyUsers && { manyUsers }),
      ...(oauth && { oauth }),
    });
    // OpenSSL would not serve every certificate.
    const cipherLine = certificate ? 'ssl_cipher_list = DEFAULT@SECLEVEL=0\n' : '';
    await writeFile(join(home, 'dovecot.conf'), configuration + capabilityLine + cipherLine);
    await writeFile(join(home, 'oauth2.conf'), oauth ? oauthConfiguration(oauth) : '');
    await mkdir(join(home, 'mail'));
    for (const name of ['', 'mail', 'cert.pem', 'key.pem', 'users', 'dovecot.conf', 'oauth2.conf'])
      await chown(join(home, name), account.uid, account.gid);
    const child = spawn(binary, ['-F', '-c', join(home, 'dovecot.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: home,
      uid: account.uid,
      gid: account.gid,
    });
    const server = new Dovecot(home, child, account, port, tlsPort, ca);
    try {
      await started(child);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Puts a mail into a folder as a delivery agent does (Maildir) and creates a missing folder. Returns its file. */
  async deliver(
    folder: string,
    mail: Buffer | AsyncIterable<Buffer> | Iterable<Buffer>,
    received = new Date(),
  ): Promise<string> {
    const directory = this.directory(folder);
    for (const name of ['tmp', 'cur', 'new']) await this.makeDirectory(join(directory, name));
    const path = join(directory, 'new', `${1_700_000_000 + this.delivered++}.M${this.delivered}.interop`);
    const file = await open(path, 'w');
    for await (const chunk of Buffer.isBuffer(mail) ? [mail] : mail) await file.write(chunk);
    await file.close();
    await chown(path, this.account.uid, this.account.gid);
    await utimes(path, received, received);
    return path;
  }

  /** Delivers copies of a mail as hard links, so that each of a few files has many names. */
  async deliverCopies(folder: string, mail: Buffer, count: number, received: Date): Promise<void> {
    for (let left = count; left > 0; left -= MOST_NAMES) {
      const path = await this.deliver(folder, mail, received);
      const names = Array.from({ length: Math.min(MOST_NAMES, left) - 1 }, (_, n) => `${path}.copy${n}`);
      for (let at = 0; at < names.length; at += 500)
        await Promise.all(names.slice(at, at + 500).map((name) => link(path, name)));
    }
  }

  /** Gives a folder another UIDVALIDITY, as after a restore from a backup. */
  rebuild(folder: string, uidValidity: number): void {
    this.doveadm('mailbox', 'update', '-u', DOVECOT_USER.user, '--uid-validity', String(uidValidity), folder);
  }

  /** Deletes a folder with its mails; a later delivery creates another one with the same name. */
  remove(folder: string): void {
    this.doveadm('mailbox', 'delete', '-u', DOVECOT_USER.user, folder);
  }

  /** Moves all mails of a folder to another, as another client of the user would. */
  moveAll(from: string, to: string): void {
    this.doveadm('move', '-u', DOVECOT_USER.user, to, 'mailbox', from, 'all');
  }

  /** The mail files of a folder: the directory shows whether they are new, the end of the name contains the flags. */
  async files(folder: string): Promise<string[]> {
    const directory = this.directory(folder);
    const list = async (name: string) => (await readdir(join(directory, name))).map((file) => `${name}/${file}`);
    return [...(await list('new')), ...(await list('cur'))].sort();
  }

  /** Stops the server, if it still runs, and removes its folder. */
  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await ended;
    }
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The main process. */
  get pid(): number {
    return this.process.pid!;
  }

  private directory(folder: string): string {
    return folder === 'INBOX' ? join(this.home, 'mail') : join(this.home, 'mail', folder);
  }

  private async makeDirectory(path: string): Promise<void> {
    await mkdir(path, { recursive: true });
    for (let each = path; each.startsWith(join(this.home, 'mail')); each = join(each, '..'))
      await chown(each, this.account.uid, this.account.gid);
  }

  private doveadm(...args: string[]): void {
    const { uid, gid } = this.account;
    const { status, stderr } = spawnSync('doveadm', ['-c', join(this.home, 'dovecot.conf'), ...args], {
      cwd: this.home,
      uid,
      gid,
    });
    if (status !== 0) throw new Error(`doveadm ${args.join(' ')}: ${stderr.toString()}`);
  }
}

function unprivileged(): DovecotAccount {
  const user = userInfo().uid === 0 ? 'nobody' : userInfo().username;
  const id = (flag: string): string => spawnSync('id', [flag, user]).stdout.toString().trim();
  return { user, group: id('-gn'), uid: Number(id('-u')), gid: Number(id('-g')) };
}

/** Resolves when the server reports that it runs; rejects with its output when it exits instead. */
async function started(child: ChildProcess): Promise<void> {
  const output: string[] = [];
  const lines = createInterface({ input: child.stderr! });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      output.push(line);
      if (line.includes('starting up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Dovecot ended with ${code}:\n${output.join('\n')}`)));
  });
}
