import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Child } from './child';
import { DemoFailure } from './display';

const START_MS = 15_000;

/** The receiver's output about a verified and stored document. */
export interface ReceivedDocument {
  readonly transaction_uuid: string;
  readonly client_identifier: string;
  readonly connection_uuid: string;
  readonly document_type: string;
  readonly filename: string;
  readonly size: number;
  readonly sha256: string;
  readonly metadata: {
    readonly number?: string;
    readonly date?: string;
    readonly amount?: string;
    readonly currency?: string;
  };
}

/** A client's backend: the receiver of the documentation in its own process. */
export class SampleClient {
  readonly token = randomBytes(24).toString('base64url');
  readonly received: ReceivedDocument[] = [];
  readonly errors: string[] = [];
  private readonly child: Child;
  private readonly address: Promise<string>;
  private news = Promise.withResolvers<void>();

  constructor(
    root: string,
    readonly folder: string,
    private readonly signingSecret: string,
  ) {
    this.child = new Child(join(root, 'docs', 'examples', 'push-receiver.mjs'), {
      env: { PATH: process.env.PATH, PORT: '0', SECRET: signingSecret, TOKEN: this.token, FOLDER: folder },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    this.address = promise;
    createInterface(this.child.stdout).on('line', (line) => {
      const [, url] = /^Listening on (\S+)$/.exec(line) ?? [];
      if (url) return resolve(url);
      this.received.push(JSON.parse(line) as ReceivedDocument);
      this.news.resolve();
      this.news = Promise.withResolvers();
    });
    createInterface(this.child.stderr).on('line', (line) => this.errors.push(line));
  }

  /** Its provisioning URL, available once it listens. */
  async url(): Promise<string> {
    const late = AbortSignal.timeout(START_MS);
    const tooLate = new Promise<string>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error(`no word within ${START_MS / 1000} seconds`)));
    });
    const ended = this.child.ended.then((how) => Promise.reject(new Error([how, ...this.errors].join(', '))));
    return Promise.race([this.address, ended, tooLate]).catch((error: Error) => {
      throw new DemoFailure(`The backend of the client did not start: ${error.message}`);
    });
  }

  /** Resolves with true at the next document, with false after this number of milliseconds without one. */
  async next(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    return Promise.race([this.news.promise.then(() => true), late]).finally(() => clearTimeout(timer));
  }

  /** Sends forged pushes with a wrong and an old signature. Returns the statuses: both should be 401. */
  async sendForgedPushes(): Promise<number[]> {
    const now = Math.floor(Date.now() / 1000);
    return [
      await this.push(now, `whsec_${randomBytes(32).toString('base64')}`),
      await this.push(now - 3600, this.signingSecret),
    ];
  }

  private async push(timestamp: number, secret: string): Promise<number> {
    const id = randomUUID();
    const body = JSON.stringify({ transaction_uuid: id, document: { base64: '', filename: 'forged.pdf' } });
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      authorization: `Bearer ${this.token}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    const response = await fetch(await this.address, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status;
  }

  async error(): Promise<DemoFailure | undefined> {
    if (this.child.running) return undefined;
    return new DemoFailure(`The backend of the client has ended (${await this.child.ended}).`, this.errors.slice(-5));
  }

  stop(): Promise<boolean> {
    return this.child.stop();
  }

  kill(): void {
    this.child.kill();
  }
}
