import type { Socket } from 'node:net';
import type { FileEntry, SFTPWrapper, Stats } from 'ssh2';
import { LineBroken } from '../shared/walk/read-on';
import { Temporary } from '../source-errors';
import type { Connected } from './connect';

interface Live extends Connected {
  /** Aborted when the connection is over. */
  readonly over: AbortSignal;
}

/** What is thrown to whoever waits for an answer when the connection breaks. */
export class LinkLost extends LineBroken {
  constructor() {
    super('SFTP: the connection broke.');
  }
}

type Answer<T> = (error: Error | null | undefined, value?: T) => void;

/** One connection, opened when it is needed and again when it has broken; many requests may be under way at once. */
export class SftpLink {
  private live?: Promise<Live>;
  private isClosed = false;

  constructor(
    private readonly connect: () => Promise<Connected>,
    private readonly signal: AbortSignal,
  ) {}

  /** The connection that stands, or a new one. A handle belongs to the connection that it was opened on. */
  async use(): Promise<Line> {
    this.signal.throwIfAborted();
    if (this.isClosed) throw new Temporary('SFTP: the session has ended.');
    const live = await (this.live ?? this.open());
    if (live.over.aborted) {
      // Whoever comes first opens the new one, for all.
      if (this.live && (await this.live) === live) this.live = undefined;
      return new Line(await (this.live ?? this.open()), this.signal);
    }
    return new Line(live, this.signal);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const live = await this.live?.catch(() => undefined);
    live?.client.end();
    // The server is not waited for.
    live?.client.destroy();
  }

  private open(): Promise<Live> {
    const opening = this.connect().then(({ client, sftp, sock }): Live => {
      const over = new AbortController();
      const end = (): void => over.abort();
      client.once('close', end).once('end', end);
      // The channel can end alone, and ssh2 still reports errors of requests when it has ended.
      sftp.on('error', end);
      sftp.once('close', end).once('end', end);
      return { client, sftp, sock, over: over.signal };
    });
    this.live = opening;
    opening.catch(() => {
      if (this.live === opening) this.live = undefined;
    });
    return opening;
  }
}

/** The requests that are needed, as promises. Each rejects with the server's answer, `LinkLost`, or the signal's reason. */
export class Line {
  constructor(
    private readonly live: Live,
    private readonly signal: AbortSignal,
  ) {}

  opendir(path: string): Promise<Buffer> {
    return this.ask((sftp, answer) => sftp.opendir(path, answer));
  }

  /** The next portion of a folder's entries. */
  readdir(handle: Buffer): Promise<FileEntry[]> {
    return this.ask((sftp, answer) => sftp.readdir(handle as never, answer as never));
  }

  stat(path: string): Promise<Stats> {
    return this.ask((sftp, answer) => sftp.stat(path, answer));
  }

  realpath(path: string): Promise<string> {
    return this.ask((sftp, answer) => sftp.realpath(path, answer));
  }

  open(path: string): Promise<Buffer> {
    return this.ask((sftp, answer) => sftp.open(path, 'r', answer));
  }

  fstat(handle: Buffer): Promise<Stats> {
    return this.ask((sftp, answer) => sftp.fstat(handle, answer));
  }

  /** Up to `length` bytes from `position` on; fewer where the server gives fewer, none at the end. */
  async read(handle: Buffer, position: number, length: number): Promise<Buffer> {
    const target = Buffer.allocUnsafe(length);
    const read = await this.ask<number>((sftp, answer) => sftp.read(handle, target, 0, length, position, answer));
    return target.subarray(0, read);
  }

  /** Nobody waits for it. */
  close(handle: Buffer): void {
    if (!this.live.over.aborted) this.live.sftp.close(handle, () => undefined);
  }

  /** ssh2 leaves requests without an answer when the channel ends in certain ways: they end with the connection at the latest. */
  private ask<T>(request: (sftp: SFTPWrapper, answer: Answer<T>) => unknown): Promise<T> {
    const { over, sftp, sock } = this.live;
    return new Promise<T>((resolve, reject) => {
      const lost = (): void => reject(this.signal.aborted ? (this.signal.reason as Error) : new LinkLost());
      if (over.aborted || this.signal.aborted) return lost();
      over.addEventListener('abort', lost, { once: true });
      inOneGo(sock);
      request(sftp, (error, value) => {
        over.removeEventListener('abort', lost);
        if (!error) resolve(value as T);
        else if (typeof (error as { code?: unknown }).code === 'number') reject(error);
        else lost();
      });
    });
  }
}

/** Requests that are made in one go leave in one: by itself each would be a call of the operating system, and a packet. */
function inOneGo(sock: Socket): void {
  if (sock.writableCorked > 0) return;
  sock.cork();
  process.nextTick(() => sock.uncork());
}
