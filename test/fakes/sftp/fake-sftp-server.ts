import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { posix } from 'node:path';
import { type AuthContext, type CipherAlgorithm, type Connection, Server, type SFTPWrapper, utils } from 'ssh2';
import { FileSystem, type Node } from './file-system';

export const HOME = '/home/anna';
/** The same number as OpenSSH sends. */
const ENTRIES_A_PORTION = 100;
/** The packet size that every server has to support; some support no more (draft-ietf-secsh-filexfer-02 section 3). */
const LONGEST_READ = 32 * 1024;
const STATUS = { OK: 0, EOF: 1, NO_SUCH_FILE: 2, PERMISSION_DENIED: 3, FAILURE: 4, OP_UNSUPPORTED: 8 } as const;

export interface FakeSftpOptions {
  readonly user?: string;
  readonly password?: string;
  /** A public key that may log in, as in `authorized_keys`. */
  readonly publicKey?: string;
  /** Supports `keyboard-interactive` only. */
  readonly onlyDialogue?: boolean;
  /** Requires a password change after a correct login. */
  readonly isExpired?: boolean;
  /** A private key in OpenSSH format. Default: a generated one. */
  readonly hostKey?: string;
  readonly port?: number;
  /** The only supported cipher. Default: those of ssh2, AES-GCM first. */
  readonly cipher?: CipherAlgorithm;
}

type Handle = { path: string; node: Node } | { rest: ReturnType<FileSystem['entries']> };

/** An SFTP server on a real socket, with its files in memory and faults on command. Its user starts in `/home/anna`. */
export class FakeSftpServer {
  readonly host = 'localhost';
  readonly files = new FileSystem();
  /** The number of login attempts by method, without the request that lists the methods. */
  readonly logins: string[] = [];
  /** Called before each response to a read; closes the connection when it returns true. */
  onRead: (path: string, offset: number) => boolean = () => false;
  /** Called before each portion of a listing; closes the connection when it returns true. */
  onList: () => boolean = () => false;
  reads = 0;
  /** The number of key exchanges. */
  keyChanges = 0;
  private readonly clients = new Set<Connection>();

  private constructor(
    private readonly server: Server,
    private readonly options: FakeSftpOptions,
    readonly port: number,
    /** The fingerprint of the host key, as OpenSSH prints it. */
    readonly fingerprint: string,
  ) {
    server.on('connection', (client) => this.serve(client));
  }

  static async start(options: FakeSftpOptions = {}): Promise<FakeSftpServer> {
    const hostKey = options.hostKey ?? newKey().private;
    const algorithms = options.cipher && { cipher: [options.cipher] };
    const server = new Server({ hostKeys: [hostKey], ident: 'fake', ...(algorithms && { algorithms }) });
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    const fake = new FakeSftpServer(server, options, (server.address() as AddressInfo).port, fingerprintOf(hostKey));
    fake.files.makeFolder(HOME);
    return fake;
  }

  get connections(): number {
    return this.clients.size;
  }

  /** Puts a file below the user's folder. Last changed an hour ago by default. */
  put(path: string, content: string | Buffer, modified = new Date(Date.now() - 3_600_000)): Node {
    return this.files.write(`${HOME}/${path}`, Buffer.from(content), modified);
  }

  /** Destroys all connections, as a network failure does. */
  cut(): void {
    for (const client of this.clients) socketOf(client).destroy();
  }

  /** Starts a new key exchange on all connections, as servers do every gigabyte or hour. */
  changeKeys(): void {
    for (const client of this.clients) client.rekey();
  }

