import { InvalidCredentials, Temporary } from '../source-errors';
import { LineBroken } from '../shared/walk/read-on';
import type { FtpLine } from './connect';

/** Each file needs a connection of its own while it is read; many servers allow few of one user. */
const MOST_LINES = 4;

/** A few logged-in connections, opened when they are needed. Servers that allow fewer get fewer. */
export class FtpPool {
  private readonly idle: FtpLine[] = [];
  private readonly taken = new Set<FtpLine>();
  private readonly waiting: (() => void)[] = [];
  private connecting = 0;
  private most = MOST_LINES;
  private isClosed = false;

  constructor(
    private readonly connect: () => Promise<FtpLine>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** A connection for one thing alone, until it is given back. Waits while all are taken. Throws what connecting throws. */
  async take(): Promise<FtpLine> {
    for (;;) {
      this.signal.throwIfAborted();
      if (this.isClosed) throw new Temporary('FTP: the session has ended.');
      const line = this.idle.pop() ?? (await this.open());
      if (!line) await new Promise<void>((resolve) => this.waiting.push(resolve));
      else if (!line.client.closed) {
        this.taken.add(line);
        return line;
      }
    }
  }

  /** Gives a connection back. One with something under way that nobody waits for has to be closed before. */
  give(line: FtpLine): void {
    this.taken.delete(line);
    if (this.isClosed) line.client.close();
    else if (!line.client.closed) this.idle.push(line);
    this.waiting.shift()?.();
  }

  /** Does one thing, a second time when it was the connection that broke: servers close those that were idle for long. */
  async use<T>(work: (line: FtpLine) => Promise<T>): Promise<T> {
    try {
      return await this.useOnce(work);
    } catch (error) {
      if (!(error instanceof LineBroken)) throw error;
      return this.useOnce(work);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const line of [...this.idle.splice(0), ...this.taken]) line.client.close();
    for (const wake of this.waiting.splice(0)) wake();
  }

  private async useOnce<T>(work: (line: FtpLine) => Promise<T>): Promise<T> {
    const line = await this.take();
    try {
      return await work(line);
    } catch (error) {
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.give(line);
    }
  }

  /** A new connection; undefined when there are as many as there may be. */
  private async open(): Promise<FtpLine | undefined> {
    if (this.taken.size + this.connecting >= this.most) return undefined;
    this.connecting += 1;
    try {
      const line = await this.connect();
      if (!this.isClosed) return line;
      line.client.close();
      return undefined;
    } catch (error) {
      // One more is refused while others stand: then these have to do.
      const isFull = error instanceof Temporary || error instanceof InvalidCredentials;
      if (!isFull || this.taken.size === 0) throw error;
      this.most = this.taken.size;
      return undefined;
    } finally {
      this.connecting -= 1;
    }
  }
}
