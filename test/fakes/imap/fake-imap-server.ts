import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Account, type FolderSpec } from './mailbox/account';
import { makeCertificate, type CertificateSpec } from './certificate';
import { Fault, type FaultSpec } from './faults';
import type { Folder, MessageFacts, StoredMessage } from './mailbox/folder';
import type { MessageSource } from './protocol/byte-buffer';
import { Session, type SessionHost } from './session';
import { Transcript, type Change, type ReceivedCommand } from './protocol/transcript';
import { Wire } from './protocol/wire';

export interface FakeImapOptions {
  readonly users: readonly { readonly user: string; readonly password: string }[];
  /** Every user has these folders, and INBOX. Decoded paths with the server's delimiter. */
  readonly folders?: readonly (string | FolderSpec)[];
  /** Default `none`. */
  readonly tls?: 'none' | 'starttls' | 'implicit';
  /** No password before TLS (LOGINDISABLED). Default: true with `starttls`. */
  readonly loginDisabled?: boolean;
  /** Users log in with access tokens (XOAUTH2, OAUTHBEARER) that this accepts for the mailbox, and not with passwords. */
  readonly acceptsToken?: (user: string, token: string) => boolean;
  /** Default `/`. */
  readonly delimiter?: string;
  /** Capabilities that are neither offered nor supported, for example `CONDSTORE`, `SASL-IR`, `LITERAL+`, `AUTH=PLAIN`; also `UIDNEXT`, which some servers do not report. */
  readonly without?: readonly string[];
  /** False: non-ASCII letters in a quoted string are answered with BAD, as the grammar requires. Default true, as most servers do. */
  readonly quoted8bit?: boolean;
  /** Replaces the certificate for localhost, for example by an expired one or one for another name. */
  readonly certificate?: CertificateSpec;
  /** UIDVALIDITY of INBOX; the other folders count up from it. */
  readonly uidValidity?: number;
  /** Default: any free one. */
  readonly port?: number;
}

/**
 * A strict IMAP4rev1 server (RFC 3501) on the loopback interface, with mailboxes in memory, configurable faults and a record of
 * its clients' commands. Offers SASL-IR, LITERAL+, ID, ENABLE, IDLE, NAMESPACE, UNSELECT, UIDPLUS, CONDSTORE, SPECIAL-USE.
 */
