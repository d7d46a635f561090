import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { posix } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { FileSystem, type Node } from '../sftp/file-system';
import { listLine, mlsdLine, timestamp } from './listing';

export const HOME = '/home/anna';

export interface FakeFtpOptions {
  readonly user?: string;
  readonly password?: string;
  /** With a certificate the server supports `AUTH TLS`, or uses TLS from the first byte. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly isImplicit?: boolean };
  /** Another certificate for the data connections. */
  dataTls?: { readonly cert: string; readonly key: string };
  /** Supports the listings of RFC 3659. Default true; otherwise `ls -l` in the server's time zone. */
  readonly hasFacts?: boolean;
  /** Connections above this limit are rejected at login with 530, as some servers do. */
  readonly mostLines?: number;
  /** Does not support `REST`. */
  readonly cannotRestart?: boolean;
  /** Resolves symbolic links in listings. */
  readonly hidesLinks?: boolean;
  /** Lists at most this number of names of a folder and reports that there are more, as Pure-FTPd does. */
  readonly mostNames?: number;
  /** The response to `USER`. */
  readonly atUser?: string;
  readonly port?: number;
}

/** The state of one control connection. */
interface Line {
  socket: Socket;
  isLoggedIn: boolean;
  isProtected: boolean;
  folder: string;
  restart: number;
  data?: { server: Server; accepted: Promise<Socket> };
}

