import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

interface Payload {
  readonly transaction_uuid: string;
  readonly connection_uuid: string;
  readonly external_id: string;
}

/**
 * The endpoint of a client: docs/examples/push-receiver.mjs, behind a proxy that counts what the receiver has accepted with 200.
 */
export class CountingReceiver {
  /** How often each transaction was accepted. */
  readonly accepted = new Map<string, number>();
  /** The transactions of each document of a source. */
  readonly documents = new Map<string, Set<string>>();
  private receiver!: ChildProcess;
  private target!: string;

  private constructor(
    private readonly root: string,
    private readonly folder: string,
    private readonly proxy: Server,
  ) {}

  static async start(root: string, folder: string, port: number): Promise<CountingReceiver> {
    mkdirSync(folder, { recursive: true });
    const proxy = createServer();
    const receiver = new CountingReceiver(root, folder, proxy);
    proxy.on('request', (request, response) => {
      receiver.forward(request, response).catch(() => response.destroy());
    });
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    return receiver;
  }

  /** Starts the example with the secret of the environment. */
  async listen(secret: string): Promise<void> {
    const script = join(this.root, 'docs/examples/push-receiver.mjs');
    const env = { PATH: process.env.PATH, SECRET: secret, PORT: '0', FOLDER: join(this.folder, 'received') };
    this.receiver = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(this.receiver.stdout!, 'data')) as [Buffer];
    this.target = /http:\S+/.exec(line.toString())![0];
    this.receiver.stdout!.resume();
  }

  /** Pushes of a document that had been accepted before. */
  get repeated(): number {
    return [...this.accepted.values()].reduce((sum, times) => sum + times - 1, 0);
  }

  /** Documents that arrived as more than one transaction. */
  get doubled(): number {
    return [...this.documents.values()].filter(({ size }) => size > 1).length;
  }

  async stop(): Promise<void> {
    this.receiver.kill('SIGTERM');
    this.proxy.closeAllConnections();
    this.proxy.close();
    if (this.receiver.exitCode === null) await once(this.receiver, 'exit');
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-'));
    const answer = await fetch(this.target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(Object.fromEntries(headers) as Record<string, string>) },
      body: new Uint8Array(body),
    });
    if (answer.status === 200) this.count(JSON.parse(body.toString()) as Payload);
    response.writeHead(answer.status).end();
  }

  private count({ transaction_uuid: uuid, connection_uuid: connection, external_id: id }: Payload): void {
    this.accepted.set(uuid, (this.accepted.get(uuid) ?? 0) + 1);
    const document = `${connection} ${id}`;
    this.documents.set(document, (this.documents.get(document) ?? new Set()).add(uuid));
  }
}
