import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { aClient, type TestClient } from '../../harness/a-client';
import { eventually } from '../../harness/eventually';
import { startApp, type TestApp } from '../../harness/start-app';

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
    client = await aClient(app, {
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
    const identity = await client.identity('customer-1');
    const created = await client
      .call('post', '/v1/connections')
      .send({
        integration_id: 'sandbox',
        name: 'Portal',
        identity_uuid: identity,
        fields: { user: 'u', password: 'p', documents: 3 },
      })
      .expect(201);
    expect(created.body.data).toMatchObject({ status: 'PENDING', setup_complete: false, integration_id: 'sandbox' });
    const token = await client.token(identity);
    await client
      .callWithToken(token, 'put', `/v1/connections/${created.body.data.uuid}/step2`)
      .send({ fields: {} })
      .expect(204);

    await eventually(() => Promise.resolve(pushed.length >= 3), 'three pushes');
    const connection = await eventually(async () => {
      const { body } = await client.call('get', `/v1/connections/${created.body.data.uuid}`).expect(200);
      return body.data.last_fetch?.status === 'SUCCEEDED' && body.data;
    }, 'the first fetch succeeds');
    expect(connection).toMatchObject({ status: 'ACTIVE', health: 'OK', last_fetch: { documents_new: 3 } });

    const { body: page } = await client.call('get', '/v1/transactions').expect(200);
    expect(page.data).toHaveLength(3);
    for (const { headers, body } of pushed) {
      new Webhook(client.signingSecret).verify(body, headers);
      expect(headers.authorization).toBe('Bearer client-secret');
      const payload = JSON.parse(body) as { transaction_uuid: string; document: { base64: string } };
      expect(headers['idempotency-key']).toBe(payload.transaction_uuid);
      const transaction = page.data.find(
        (row: { transaction_uuid: string }) => row.transaction_uuid === payload.transaction_uuid,
      );
      const sha256 = createHash('sha256').update(Buffer.from(payload.document.base64, 'base64')).digest('hex');
      expect(transaction.document.sha256).toBe(sha256);
    }
    await eventually(async () => {
      const { body } = await client.call('get', '/v1/transactions?status=DELIVERED').expect(200);
      return body.data.length === 3;
    }, 'all are marked as delivered');
    expect(pushed).toHaveLength(3);
  });
});
