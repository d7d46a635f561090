import type { FileEntry, SFTPWrapper, Stats } from 'ssh2';
import { ConnectionLost } from '../shared/tree-sync/files/resumable-read';
import { Transient } from '../core/source-errors';
import type { SshSession } from './connect';

interface LiveConnection extends SshSession {
  isOver: boolean;
  /** Callbacks of pending requests, called when the connection ends. */
  readonly waiting: Set<() => void>;
}

/** The error of pending requests when the connection breaks. */
export class SftpConnectionLost extends ConnectionLost {
  constructor() {
    super('SFTP: the connection broke.');
  }
}

type Answer<T> = (error: Error | null | undefined, value?: T) => void;

/** One connection, opened when needed and again after it has broken. Supports many concurrent requests. */
export class ReconnectingSftp {
  private live?: Promise<LiveConnection>;
  private isClosed = false;

  constructor(
    private readonly connect: () => Promise<SshSession>,
    private readonly signal: AbortSignal,
  ) {}

  /** The current connection, or a new one. A handle is only valid on the connection on which it was opened. */
  async connection(): Promise<SftpConnection> {
    this.signal.throwIfAborted();
    if (this.isClosed) throw new Transient('SFTP: the session has ended.');
    const live = await (this.live ?? this.open());
    if (live.isOver) {
      // The first caller opens the new connection for all.
      if (this.live && (await this.live) === live) this.live = undefined;
      return new SftpConnection(await (this.live ?? this.open()), this.signal);
    }
    return new SftpConnection(live, this.signal);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const live = await this.live?.catch(() => undefined);
    live?.client.end();
    // Does not wait for the server.
    live?.client.destroy();
  }

  private open(): Promise<LiveConnection> {
    const opening = this.connect().then(({ client, sftp }): LiveConnection => {
      const live: LiveConnection = { client, sftp, isOver: false, waiting: new Set() };
      const end = (): void => {
        live.isOver = true;
        for (const lost of live.waiting) lost();
        live.waiting.clear();
      };
      client.once('close', end).once('end', end);
      // The channel can end separately, and ssh2 still reports errors of requests afterwards.
      sftp.on('error', end);
      sftp.once('close', end).once('end', end);
      return live;
    });
    this.live = opening;
    opening.catch(() => {
      if (this.live === opening) this.live = undefined;
    });
    return opening;
  }
}

/** The used SFTP requests as promises. Each rejects with the server's response, `SftpConnectionLost`, or the signal's reason. */
export class SftpConnection {
  constructor(
    private readonly live: LiveConnection,
    private readonly signal: AbortSignal,
  ) {}

  opendir(path: string): Promise<Buffer> {
    return this.request((sftp, answer) => sftp.opendir(path, copied(answer)));
  }

  /** The next portion of a folder's entries. */
  readdir(handle: Buffer): Promise<FileEntry[]> {
    return this.request((sftp, answer) => sftp.readdir(handle as never, answer as never));
  }

  stat(path: string): Promise<Stats> {
    return this.request((sftp, answer) => sftp.stat(path, answer));
  }

  realpath(path: string): Promise<string> {
    return this.request((sftp, answer) => sftp.realpath(path, answer));
  }

  open(path: string): Promise<Buffer> {
    return this.request((sftp, answer) => sftp.open(path, 'r', copied(answer)));
  }

  fstat(handle: Buffer): Promise<Stats> {
    return this.request((sftp, answer) => sftp.fstat(handle, answer));
  }

  /** Reads into `target` from `position` on; returns the number of bytes, possibly fewer than requested, 0 at the end. */
  read(handle: Buffer, position: number, target: Buffer): Promise<number> {
    return this.request((sftp, answer) => sftp.read(handle, target, 0, target.length, position, answer));
  }

  /** Closes a handle without waiting for the response. */
  close(handle: Buffer): void {
    if (this.live.isOver) return;
    this.live.sftp.close(handle, () => undefined);
  }

  /** ssh2 may leave requests without a response when the channel ends; they are rejected at the end of the connection. */
  private request<T>(request: (sftp: SFTPWrapper, answer: Answer<T>) => unknown): Promise<T> {
    const { waiting, sftp } = this.live;
    return new Promise<T>((resolve, reject) => {
      const lost = (): void => reject(this.signal.aborted ? (this.signal.reason as Error) : new SftpConnectionLost());
      if (this.live.isOver || this.signal.aborted) return lost();
      waiting.add(lost);
      request(sftp, (error, value) => {
        waiting.delete(lost);
        if (!error) resolve(value as T);
        else if (typeof (error as { code?: unknown }).code === 'number') reject(error);
        else lost();
      });
    });
  }
}

/** Copies a handle, which ssh2 leaves in the memory of its packet (`freePackets`). */
function copied(answer: Answer<Buffer>): Answer<Buffer> {
  return (error, handle) => answer(error, handle && Buffer.from(handle));
}
