import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const OPENING = Buffer.from('"base64":"');
const QUOTE = 0x22;

/** A client's endpoint: reads a pushed document without keeping it, and hashes the content of its base64 text. */
export class Receiver implements AsyncDisposable {
  private readonly server: Server;
  private arrived = Promise.withResolvers<string>();

  private constructor() {
    this.server = createServer((request, response) => {
      void digestOf(request).then(
        (sha256) => {
          response.end('ok');
          this.arrived.resolve(sha256);
        },
        (error: Error) => this.arrived.reject(error),
      );
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/documents`;
  }

  /** The sha256 (hex) of the next complete document. Call before it is sent. */
  next(): Promise<string> {
    this.arrived = Promise.withResolvers<string>();
    return this.arrived.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

async function digestOf(request: IncomingMessage): Promise<string> {
  const field = new Base64Field();
  for await (const chunk of request) field.push(chunk as Buffer);
  return field.digest();
}

/** Finds the base64 text in the JSON while it arrives. It has no escapes, so a quotation mark ends it. */
class Base64Field {
  private readonly hash: Hash = createHash('sha256');
  private state: 'before' | 'inside' | 'behind' = 'before';
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    if (this.state === 'behind') return;
    let data = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = data;
    if (this.state === 'before') {
      const at = data.indexOf(OPENING);
      if (at < 0) return;
      this.state = 'inside';
      data = data.subarray(at + OPENING.length);
    }
    const end = data.indexOf(QUOTE);
    if (end >= 0) this.state = 'behind';
    const whole = end >= 0 ? end : data.length - (data.length % 4);
    this.hash.update(Buffer.from(data.toString('latin1', 0, whole), 'base64'));
    this.rest = data.subarray(whole);
  }

  digest(): string {
    if (this.state !== 'behind') throw new Error('The push has no whole base64 text.');
    return this.hash.digest('hex');
  }
}
