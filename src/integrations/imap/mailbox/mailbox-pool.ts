import type { ImapFlow, MailboxObject } from 'imapflow';
import list from 'imapflow/lib/commands/list.js';
import { abortable } from '../../../platform/concurrency/cancellation';
import { Transient } from '../../core/source-errors';
import { FolderRejected } from './fetch-rejected';
import { classify } from '../connection/imap-errors';

/** Providers allow about ten to fifteen connections per user, shared with the user's own programs. */
const MAX_CONNECTIONS = 3;
const LOGOUT_TIMEOUT_MS = 1_000;

interface PooledConnection {
  readonly client: ImapFlow;
  /** Whether it has answered a command: if it is closed now, the server may still be available. */
  proven: boolean;
}

interface ConnectionRequest {
  readonly give: (connection: PooledConnection) => void;
  readonly fail: (reason: unknown) => void;
}

/**
 * A pool of connections to one mailbox, opened when needed. Every use has a connection exclusively, with the folder opened
 * read-only (EXAMINE), so that nothing in the mailbox changes, neither flags nor \Recent.
 */
export class MailboxPool {
  static readonly connections = MAX_CONNECTIONS;

  private readonly idle: PooledConnection[] = [];
  private readonly waiting: ConnectionRequest[] = [];
  private readonly open = new Set<PooledConnection>();
  private opening = 0;
  private limit = MAX_CONNECTIONS;
  private closed = false;

  constructor(
    private readonly connect: () => Promise<ImapFlow>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.stop, { once: true });
  }

  /** Runs commands without a folder. Throws classified errors, or the signal's reason. */
  async use<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    return this.withConnection('IMAP', null, work);
  }

  /**
   * Runs commands in a folder. A dead connection is replaced once and the work repeated, so `work` must be read-only. `reopen`
   * opens the folder again even if it is open, for current UIDVALIDITY and UIDNEXT.
   * Throws `SelectionNotFound` when there is no such folder, `FolderRejected` when the server does not open it, other classified
   * errors, or the signal's reason.
   */
  async useFolder<T>(
    folder: string,
    work: (client: ImapFlow, mailbox: MailboxObject) => Promise<T>,
    reopen = false,
  ): Promise<T> {
    return this.withConnection(`IMAP folder ${folder}`, folder, async (client) =>
      work(client, await examine(client, folder, reopen)),
    );
  }

  /** Opens the folder on all connections in advance, because each takes some round trips. Failures are reported on use. */
  prepare(folder: string): void {
    for (let left = MAX_CONNECTIONS; left > 0; left--) {
      this.useFolder(folder, () => Promise.resolve()).catch(() => undefined);
    }
  }

  /** Logs out and closes all connections; running commands fail. Does not wait for the servers' answers. */
  close(): void {
    this.signal.removeEventListener('abort', this.stop);
    this.closed = true;
    const logouts = this.idle.map(({ client }) => client.logout().catch(() => undefined));
    const loggedOut = abortable(Promise.all(logouts), AbortSignal.timeout(LOGOUT_TIMEOUT_MS));
    loggedOut.catch(() => undefined).finally(this.stop);
  }

  private readonly stop = (): void => {
    this.closed = true;
    for (const { client } of this.open) client.close();
    for (const waiter of this.waiting.splice(0)) waiter.fail(this.closedError());
  };

  private async withConnection<T>(
    what: string,
    folder: string | null,
    work: (client: ImapFlow) => Promise<T>,
  ): Promise<T> {
    for (let repeat = false; ; repeat = true) {
      const connection = await this.acquire(folder);
      try {
        const result = await work(connection.client);
        connection.proven = true;
        return result;
      } catch (error) {
        this.signal.throwIfAborted();
        const stale = !connection.client.usable && connection.proven && !repeat && !this.closed;
        if (!stale) throw classify(error, what);
      } finally {
        this.release(connection);
      }
    }
  }

  /** Prefers a connection with the folder open; opens a new one only while all are busy. */
  private async acquire(folder: string | null): Promise<PooledConnection> {
    if (this.closed) throw this.closedError();
    const at = this.idle.findIndex(({ client }) => isOpen(client, folder));
    const [connection] = this.idle.splice(Math.max(at, 0), 1);
    if (connection) return connection.client.usable ? connection : this.replace(connection, folder);
    if (this.open.size + this.opening < this.limit) return this.add();
    return this.queue();
  }

  private queue(): Promise<PooledConnection> {
    return new Promise<PooledConnection>((give, fail) => this.waiting.push({ give, fail }));
  }

  private replace(dead: PooledConnection, folder: string | null): Promise<PooledConnection> {
    this.drop(dead);
    return this.acquire(folder);
  }

  private async add(): Promise<PooledConnection> {
    this.opening++;
    try {
      const connection: PooledConnection = { client: await this.connect(), proven: false };
      if (this.closed) {
        connection.client.close();
        throw this.closedError();
      }
      this.open.add(connection);
      return connection;
    } catch (error) {
      const others = this.open.size + this.opening - 1;
      if (this.closed || others === 0) {
        for (const waiter of this.waiting.splice(0)) waiter.fail(error);
        throw error;
      }
      // Additional connections are optional: when the provider allows fewer, the existing ones are used.
      this.limit = others;
      return this.idle.pop() ?? this.queue();
    } finally {
      this.opening--;
    }
  }

  private release(connection: PooledConnection): void {
    if (this.closed) return;
    const waiter = this.waiting.shift();
    if (connection.client.usable) {
      if (waiter) waiter.give(connection);
      else this.idle.push(connection);
      return;
    }
    this.drop(connection);
    if (waiter) this.acquire(null).then(waiter.give, waiter.fail);
  }

  private drop(connection: PooledConnection): void {
    this.open.delete(connection);
    connection.client.close();
  }

  private closedError(): unknown {
    return this.signal.aborted ? this.signal.reason : new Transient('The session has ended.');
  }
}

/** An internal property of imapflow. */
type Listed = ImapFlow & { readonly folders?: Map<string, object> };

function isOpen(client: ImapFlow, folder: string | null): boolean {
  const mailbox = client.mailbox;
  return folder !== null && mailbox !== false && mailbox.path === folder && mailbox.readOnly === true;
}

async function examine(client: ImapFlow, folder: string, reopen: boolean): Promise<MailboxObject> {
  if (!reopen && isOpen(client, folder) && client.mailbox) return client.mailbox;
  // Prevents imapflow from listing an unknown folder first, by two commands, for flags that are not needed.
  (client as Listed).folders?.set(folder, {});
  try {
    return await client.mailboxOpen(folder, { readOnly: true });
  } catch (error) {
    const isAnswer = error instanceof Error && 'responseStatus' in error && client.usable;
    // A listed name without mails may only contain other folders.
    if (isAnswer && error.responseStatus === 'NO') {
      const [listed] = await list(client, '', folder, { listOnly: true });
      const mailboxMissing = !listed || listed.flags.has('\\Noselect') || listed.flags.has('\\NonExistent');
      Object.assign(error, { mailboxMissing });
    }
    const failure = classify(error, `IMAP folder ${folder}`);
    throw isAnswer && failure instanceof Transient ? new FolderRejected(failure.message) : failure;
  }
}
