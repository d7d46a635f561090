import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The behavior of the client's backend: accepts everything, rejects every document, or requests a pause of a day. */
export type Behavior = 'accepting' | 'rejecting' | 'paused';

const RESPONSES: Readonly<Record<Behavior, [status: number, headers: Record<string, string>, body: string]>> = {
  accepting: [200, {}, ''],
  rejecting: [422, {}, 'The supplier is not known to us.'],
  paused: [503, { 'retry-after': '86400' }, 'Maintenance until tomorrow.'],
};

/** The backend of the seeded client: receives pushes at `/documents`, accepts webhooks at `/events`, fails those at `/broken`. */
export class Receiver {
  behavior: Behavior = 'accepting';
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      request.resume().on('end', () => {
        const [status, headers, body] =
          request.url === '/documents' ? RESPONSES[this.behavior] : [request.url === '/events' ? 204 : 500, {}, ''];
        response.writeHead(status, headers).end(body);
      });
    });
  }

  static async listen(): Promise<Receiver> {
    const receiver = new Receiver();
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
