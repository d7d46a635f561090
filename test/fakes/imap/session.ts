import type { SecureContext } from 'node:tls';
import type { Account } from './mailbox/account';
import { CommandCursor } from './protocol/command-cursor';
import { COMMANDS } from './commands/commands';
import type { Fault } from './faults';
import { ImapCommandError } from './protocol/command-error';
import { type SelectedFolder } from './mailbox/selected-folder';
import { Disconnected, LineTooLong, type Wire } from './protocol/wire';

export type State = 'not authenticated' | 'authenticated' | 'selected';

/** The server's interface for a session. */
export interface SessionHost {
  readonly tls: 'none' | 'starttls' | 'implicit';
  readonly loginDisabled: boolean;
  readonly withheld: ReadonlySet<string>;
  readonly secureContext: SecureContext | undefined;
  readonly delimiter: string;
  readonly quoted8bit: boolean;
  login(user: string, password: string): Account | undefined;
  /** Only for servers with OAuth. */
  logInWithToken?(user: string, token: string): Account | undefined;
  strike(command: string): Fault | undefined;
  /** Writes the transcript. */
  onCommand(session: number, command: string, args: string): void;
  /** A command that changes, or would change, the mailbox. */
  changed(session: number, command: string, folder: string): void;
}

const LINE_LIMIT = 65_536;
const LITERAL_LIMIT = 64 * 1024 * 1024;
const LITERAL_LIMIT_BEFORE_LOGIN = 8192;
const EXTENSIONS = ['CHILDREN', 'CONDSTORE', 'NAMESPACE', 'SPECIAL-USE', 'UIDPLUS', 'UNSELECT'];

/** One client's connection: reads commands one after the other, checks them against the state and answers. */
export class Session {
  account?: Account;
  selected?: SelectedFolder;
  ending = false;
  condstore = false;
  /** Executed right after the command's tagged response. */
  afterAnswer?: () => Promise<void>;

  constructor(
    readonly id: number,
    readonly host: SessionHost,
    readonly wire: Wire,
  ) {}

  get state(): State {
    return this.selected ? 'selected' : this.account ? 'authenticated' : 'not authenticated';
  }

  /** True while login with a password is allowed. */
  get loginAllowed(): boolean {
    return !this.host.loginDisabled || this.wire.encrypted;
  }

  /** True while the extension is offered. */
  offers(capability: string): boolean {
    return this.capabilities().includes(capability);
  }

  capabilities(): string[] {
    const list = ['IMAP4rev1', 'LITERAL+', 'SASL-IR', 'ID', 'ENABLE', 'IDLE'];
    if (this.account) list.push(...EXTENSIONS);
    else if (this.host.logInWithToken) list.push('AUTH=XOAUTH2', 'AUTH=OAUTHBEARER', 'LOGINDISABLED');
    else if (this.loginAllowed) list.push('AUTH=PLAIN');
    else list.push('LOGINDISABLED');
    if (!this.account && this.host.tls === 'starttls' && !this.wire.encrypted) list.push('STARTTLS');
    return list.filter((capability) => !this.host.withheld.has(capability));
  }

  /** Serves the connection until either side ends it. Never rejects. */
  async run(): Promise<void> {
    try {
      if (this.host.tls === 'implicit') await this.wire.startTls(this.host.secureContext!);
      await this.greet();
      while (!this.ending) await this.next();
      this.wire.end();
    } catch (error) {
      if (error instanceof LineTooLong) await this.untagged('BYE Line too long').catch(() => {});
      this.wire.destroy();
      if (!(error instanceof Disconnected || error instanceof LineTooLong)) throw error;
    }
  }

  async untagged(text: string): Promise<void> {
    await this.wire.write(`* ${text}\r\n`);
  }

  /** A continuation request, then the client's line. */
  async ask(text: string): Promise<Buffer> {
    await this.wire.write(`+ ${text}\r\n`);
    return this.wire.line(LINE_LIMIT);
  }

  /** Records a change of a folder (decoded path). */
  changes(command: string, folder = this.selected?.folder.path ?? ''): void {
    this.host.changed(this.id, command, folder);
  }

