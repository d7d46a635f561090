import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import {
  createConnection,
  createDocfetch,
  createIdentity,
  createToken,
  getConnection,
  listTransactions,
  saveStep2,
  verifyPush,
} from '../../../sdk/typescript/dist/index.js';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { startApp, type TestApp } from '../../harness/app/start-app';

interface Pushed {
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe('From a portal to the client', () => {
  const pushed: Pushed[] = [];
  let app: TestApp;
  let receiver: Server;
  let client: TestClient;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        pushed.push({
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(parts).toString('utf8'),
        });
        response.end('ok');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    app = await startApp({ role: 'all' });
    const { port } = receiver.address() as AddressInfo;
    client = await createTestClient(app, {
      provisioning: {
        strategy: 'PUSH',
        url: `http://127.0.0.1:${port}/documents`,
        auth: 'BEARER',
        secret: 'client-secret',
      },
    });
  });

  afterAll(async () => {
    await app.stop();
    receiver.close();
  });

  it('fetches the documents of a new connection and pushes each exactly once, signed', async () => {
    const backend = createDocfetch({ baseUrl: app.url, apiKey: client.apiKey });
    const { data: identity } = await createIdentity({ client: backend, body: { client_identifier: 'customer-1' } });
    const { data: created } = await createConnection({
      client: backend,
      body: {
        integration_id: 'sandbox',
        name: 'Portal',
        identity_uuid: identity.identity_uuid,
        fields: { user: 'u', password: 'p', documents: 3 },
      },
    });
    expect(created).toMatchObject({ status: 'PENDING', setup_complete: false, integration_id: 'sandbox' });
    const { data: opened } = await createToken({
      client: backend,
      body: { identity_uuid: identity.identity_uuid, return_url: 'https://app.example.com/back' },
    });
    const endUser = createDocfetch({ baseUrl: app.url, token: opened.token });
    await saveStep2({ client: endUser, path: { uuid: created.uuid }, body: { fields: {} } });

    await eventually(() => Promise.resolve(pushed.length >= 3), 'three pushes');
    const connection = await eventually(async () => {
      const { data } = await getConnection({ client: backend, path: { uuid: created.uuid } });
      return data.last_fetch?.status === 'SUCCEEDED' && data;
    }, 'the first fetch succeeds');
    expect(connection).toMatchObject({ status: 'ACTIVE', health: 'OK', last_fetch: { documents_new: 3 } });

    const { data: transactions } = await listTransactions({ client: backend });
    expect(transactions).toHaveLength(3);
    for (const { headers, body } of pushed) {
      new Webhook(client.signingSecret).verify(body, headers); // what others make of the standard
      const payload = await verifyPush(body, headers, client.signingSecret, { now: app.clock.now() });
      expect(headers.authorization).toBe('Bearer client-secret');
      expect(headers['idempotency-key']).toBe(payload.transaction_uuid);
      const transaction = transactions.find((row) => row.transaction_uuid === payload.transaction_uuid);
      const sha256 = createHash('sha256').update(Buffer.from(payload.document.base64, 'base64')).digest('hex');
      expect(transaction?.document.sha256).toBe(sha256);
    }
    await eventually(async () => {
      const { data } = await listTransactions({ client: backend, query: { status: 'DELIVERED' } });
      return data.length === 3;
    }, 'all are marked as delivered');
    expect(pushed).toHaveLength(3);
  });
});