/** An FTP server on real sockets, with its files in memory and faults on command. Its user starts in `/home/anna`. */
export class FakeFtpServer {
  readonly files = new FileSystem();
  /** Every received command, without the password. */
  readonly commands: string[] = [];
  /** The number of bytes after which a download's connection is closed, and the control connection with it. */
  cutAfter: (path: string) => number | undefined = () => undefined;
  /** The offset at which a download ends early, and the reply sent then; the control connection stays open. */
  endAt: (path: string) => { readonly position: number; readonly answer: string } | undefined = () => undefined;
  /** Called before a command is answered; a returned line replaces the reply. */
  refuse: (command: string) => string | undefined = () => undefined;
  /** The address in the response to `PASV`, instead of the server's own. */
  passiveHost: string | undefined;
  private readonly lines = new Set<Line>();
  private readonly data = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly options: FakeFtpOptions,
  ) {
    server.on('connection', (socket) => this.serve(socket));
  }

  static async start(options: FakeFtpOptions = {}): Promise<FakeFtpServer> {
    const server = createServer({ noDelay: true }).listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    const fake = new FakeFtpServer(server, options);
    fake.files.makeFolder(HOME);
    return fake;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.lines.size;
  }

  /** Puts a file below the user's folder. Last changed an hour ago by default. */
  put(path: string, content: string | Buffer, modified = new Date(Date.now() - 3_600_000)): Node {
    return this.files.write(`${HOME}/${path}`, Buffer.from(content), modified);
  }

  /** Destroys all connections, as a network failure does. */
  cut(): void {
    for (const { socket, data } of this.lines) {
      socket.destroy();
      data?.server.close();
    }
    for (const socket of this.data) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private serve(raw: Socket): void {
    const isSecure = this.options.tls?.isImplicit === true;
    const line: Line = {
      socket: isSecure ? this.secure(raw) : raw,
      isLoggedIn: false,
      isProtected: false,
      folder: HOME,
      restart: 0,
    };
    this.lines.add(line);
    raw.once('close', () => {
      this.lines.delete(line);
      line.data?.server.close();
    });
    this.listen(line);
    this.reply(line, '220 Guten Tag');
  }

  private secure(raw: Socket, pair = this.options.tls): TLSSocket {
    const secureContext = createSecureContext(pair);
    const socket = new TLSSocket(raw, { isServer: true, secureContext });
    return socket.on('error', () => undefined);
  }

  private listen(line: Line): void {
    let rest = '';
    let work = Promise.resolve();
    line.socket.on('error', () => undefined);
    line.socket.on('data', (bytes: Buffer) => {
      rest += bytes.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const command = rest.slice(0, end);
        rest = rest.slice(end + 2);
        work = work.then(() => this.answer(line, command)).catch(() => void line.socket.destroy());
      }
    });
  }

  private reply(line: Line, text: string): void {
    if (!line.socket.destroyed) line.socket.write(`${text}\r\n`);
  }

  private async answer(line: Line, text: string): Promise<void> {
    const [, verb = '', argument = ''] = /^(\S+) ?(.*)$/.exec(text) ?? [];
    const command = verb.toUpperCase();
    this.commands.push(command === 'PASS' ? 'PASS' : text);
    const refused = this.refuse(text);
    if (refused !== undefined) return this.reply(line, refused);
    const path = posix.resolve(line.folder, argument);
    const { tls, hasFacts = true, user = 'anna', password = 'right', mostLines = Infinity, atUser } = this.options;
    const always: Record<string, () => void> = {
      FEAT: () =>
        this.reply(line, `211-Es kann\r\n${hasFacts ? ' MLST type*;size*;modify*;\r\n' : ''} UTF8\r\n211 Ende`),
      OPTS: () => this.reply(line, '200 ja'),
      QUIT: () => void line.socket.end('221 ade\r\n'),
      AUTH: () => {
        if (!tls || tls.isImplicit) return this.reply(line, '504 kein TLS');
        this.reply(line, '234 los');
        line.socket.removeAllListeners('data');
        line.socket = this.secure(line.socket);
        this.listen(line);
      },
      USER: () => this.reply(line, atUser ?? (argument === user ? '331 Passwort?' : '331 Passwort auch dann')),
      PASS: () => {
        if (argument !== password) return this.reply(line, '530 Login incorrect.');
        if (this.lines.size > mostLines)
          return this.reply(line, '530 Sorry, the maximum number of clients is connected.');
        line.isLoggedIn = true;
        this.reply(line, '230 willkommen');
      },
    };
    if (always[command]) return void always[command]();
    if (!line.isLoggedIn) return this.reply(line, '530 Please login with USER and PASS.');
    const node = this.files.node(path);
    const known: Record<string, () => void | Promise<void>> = {
      TYPE: () => this.reply(line, '200 ja'),
      STRU: () => this.reply(line, '200 ja'),
      PBSZ: () => this.reply(line, '200 ja'),
      PROT: () => {
        line.isProtected = argument === 'P';
        this.reply(line, '200 ja');
      },
      PWD: () => this.reply(line, `257 "${line.folder}" ist es`),
      CWD: () => {
        if (!this.files.entries(path)) return this.reply(line, '550 Failed to change directory.');
        line.folder = path;
        this.reply(line, '250 da');
      },
      SIZE: () => this.reply(line, node ? `213 ${node.content.length}` : '550 Could not get file size.'),
      MDTM: () => this.reply(line, node ? `213 ${timestamp(node.mtime)}` : '550 Could not get modification time.'),
      MLST: () => {
        const attributes = this.files.attributes(path);
        if (!attributes || !hasFacts) return this.reply(line, attributes ? '500 ?' : '550 No such file or directory');
        this.reply(line, `250-Das ist\r\n ${mlsdLine(path, attributes)}\r\n250 Ende`);
      },
      REST: () => {
        if (this.options.cannotRestart) return this.reply(line, '502 kann ich nicht');
        line.restart = Number(argument);
        this.reply(line, '350 dann weiter');
      },
      EPSV: () => this.passive(line, (port) => `229 hier (|||${port}|)`),
      PASV: () => {
        const host = (this.passiveHost ?? '127.0.0.1').replaceAll('.', ',');
        return this.passive(line, (port) => `227 hier (${host},${port >> 8},${port & 255})`);
      },
      MLSD: () => (hasFacts ? this.list(line, mlsdLine) : this.reply(line, '500 ?')),
      LIST: () => this.list(line, listLine),
      RETR: () => this.retrieve(line, path, node),
    };
    if (known[command]) await known[command]();
    else this.reply(line, '500 ?');
  }

  private async passive(line: Line, answer: (port: number) => string): Promise<void> {
    line.data?.server.close();
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection').then(([socket]) => {
      server.close();
      this.data.add(socket as Socket);
      (socket as Socket).on('error', () => undefined).once('close', () => this.data.delete(socket as Socket));
      return line.isProtected ? this.secure(socket as Socket, this.options.dataTls) : (socket as Socket);
    });
    accepted.catch(() => undefined);
    line.data = { server, accepted };
    this.reply(line, answer((server.address() as AddressInfo).port));
  }

  private async list(line: Line, draw: typeof listLine): Promise<void> {
    const { mostNames = Infinity } = this.options;
    const all = this.files.entries(line.folder) ?? [];
    const entries = all.slice(0, mostNames).map(({ filename, attrs }) => {
      const behind = this.options.hidesLinks ? this.files.attributes(`${line.folder}/${filename}`) : undefined;
      return { filename, attrs: behind ?? attrs };
    });
    this.reply(line, '150 kommt');
    const socket = await line.data!.accepted;
    socket.end(entries.map(({ filename, attrs }) => `${draw(filename, attrs)}\r\n`).join(''));
    await once(socket, 'close');
    const isCut = all.length > mostNames;
    this.reply(line, isCut ? `226-Options: -l \r\n226 Output truncated to ${mostNames} matches` : '226 das war es');
  }

  private async retrieve(line: Line, path: string, node: Node | undefined): Promise<void> {
    const { restart } = line;
    line.restart = 0;
    if (!node || node.isClosed) {
      line.data?.server.close();
      return this.reply(line, node ? '550 Permission denied' : `550 ${path}: No such file or directory`);
    }
    this.reply(line, '150 kommt');
    const socket = await line.data!.accepted;
    const cutAfter = this.cutAfter(path);
    const bytes = node.content.subarray(restart);
    if (cutAfter !== undefined && cutAfter < bytes.length) {
      await new Promise<void>((resolve) => socket.write(bytes.subarray(0, cutAfter), () => resolve()));
      socket.destroySoon();
      line.socket.destroy();
      return;
    }
    const early = this.endAt(path);
    socket.end(early ? node.content.subarray(restart, early.position) : bytes);
    await once(socket, 'close');
    this.reply(line, early?.answer ?? '226 das war es');
  }
}