  /** Reports mailbox changes to the client. Ends the session when the mailbox was rebuilt. */
  async sync(expunges: boolean): Promise<void> {
    if (!this.selected) return;
    if (!this.selected.valid) {
      this.ending = true;
      return this.untagged('BYE The mailbox was rebuilt, please connect again');
    }
    for (const line of this.selected.updates(expunges, this.condstore)) await this.untagged(line);
  }

  private async greet(): Promise<void> {
    const fault = this.host.strike('CONNECT');
    if (!fault) return this.untagged(`OK [CAPABILITY ${this.capabilities().join(' ')}] Ready`);
    if (fault.spec.how === 'hang') return this.hang();
    if (fault.spec.how === 'close') throw new Disconnected();
    this.ending = true;
    const code = fault.spec.code ?? (fault.spec.how === 'unavailable' ? 'UNAVAILABLE' : undefined);
    return this.untagged(`BYE ${code ? `[${code}] ` : ''}Not now`);
  }

  private async next(): Promise<void> {
    const cursor = new CommandCursor(await this.command(), this.host.quoted8bit);
    let tag = '*';
    let line: string;
    try {
      tag = cursor.tag();
      cursor.space();
      line = await this.execute(cursor);
    } catch (error) {
      if (!(error instanceof ImapCommandError)) throw error;
      line = error.line;
    }
    await this.wire.write(`${tag} ${line}\r\n`);
    await this.afterAnswer?.();
    this.afterAnswer = undefined;
  }

  private async execute(cursor: CommandCursor): Promise<string> {
    let name = cursor.keyword();
    if (name === 'UID') {
      cursor.space();
      name = `UID ${cursor.keyword()}`;
    }
    const command = COMMANDS.get(name);
    this.host.onCommand(this.id, command ? name : 'UNKNOWN', command && !command.secret ? cursor.remainder() : '');
    if (name.endsWith('MOVE')) this.changes(name);
    const fault = this.host.strike(name);
    if (fault) await this.fail(fault);
    if (!command || (command.needs && !this.offers(command.needs)))
      throw new ImapCommandError('BAD', 'Unknown command');
    if (!command.states.includes(this.state)) throw new ImapCommandError('BAD', `Not allowed when ${this.state}`);
    const text = await command.run(this, cursor);
    await this.sync(command.expunges !== false);
    return `OK ${text ?? `${name} completed`}`;
  }

  private async fail({ spec }: Fault): Promise<void> {
    if (spec.how === 'hang') return this.hang();
    if (spec.how === 'close' && spec.afterBytes === undefined) throw new Disconnected();
    if (spec.how === 'close') {
      // A shorter response is still sent; the connection closes after it.
      this.ending = true;
      return this.wire.cutAfter(spec.afterBytes ?? 0);
    }
    if (spec.how === 'unavailable') throw new ImapCommandError('NO', 'Temporary failure', spec.code ?? 'UNAVAILABLE');
    throw new ImapCommandError(spec.how === 'no' ? 'NO' : 'BAD', 'Refused', spec.code);
  }

  /** Never answers until the client disconnects. */
  private async hang(): Promise<never> {
    for (;;) await this.wire.exactly(1);
  }

  /** One complete command with its literals; sends a continuation request for each synchronizing literal (RFC 3501 7.5). */
  private async command(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (;;) {
      const line = await this.wire.line(LINE_LIMIT);
      const literal = /\{(\d{1,10})(\+?)\}$/.exec(line.toString('latin1', Math.max(0, line.length - 14)));
      pieces.push(line);
      if (!literal || (literal[2] && !this.offers('LITERAL+'))) return Buffer.concat(pieces);
      const size = Number(literal[1]);
      if (size > (this.account ? LITERAL_LIMIT : LITERAL_LIMIT_BEFORE_LOGIN)) {
        // A literal that is already being sent cannot be rejected without losing synchronization with the client.
        if (literal[2]) throw new LineTooLong();
        return Buffer.concat(pieces);
      }
      if (!literal[2]) await this.wire.write('+ Ready for the literal\r\n');
      pieces.push(Buffer.from('\r\n'), await this.wire.exactly(size));
    }
  }
}
