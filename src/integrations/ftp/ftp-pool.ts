import { InvalidCredentials, Transient } from '../core/source-errors';
import { ConnectionLost } from '../shared/tree-sync/files/resumable-read';
import type { FtpConnection } from './connect';

/** Each file needs a connection of its own while it is read; many servers allow few of one user. */
const MAX_CONNECTIONS = 4;

/** A few logged-in connections, opened when they are needed. Servers that allow fewer get fewer. */
export class FtpPool {
  private readonly idle: FtpConnection[] = [];
  private readonly taken = new Set<FtpConnection>();
  private readonly waiting: PromiseWithResolvers<void>[] = [];
  private connecting = 0;
  private limit = MAX_CONNECTIONS;
  private hasLoggedIn = false;
  private isClosed = false;

  constructor(
    private readonly connect: () => Promise<FtpConnection>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** A connection for one thing alone, until it is given back. Waits while all are taken. Throws what connecting throws. */
  async acquire(): Promise<FtpConnection> {
    for (;;) {
      this.signal.throwIfAborted();
      if (this.isClosed) throw new Transient('FTP: the session has ended.');
      const connection = this.idle.pop();
      if (connection && !connection.client.closed) {
        this.taken.add(connection);
        return connection;
      }
      if (connection) continue;
      if (this.mayOpen()) await this.open();
      else await this.nextChange();
    }
  }

  /** Gives a connection back. One with something under way that nobody waits for has to be closed before. */
  release(connection: FtpConnection): void {
    this.taken.delete(connection);
    if (this.isClosed) connection.client.close();
    else if (!connection.client.closed) this.idle.push(connection);
    this.waiting.shift()?.resolve();
  }

  /**
   * Does one thing, a second time on another connection when it was the connection that broke: servers close those that were idle
   * for long, or cannot open one for data (425).
   */
  async use<T>(work: (connection: FtpConnection) => Promise<T>): Promise<T> {
    try {
      return await this.useOnce(work);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return this.useOnce(work);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const connection of [...this.idle.splice(0), ...this.taken]) connection.client.close();
    this.wakeAll();
  }

  private async useOnce<T>(work: (connection: FtpConnection) => Promise<T>): Promise<T> {
    const connection = await this.acquire();
    try {
      return await work(connection);
    } catch (error) {
      if (error instanceof ConnectionLost) connection.client.close();
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.release(connection);
    }
  }

  private get openCount(): number {
    return this.taken.size + this.idle.length;
  }

  /** The first one is opened alone: while one stands, the refusal of another says no more than that there are enough. */
  private mayOpen(): boolean {
    return this.openCount === 0 ? this.connecting === 0 : this.openCount + this.connecting < this.limit;
  }

  /** Opens one connection more, for whoever comes first; none when there prove to be enough. Throws when it would be the only one. */
  private async open(): Promise<void> {
    const isFirst = this.openCount === 0;
    this.connecting += 1;
    try {
      const connection = await this.connect().finally(() => (this.connecting -= 1));
      this.hasLoggedIn = true;
      if (this.isClosed) connection.client.close();
      else this.idle.push(connection);
    } catch (error) {
      const isRefusal = error instanceof Transient || error instanceof InvalidCredentials;
      if (isFirst || !isRefusal) throw this.failWaiting(error);
      // Those that stand have to do. When the last of them has closed meanwhile, whoever needs one tries again, as the first.
      this.limit = Math.max(1, this.openCount + this.connecting);
    }
    this.wakeAll();
  }

  /** Ends the waiting of those who would wait in vain. */
  private failWaiting(error: unknown): unknown {
    // The password was right before: the server still counts a connection that has just been closed, or another client's.
    const isOld = error instanceof InvalidCredentials && this.hasLoggedIn;
    const reported = isOld ? new Transient('FTP: no further login.', { cause: error }) : error;
    if (this.openCount + this.connecting > 0) this.wakeAll();
    else for (const { reject } of this.waiting.splice(0)) reject(reported);
    return reported;
  }

  /** Waits until a connection is given back, opened or refused. */
  private nextChange(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.waiting.push(waiting);
    return waiting.promise;
  }

  private wakeAll(): void {
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }
}
