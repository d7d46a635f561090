import { InvalidCredentials, Transient } from '../core/source-errors';
import { ConnectionLost } from '../shared/tree-sync/files/resumable-read';
import type { FtpConnection } from './connect';

/** Each file needs a connection of its own while it is read; many servers allow few of one user. */
const MOST_LINES = 4;

/** A few logged-in connections, opened when they are needed. Servers that allow fewer get fewer. */
export class FtpPool {
  private readonly idle: FtpConnection[] = [];
  private readonly taken = new Set<FtpConnection>();
  private readonly waiting: PromiseWithResolvers<void>[] = [];
  private connecting = 0;
  private most = MOST_LINES;
  private hasLoggedIn = false;
  private isClosed = false;

  constructor(
    private readonly connect: () => Promise<FtpConnection>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** A connection for one thing alone, until it is given back. Waits while all are taken. Throws what connecting throws. */
  async take(): Promise<FtpConnection> {
    for (;;) {
      this.signal.throwIfAborted();
      if (this.isClosed) throw new Transient('FTP: the session has ended.');
      const line = this.idle.pop();
      if (line && !line.client.closed) {
        this.taken.add(line);
        return line;
      }
      if (line) continue;
      if (this.mayOpen()) await this.open();
      else await this.change();
    }
  }

  /** Gives a connection back. One with something under way that nobody waits for has to be closed before. */
  give(line: FtpConnection): void {
    this.taken.delete(line);
    if (this.isClosed) line.client.close();
    else if (!line.client.closed) this.idle.push(line);
    this.waiting.shift()?.resolve();
  }

  /**
   * Does one thing, a second time on another connection when it was the connection that broke: servers close those that were idle
   * for long, or cannot open one for data (425).
   */
  async use<T>(work: (line: FtpConnection) => Promise<T>): Promise<T> {
    try {
      return await this.useOnce(work);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return this.useOnce(work);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const line of [...this.idle.splice(0), ...this.taken]) line.client.close();
    this.wakeAll();
  }

  private async useOnce<T>(work: (line: FtpConnection) => Promise<T>): Promise<T> {
    const line = await this.take();
    try {
      return await work(line);
    } catch (error) {
      if (error instanceof ConnectionLost) line.client.close();
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.give(line);
    }
  }

  private get standing(): number {
    return this.taken.size + this.idle.length;
  }

  /** The first one is opened alone: while one stands, the refusal of another says no more than that there are enough. */
  private mayOpen(): boolean {
    return this.standing === 0 ? this.connecting === 0 : this.standing + this.connecting < this.most;
  }

  /** Opens one connection more, for whoever comes first; none when there prove to be enough. Throws when it would be the only one. */
  private async open(): Promise<void> {
    const isFirst = this.standing === 0;
    this.connecting += 1;
    try {
      const line = await this.connect().finally(() => (this.connecting -= 1));
      this.hasLoggedIn = true;
      if (this.isClosed) line.client.close();
      else this.idle.push(line);
    } catch (error) {
      const isRefusal = error instanceof Transient || error instanceof InvalidCredentials;
      if (isFirst || !isRefusal) throw this.fail(error);
      // Those that stand have to do. When the last of them has closed meanwhile, whoever needs one tries again, as the first.
      this.most = Math.max(1, this.standing + this.connecting);
    }
    this.wakeAll();
  }

  /** Ends the waiting of those who would wait in vain. */
  private fail(error: unknown): unknown {
    // The password was right before: the server still counts a connection that has just been closed, or another client's.
    const isOld = error instanceof InvalidCredentials && this.hasLoggedIn;
    const told = isOld ? new Transient('FTP: no further login.', { cause: error }) : error;
    if (this.standing + this.connecting > 0) this.wakeAll();
    else for (const { reject } of this.waiting.splice(0)) reject(told);
    return told;
  }

  /** Waits until a connection is given back, opened or refused. */
  private change(): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.waiting.push(waiting);
    return waiting.promise;
  }

  private wakeAll(): void {
    for (const { resolve } of this.waiting.splice(0)) resolve();
  }
}
