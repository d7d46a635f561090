import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Body {
  readonly plaintext?: string;
  readonly ciphertext?: string;
  readonly associated_data: string;
}

/** The transit engine of a Vault with one key. */
export class FakeVault {
  /** Whether it answers 503 to everything, as a locked Vault does. */
  isAway = false;
  /** The contexts of the requests that it has not served. */
  readonly refused: string[] = [];
  /** What each ciphertext stands for. */
  private readonly encrypted = new Map<string, Required<Pick<Body, 'plaintext' | 'associated_data'>>>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void json(request).then((body) => {
        const answer = this.answer(body as Body);
        response.writeHead(answer ? 200 : 503, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer ?? { errors: ['Vault is locked'] }));
      });
    });
  }

  static async start(): Promise<FakeVault> {
    const vault = new FakeVault();
    await new Promise<void>((resolve) => vault.server.listen(0, '127.0.0.1', resolve));
    return vault;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer({ plaintext, ciphertext, associated_data }: Body): object | null {
    if (this.isAway) {
      this.refused.push(Buffer.from(associated_data, 'base64').toString());
      return null;
    }
    if (plaintext !== undefined) {
      const made = `vault:v1:${randomUUID()}`;
      this.encrypted.set(made, { plaintext, associated_data });
      return { data: { ciphertext: made } };
    }
    const found = this.encrypted.get(ciphertext!);
    return found?.associated_data === associated_data ? { data: { plaintext: found.plaintext } } : null;
  }
}
