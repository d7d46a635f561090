import { addAbortListener } from 'node:events';
import { abortable } from '../../platform/concurrency/cancellation';
import { InvalidCredentials, Transient } from '../core/source-errors';
import { ConnectionLost } from '../shared/tree-sync/files/resumable-read';
import type { FtpConnection } from './connect';

/** Each download needs its own connection; many servers allow few per user. */
const MAX_CONNECTIONS = 4;

/** A pool of logged-in connections, opened when needed. Adapts to servers that allow fewer. */
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
    addAbortListener(signal, () => this.close());
  }

  /** A connection for exclusive use until it is released. Waits while all are in use. Throws what connecting throws. */
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

  /** Releases a connection. Close it before when a command is still running on it. */
  release(connection: FtpConnection): void {
    this.taken.delete(connection);
    if (this.isClosed) connection.client.close();
    else if (!connection.client.closed) this.idle.push(connection);
    this.waiting.shift()?.resolve();
  }

  /**
   * Runs `work`, and repeats it once on another connection when the connection breaks: servers close idle connections, or fail to
   * open one for data (425).
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
      // A data connection that is being opened is not part of the client yet, so closing the client does not end it.
      return await abortable(work(connection), this.signal);
    } catch (error) {
      if (error instanceof ConnectionLost) connection.client.close();
      throw error;
    } finally {
      this.release(connection);
    }
  }

  private get openCount(): number {
    return this.taken.size + this.idle.length;
  }

  /** The first connection is opened alone: once one is open, the rejection of another only means that the limit is reached. */
  private mayOpen(): boolean {
    return this.openCount === 0 ? this.connecting === 0 : this.openCount + this.connecting < this.limit;
  }

  /** Opens another connection for the next caller, unless the limit proves to be reached. Throws when it would be the only one. */
  private async open(): Promise<void> {
    const isFirst = this.openCount === 0;
    this.connecting += 1;
    try {
      const connection = await this.connect().finally(() => (this.connecting -= 1));
      this.hasLoggedIn = true;
      if (this.isClosed) connection.client.close();
      else this.idle.push(connection);
    } catch (error) {
      const isRejection = error instanceof Transient || error instanceof InvalidCredentials;
      if (isFirst || !isRejection) throw this.failWaiting(error);
      // The open connections have to suffice. When the last one has closed meanwhile, the next caller opens the first one again.
      this.limit = Math.max(1, this.openCount + this.connecting);
    }
    this.wakeAll();
  }

  /** Wakes or rejects the waiting callers. */
  private failWaiting(error: unknown): unknown {
    // The password was accepted before: the server still counts a closed connection, or those of another client.
    const wasAccepted = error instanceof InvalidCredentials && this.hasLoggedIn;
    const reported = wasAccepted ? new Transient('FTP: no further login.', { cause: error }) : error;
    if (this.openCount + this.connecting > 0) this.wakeAll();
    else for (const { reject } of this.waiting.splice(0)) reject(reported);
    return reported;
  }

  /** Waits until a connection is released, opened or rejected. */
  private nextChange(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.waiting.push(waiting);
    return waiting.promise;
  }

  private wakeAll(): void {
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }
}
