import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Wire } from '../protocol/wire';

/** A client that sends exactly the text of a test, encoded as latin1. */
export class RawClient {
  private wire: Wire;
  private tags = 0;

  private constructor(readonly socket: Socket) {
    this.wire = new Wire(socket);
  }

  /** Connects without TLS and reads the greeting. */
  static async open(server: { host: string; port: number }): Promise<RawClient> {
    const client = new RawClient(connect(server.port, server.host));
    await client.line();
    return client;
  }

  /** One line without its CRLF. Rejects with `Disconnected` when the server has closed. */
  async line(): Promise<string> {
    return (await this.wire.line(1_000_000)).toString('latin1');
  }

  /** Exactly this number of bytes of a response. */
  async take(count: number): Promise<Buffer> {
    return this.wire.exactly(count);
  }

  async send(text: string | Buffer): Promise<void> {
    await this.wire.write(text);
  }

  /** Sends a command under a new tag and returns the whole response; its last line is without the tag. */
  async command(text: string): Promise<string> {
    const tag = `t${++this.tags}`;
    await this.send(`${tag} ${text}\r\n`);
    return this.answer(tag);
  }

  /** Reads up to the tagged line, literals included unchanged. */
  async answer(tag: string): Promise<string> {
    let answer = '';
    for (;;) {
      const line = await this.line();
      if (line.startsWith(`${tag} `)) return answer + line.slice(tag.length + 1);
      answer += `${line}\r\n`;
      const literal = /\{(\d+)\}$/.exec(line);
      if (literal) answer += (await this.wire.exactly(Number(literal[1]))).toString('latin1');
    }
  }

  /** Upgrades to TLS after the response to STARTTLS. */
  async secure(ca: string | undefined): Promise<void> {
    this.socket.removeAllListeners('readable');
    const secure = connectTls({ socket: this.socket, ca, servername: 'localhost' });
    await once(secure, 'secureConnect');
    this.wire = new Wire(secure);
  }

  close(): void {
    this.socket.destroy();
  }
}