export class FakeImapServer {
  readonly host = '127.0.0.1';
  /** The certificate of the authority that signed the server's, in PEM; undefined without TLS. */
  readonly ca: string | undefined;
  private readonly accounts: readonly Account[];
  private readonly faults: Fault[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly sessions = new Set<Promise<void>>();
  private readonly crashes: unknown[] = [];
  private readonly listener: Server;
  private readonly record = new Transcript();
  private sessionCount = 0;

  private constructor(options: FakeImapOptions) {
    const { tls = 'none', delimiter = '/', folders = [], uidValidity = 1_700_000_000, acceptsToken } = options;
    const specs = folders.map((folder) => (typeof folder === 'string' ? { path: folder } : folder));
    this.accounts = options.users.map(
      ({ user, password }) => new Account(user, password, delimiter, specs, uidValidity),
    );
    const certified = tls === 'none' ? undefined : makeCertificate(options.certificate);
    this.ca = certified?.ca;
    const sessionHost: SessionHost = {
      tls,
      delimiter,
      quoted8bit: options.quoted8bit ?? true,
      loginDisabled: options.loginDisabled ?? tls === 'starttls',
      withheld: new Set(options.without),
      secureContext: certified && createSecureContext({ cert: certified.cert, key: certified.key }),
      login: (user, password) => this.login(user, password),
      ...(acceptsToken && {
        logInWithToken: (user: string, token: string) =>
          acceptsToken(user, token) ? this.accounts.find((account) => account.user === user) : undefined,
      }),
      strike: (command) => this.faults.find((fault) => fault.strikes(command)),
      onCommand: (session, command, args) => this.record.add({ session, command, arguments: args }),
      changed: (session, command, folder) => this.record.changes.push({ session, command, folder }),
    };
    this.listener = createServer({ noDelay: true }, (socket) => this.serve(socket, sessionHost));
  }

  /** Starts listening. Stop it with `stop`. */
  static async start(options: FakeImapOptions): Promise<FakeImapServer> {
    const server = new FakeImapServer(options);
    server.listener.listen(options.port ?? 0, server.host);
    await once(server.listener, 'listening');
    return server;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** Every command of all connections, in order, without passwords. */
  get transcript(): readonly ReceivedCommand[] {
    return this.record.entries;
  }

  /** The names of the commands received so far. */
  get commands(): string[] {
    return this.record.entries.map(({ command }) => command);
  }

  /** Empty while clients only read: EXAMINE and BODY.PEEK. */
  get changes(): readonly Change[] {
    return this.record.changes;
  }

  /** Resolves when the command has been received this number of times in total. */
  waitForCommand(command: string, times = 1): Promise<void> {
    return this.record.waitForCommand(command, times);
  }

  /** The open connections. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Delivers a message and returns its UID. The folder is a decoded path; the user defaults to the first one. */
  append(folder: string, message: MessageSource, facts: MessageFacts = {}, user?: string): number {
    return this.folder(folder, user).append(message, facts).uid;
  }

  /** Gives the folder a new UIDVALIDITY and its messages new UIDs. Sessions that have it open are ended. */
  rebuild(folder: string, user?: string): void {
    this.folder(folder, user).rebuild();
  }

  /** Moves a message as another client of the user would, and returns its UID in the other folder. */
  move(from: string, uid: number, to: string, user?: string): number {
    const message = this.message(from, uid, user);
    const copy = this.folder(to, user).copy(message);
    this.folder(from, user).remove(new Set([message]));
    return copy.uid;
  }

  /** Removes a message as another client of the user would. */
  expunge(folder: string, uid: number, user?: string): void {
    this.folder(folder, user).remove(new Set([this.message(folder, uid, user)]));
  }

  /** The flags of a message. */
  flags(folder: string, uid: number, user?: string): string[] {
    return [...this.message(folder, uid, user).flags];
  }

  /** The result of STATUS for the folder. */
  status(folder: string, user?: string): { uidValidity: number; uidNext: number; messages: number } {
    const { uidValidity, uidNext, messages } = this.folder(folder, user);
    return { uidValidity, uidNext, messages: messages.length };
  }

  /** The mailbox of a user, by default the first one, to be changed as by another client. */
  account(user = this.accounts[0]?.user): Account {
    const account = this.accounts.find((candidate) => candidate.user === user);
    if (!account) throw new Error(`No user ${user}`);
    return account;
  }

  /** Changes the password; the old one is rejected from now on. */
  changePassword(password: string, user?: string): void {
    this.account(user).password = password;
  }

  /** Adds a fault. The first fault that matches a command applies. */
  fail(spec: FaultSpec): Fault {
    const fault = new Fault(spec);
    this.faults.push(fault);
    return fault;
  }

  /** Closes all connections, stops listening, and throws when the server itself has failed. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.listener.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([closed, ...this.sessions]);
    if (this.crashes.length > 0) throw new AggregateError(this.crashes, 'The fake IMAP server itself failed');
  }

  private serve(socket: Socket, host: SessionHost): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    const session = new Session(++this.sessionCount, host, new Wire(socket)).run();
    const settled = session.catch((error: unknown) => void this.crashes.push(error));
    this.sessions.add(settled);
    void settled.then(() => this.sessions.delete(settled));
  }

  private login(user: string, password: string): Account | undefined {
    return this.accounts.find((account) => account.user === user && account.password === password);
  }

  private folder(path: string, user?: string): Folder {
    const folder = this.account(user).folder(path);
    if (!folder?.selectable) throw new Error(`No folder ${path} for messages`);
    return folder;
  }

  private message(path: string, uid: number, user?: string): StoredMessage {
    const message = this.folder(path, user).messages.find((candidate) => candidate.uid === uid);
    if (!message) throw new Error(`No message ${uid} in ${path}`);
    return message;
  }
}