  async stop(): Promise<void> {
    this.cut();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private serve(client: Connection): void {
    this.clients.add(client);
    // As OpenSSH does: with Nagle's algorithm, each response waits 40 ms for the acknowledgment of the one before.
    socketOf(client).setNoDelay(true);
    client.on('close', () => this.clients.delete(client));
    client.on('error', () => undefined);
    client.on('rekey', () => (this.keyChanges += 1));
    client.on('authentication', (context) => this.authenticate(context));
    client.on('ready', () => {
      client.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => this.speak(acceptSftp(), client));
      });
    });
  }

  private authenticate(context: AuthContext): void {
    const { user = 'anna', password = 'right', publicKey, onlyDialogue } = this.options;
    const offered = [
      ...(onlyDialogue ? (['keyboard-interactive'] as const) : (['password'] as const)),
      ...(publicKey ? (['publickey'] as const) : []),
    ];
    if (context.method === 'none') return context.reject([...offered]);
    const isSigned = context.method === 'publickey' && context.signature !== undefined;
    if (context.method !== 'publickey' || isSigned) this.logins.push(context.method);
    if (context.username !== user || !offered.includes(context.method as never)) return context.reject([...offered]);
    if (context.method === 'keyboard-interactive') {
      return context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
        if (answers[0] === password) context.accept();
        else context.reject([...offered]);
      });
    }
    if (context.method === 'password' && context.password === password) {
      if (this.options.isExpired) return context.requestChange('Your password has expired.', () => context.reject());
      return context.accept();
    }
    if (context.method === 'publickey' && publicKey !== undefined) {
      const key = utils.parseKey(publicKey);
      if (key instanceof Error) throw key;
      const isSame = key.getPublicSSH().equals(context.key.data);
      const isRight = !context.signature || key.verify(context.blob!, context.signature, context.hashAlgo) === true;
      if (isSame && isRight) return context.accept();
    }
    context.reject([...offered]);
  }

  private speak(sftp: SFTPWrapper, client: Connection): void {
    const handles = new Map<number, Handle>();
    let next = 0;
    const opened = (handle: Handle): Buffer => {
      handles.set(++next, handle);
      const name = Buffer.alloc(4);
      name.writeUInt32BE(next);
      return name;
    };
    const absolute = (path: string): string => posix.resolve(HOME, path);
    const found = (name: Buffer): Handle | undefined => handles.get(name.readUInt32BE(0));
    const breakLine = (): void => void socketOf(client).destroy();

    sftp.on('REALPATH', (id, path) => {
      const filename = absolute(path);
      sftp.name(id, [{ filename, longname: filename, attrs: {} as never }]);
    });
    const stat = (id: number, path: string): void => {
      const attributes = this.files.attributes(absolute(path));
      if (attributes) sftp.attrs(id, attributes);
      else sftp.status(id, STATUS.NO_SUCH_FILE);
    };
    sftp.on('STAT', stat).on('LSTAT', stat);
    sftp.on('OPENDIR', (id, path) => {
      const rest = this.files.entries(absolute(path));
      if (rest) sftp.handle(id, opened({ rest }));
      else sftp.status(id, STATUS.NO_SUCH_FILE);
    });
    sftp.on('READDIR', (id, name) => {
      const handle = found(name);
      if (!handle || !('rest' in handle)) return sftp.status(id, STATUS.FAILURE);
      if (this.onList()) return breakLine();
      const portion = handle.rest!.splice(0, ENTRIES_A_PORTION);
      if (portion.length > 0) sftp.name(id, portion);
      else sftp.status(id, STATUS.EOF);
    });
    sftp.on('OPEN', (id, filename) => {
      const path = absolute(filename);
      const node = this.files.node(path);
      if (!node) return sftp.status(id, STATUS.NO_SUCH_FILE);
      if (node.isClosed) return sftp.status(id, STATUS.PERMISSION_DENIED);
      sftp.handle(id, opened({ path, node }));
    });
    sftp.on('FSTAT', (id, name) => {
      const handle = found(name);
      if (!handle || !('node' in handle)) return sftp.status(id, STATUS.FAILURE);
      const { content, mtime } = handle.node;
      sftp.attrs(id, { mode: 0o100644, uid: 1000, gid: 1000, atime: 0, size: content.length, mtime });
    });
    sftp.on('READ', (id, name, offset, length) => {
      const handle = found(name);
      if (!handle || !('node' in handle)) return sftp.status(id, STATUS.FAILURE);
      this.reads += 1;
      if (this.onRead(handle.path, offset)) return breakLine();
      const bytes = handle.node.content.subarray(offset, offset + Math.min(length, LONGEST_READ));
      if (bytes.length > 0) sftp.data(id, bytes);
      else sftp.status(id, STATUS.EOF);
    });
    sftp.on('CLOSE', (id, name) => {
      const isOpen = handles.delete(name.readUInt32BE(0));
      sftp.status(id, isOpen ? STATUS.OK : STATUS.FAILURE);
    });
  }
}

/** A key pair in OpenSSH format. ssh2 occasionally generates one that it cannot parse; then another is generated. */
export function newKey(passphrase?: string): { private: string; public: string } {
  const options = passphrase === undefined ? {} : { passphrase, cipher: 'aes256-ctr', rounds: 4 };
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519', options as never);
    if (!(utils.parseKey(pair.private, passphrase) instanceof Error)) return pair;
  }
}

function socketOf(client: Connection): Socket {
  return (client as unknown as { _sock: Socket })._sock;
}

function fingerprintOf(privateKey: string): string {
  const key = utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  const digest = createHash('sha256').update(key.getPublicSSH()).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}
