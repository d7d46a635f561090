import type { ImapFlow, MailboxObject } from 'imapflow';
import list from 'imapflow/lib/commands/list.js';
import { Transient } from '../../core/source-errors';
import { FolderRefused } from './fetch-refused';
import { classify } from './imap-errors';

/** Providers allow about ten to fifteen connections a user, shared with the user's own programs. */
const MAX_CONNECTIONS = 3;
const LOGOUT_PATIENCE_MS = 1_000;

interface Member {
  readonly client: ImapFlow;
  /** It has answered a command before: if it is dead now, that says nothing about the server. */
  proven: boolean;
}

interface Waiter {
  readonly give: (member: Member) => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * A few connections to one mailbox, opened when needed. Every use has a connection to itself with the folder opened
 * read-only (EXAMINE), so nothing can change in the mailbox, no flag and no \Recent.
 */
export class MailboxPool {
  static readonly connections = MAX_CONNECTIONS;

  private readonly idle: Member[] = [];
  private readonly waiting: Waiter[] = [];
  private readonly open = new Set<Member>();
  private opening = 0;
  private limit = MAX_CONNECTIONS;
  private closed = false;

  constructor(
    private readonly connect: () => Promise<ImapFlow>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.stop, { once: true });
  }

  /** Runs commands that belong to no folder. Throws classified errors, or the signal's reason. */
  async use<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    return this.run('IMAP', null, work);
  }

  /**
   * Runs commands in a folder. A connection found dead is replaced once and the work repeated, so `work` must only
   * read. `anew` opens the folder again even where it is open, for fresh UIDVALIDITY and UIDNEXT.
   * Throws `SelectionNotFound` when there is no such folder, `FolderRefused` when the server does not open it, other classified
   * errors, or the signal's reason.
   */
  async useFolder<T>(
    folder: string,
    work: (client: ImapFlow, mailbox: MailboxObject) => Promise<T>,
    anew = false,
  ): Promise<T> {
    return this.run(`IMAP folder ${folder}`, folder, async (client) =>
      work(client, await examine(client, folder, anew)),
    );
  }

  /**
   * Opens the folder on all connections, ahead of their use: each takes some round trips. What fails now shows when it is used.
   */
  prepare(folder: string): void {
    for (let left = MAX_CONNECTIONS; left > 0; left--) {
      this.useFolder(folder, () => Promise.resolve()).catch(() => undefined);
    }
  }

  /** Logs out and closes everything; what still runs fails. */
  async close(): Promise<void> {
    this.signal.removeEventListener('abort', this.stop);
    this.closed = true;
    const goodbyes = this.idle.map(({ client }) => client.logout().catch(() => undefined));
    const patience = AbortSignal.timeout(LOGOUT_PATIENCE_MS);
    await Promise.race([
      Promise.all(goodbyes),
      new Promise((done) => patience.addEventListener('abort', done, { once: true })),
    ]);
    this.stop();
  }

  private readonly stop = (): void => {
    this.closed = true;
    for (const { client } of this.open) client.close();
    for (const waiter of this.waiting.splice(0)) waiter.fail(this.gone());
  };

  private async run<T>(what: string, folder: string | null, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    for (let repeat = false; ; repeat = true) {
      const member = await this.acquire(folder);
      try {
        const result = await work(member.client);
        member.proven = true;
        return result;
      } catch (error) {
        this.signal.throwIfAborted();
        const stale = !member.client.usable && member.proven && !repeat && !this.closed;
        if (!stale) throw classify(error, what);
      } finally {
        this.release(member);
      }
    }
  }

  /** Prefers a connection that has the folder open; opens another one only while all are busy. */
  private async acquire(folder: string | null): Promise<Member> {
    if (this.closed) throw this.gone();
    const at = this.idle.findIndex(({ client }) => isOpen(client, folder));
    const [member] = this.idle.splice(Math.max(at, 0), 1);
    if (member) return member.client.usable ? member : this.replace(member, folder);
    if (this.open.size + this.opening < this.limit) return this.add();
    return this.queue();
  }

  private queue(): Promise<Member> {
    return new Promise<Member>((give, fail) => this.waiting.push({ give, fail }));
  }

  private replace(dead: Member, folder: string | null): Promise<Member> {
    this.drop(dead);
    return this.acquire(folder);
  }

  private async add(): Promise<Member> {
    this.opening++;
    try {
      const member: Member = { client: await this.connect(), proven: false };
      if (this.closed) {
        member.client.close();
        throw this.gone();
      }
      this.open.add(member);
      return member;
    } catch (error) {
      const others = this.open.size + this.opening - 1;
      if (this.closed || others === 0) {
        for (const waiter of this.waiting.splice(0)) waiter.fail(error);
        throw error;
      }
      // A further connection is a luxury: where the provider allows fewer, the others do the work.
      this.limit = others;
      return this.idle.pop() ?? this.queue();
    } finally {
      this.opening--;
    }
  }

  private release(member: Member): void {
    if (this.closed) return;
    const waiter = this.waiting.shift();
    if (member.client.usable) {
      if (waiter) waiter.give(member);
      else this.idle.push(member);
      return;
    }
    this.drop(member);
    if (waiter) this.acquire(null).then(waiter.give, waiter.fail);
  }

  private drop(member: Member): void {
    this.open.delete(member);
    member.client.close();
  }

  private gone(): unknown {
    return this.signal.aborted ? this.signal.reason : new Transient('The session has ended.');
  }
}

/** What imapflow has besides what its types tell. */
type Listed = ImapFlow & { readonly folders?: Map<string, object> };

function isOpen(client: ImapFlow, folder: string | null): boolean {
  const mailbox = client.mailbox;
  return folder !== null && mailbox !== false && mailbox.path === folder && mailbox.readOnly === true;
}

async function examine(client: ImapFlow, folder: string, anew: boolean): Promise<MailboxObject> {
  if (!anew && isOpen(client, folder) && client.mailbox) return client.mailbox;
  // What it does not know it lists first, by two commands, for flags that nobody asks for here.
  (client as Listed).folders?.set(folder, {});
  try {
    return await client.mailboxOpen(folder, { readOnly: true });
  } catch (error) {
    const isAnswer = error instanceof Error && 'responseStatus' in error && client.usable;
    // A name that only leads to others is listed, but holds no mail.
    if (isAnswer && error.responseStatus === 'NO') {
      const [listed] = await list(client, '', folder, { listOnly: true });
      const mailboxMissing = !listed || listed.flags.has('\\Noselect') || listed.flags.has('\\NonExistent');
      Object.assign(error, { mailboxMissing });
    }
    const failure = classify(error, `IMAP folder ${folder}`);
    throw isAnswer && failure instanceof Transient ? new FolderRefused(failure.message) : failure;
  }
}
