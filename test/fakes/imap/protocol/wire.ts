import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';

/** The client or the server has closed the connection. */
export class Disconnected extends Error {
  constructor() {
    super('The connection is closed.');
    this.name = 'Disconnected';
  }
}

/** A line that exceeds the server's limit. */
export class LineTooLong extends Error {}

/** A socket that is read by lines and byte counts and written with back-pressure. Supports an upgrade to TLS. */
export class Wire {
  private readonly received: Buffer[] = [];
  private closed = false;
  private wake: () => void = () => {};
  private budget?: { left: number };
  private readonly onReadable = () => this.wake();
  private readonly onClose = () => {
    this.closed = true;
    this.wake();
  };

  constructor(private socket: Socket) {
    this.listen();
  }

  get encrypted(): boolean {
    return this.socket instanceof TLSSocket;
  }

  /** Takes the unread bytes from the client, which frees room for further ones. */
  get waiting(): number {
    this.drain();
    return this.received.reduce((sum, { length }) => sum + length, 0);
  }

  /** A line without its CRLF. A lone CR or LF is part of the line. Throws `Disconnected` or `LineTooLong`. */
  async line(limit: number): Promise<Buffer> {
    let searched = 0;
    for (;;) {
      const all = this.join();
      const at = all.indexOf('\r\n', Math.max(searched - 1, 0));
      if (at >= 0 && at <= limit) {
        this.received[0] = all.subarray(at + 2);
        return all.subarray(0, at);
      }
      if (all.length > limit) throw new LineTooLong();
      searched = all.length;
      await this.more();
    }
  }

  /** Exactly this number of bytes. Throws `Disconnected`. */
  async exactly(count: number): Promise<Buffer> {
    while (this.waiting < count) await this.more();
    const all = this.join();
    this.received[0] = all.subarray(count);
    return all.subarray(0, count);
  }

  /** Waits until the client has sent data, or `other` resolves. False when the client has disconnected. */
  async activity(other: Promise<unknown>): Promise<boolean> {
    if (this.waiting === 0 && !this.closed) {
      await Promise.race([new Promise<void>((resolve) => (this.wake = resolve)), other]);
    }
    return !this.closed;
  }

  /** Text is encoded as latin1. Resolves when the client has room for more. Throws `Disconnected`. */
  async write(data: string | Buffer): Promise<void> {
    if (this.closed || this.socket.destroyed) throw new Disconnected();
    let bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    if (this.budget && bytes.length >= this.budget.left) {
      bytes = bytes.subarray(0, this.budget.left);
      await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
      this.destroy();
      throw new Disconnected();
    }
    if (this.budget) this.budget.left -= bytes.length;
    if (this.socket.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.socket.off('drain', done).off('close', done);
        resolve();
      };
      this.socket.on('drain', done).on('close', done);
    });
    if (this.socket.destroyed) throw new Disconnected();
  }

  /** Closes the connection after this number of further bytes. */
  cutAfter(bytes: number): void {
    this.budget = { left: bytes };
  }

  /** Starts TLS as the server. Data sent before the handshake is discarded, never executed. */
  async startTls(secureContext: SecureContext): Promise<void> {
    this.drain();
    this.received.length = 0;
    this.socket.off('readable', this.onReadable).off('close', this.onClose);
    const secure = new TLSSocket(this.socket, { isServer: true, secureContext });
    this.socket = secure;
    this.listen();
    // A client that rejects the certificate, or does not use TLS, has closed the connection.
    await new Promise<void>((resolve, reject) => {
      const failed = () => reject(new Disconnected());
      secure.once('secure', resolve).once('error', failed).once('close', failed);
    });
  }

  /** Sends the written data and closes. */
  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private listen(): void {
    // A reset by the client is a normal end here; 'close' follows it.
    this.socket.on('error', () => {});
    this.socket.on('readable', this.onReadable).on('close', this.onClose);
    this.socket.on('end', this.onClose);
  }

  private drain(): void {
    for (let chunk = this.socket.read() as Buffer | null; chunk; chunk = this.socket.read() as Buffer | null) {
      this.received.push(chunk);
    }
  }

  private join(): Buffer {
    this.drain();
    if (this.received.length !== 1) this.received.splice(0, this.received.length, Buffer.concat(this.received));
    return this.received[0]!;
  }

  private async more(): Promise<void> {
    const before = this.waiting;
    while (this.waiting === before) {
      if (this.closed) throw new Disconnected();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
