import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { Receiver, type Received } from '../../../fakes/receiver';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { invoiceMail, pdfBytes } from '../../../interop/imap/invoice-mails';
import { connect, TestEngine, connectSandbox, type TransactionRow } from '../../../harness/engine/test-engine';

interface Payload {
  readonly transaction_uuid: string;
  readonly external_id: string | null;
  readonly document: { readonly base64: string; readonly filename: string; readonly mime_type: string };
  readonly metadata: Record<string, unknown>;
}

const payloadOf = (received: Received) => JSON.parse(received.body!.toString('utf8')) as Payload;
const headersOf = (received: Received) => received.headers as Record<string, string>;

describe('The push payload (spec 2, decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;
  let mailbox: FakeImapServer;

  beforeAll(async () => {
    [engine, receiver, mailbox] = await Promise.all([
      TestEngine.start(),
      Receiver.start(),
      FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }] }),
    ]);
  });
  afterEach(() => receiver.clear());
  afterAll(async () => {
    await engine.stop();
    await Promise.all([receiver.stop(), mailbox.stop()]);
  });

  const pushing = (
    auth: 'NONE' | 'BEARER' | 'QUERY' | 'HEADER' = 'NONE',
    secret: string | null = null,
    path?: string,
  ) => createTestClient(engine.app, { provisioning: { strategy: 'PUSH', url: receiver.url(path), auth, secret } });

  const delivered = (client: TestClient, count: number) =>
    eventually(async () => {
      const rows = await engine.rows<TransactionRow>(
        `select * from transaction where environment_uuid = $1 and status = 'DELIVERED' order by uuid`,
        client.environmentUuid,
      );
      return rows.length >= count && rows;
    }, `${count} documents are delivered`);

  it('has exactly the members of the specification, in its order, and an external_id that is null for mail', async () => {
    const client = await pushing();
    const content = pdfBytes('Größe 1', 3_001);
    mailbox.append('INBOX', invoiceMail(['Rechnung № 1.pdf', content]).subject('März').build());
    const connection = await connect(client, 'imap', {
      host: 'localhost',
      port: mailbox.port,
      security: 'NONE',
      user: 'anna',
      password: 'right',
    });
    const [transaction] = await delivered(client, 1);
    const [received] = receiver.whole;
    const text = received!.body.toString('utf8');
    const payload = payloadOf(received!);
    expect(Object.keys(payload)).toEqual([
      'client_identifier',
      'identity_uuid',
      'connection_uuid',
      'transaction_uuid',
      'document_type',
      'external_id',
      'document',
      'metadata',
    ]);
    expect(Object.keys(payload.document)).toEqual(['base64', 'filename', 'mime_type']);
    expect(text).toContain('"external_id":null');
    const [identity] = await engine.rows<{ client_identifier: string; uuid: string }>(
      'select i.* from identity i join connection c on c.identity_uuid = i.uuid where c.uuid = $1',
      connection,
    );
    expect(payload).toMatchObject({
      client_identifier: identity!.client_identifier,
      identity_uuid: identity!.uuid,
      connection_uuid: connection,
      transaction_uuid: transaction!.uuid,
      document_type: 'document',
      external_id: null,
      document: { filename: 'Rechnung № 1.pdf', mime_type: 'application/pdf', base64: content.toString('base64') },
      metadata: { source: { kind: 'mail', path: 'INBOX', subject: 'März' } },
    });
    // A pull returns the same bytes below `data`.
    const pulled = await client.request('get', `/v1/transactions/${transaction!.uuid}/document`).expect(200);
    expect(pulled.text).toBe(`{"data":${text}}`);
  });

  it('is one signed POST of JSON with the transaction as its key', async () => {
    const client = await pushing();
    await connectSandbox(client, { documents: 2 });
    const transactions = await delivered(client, 2);
    expect(receiver.whole).toHaveLength(2);
    for (const received of receiver.whole) {
      const headers = headersOf(received);
      const payload = payloadOf(received);
      const transaction = transactions.find(({ uuid }) => uuid === payload.transaction_uuid)!;
      expect(received).toMatchObject({ method: 'POST', path: '/documents' });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(received.body.length),
        'idempotency-key': transaction.uuid,
        'webhook-id': transaction.uuid,
      });
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('transfer-encoding');
      new Webhook(client.signingSecret).verify(received.body.toString('utf8'), headers);
      expect(payload.external_id).toBe(transaction.external_id);
      expect(payload.external_id).toMatch(/^SBX-/);
      expect(payload.metadata).toEqual(transaction.metadata);
      const bytes = Buffer.from(payload.document.base64, 'base64');
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(transaction.sha256);
    }
  });

  it('is signed over the complete body of a streamed document', async () => {
    const client = await pushing();
    await connectSandbox(client, { documents: 1, document_size_kb: 3 * 1024 + 1 });
    const [transaction] = await delivered(client, 1);
    const [received] = receiver.whole;
    new Webhook(client.signingSecret).verify(received!.body.toString('utf8'), headersOf(received!));
    expect(headersOf(received!)).toMatchObject({ 'content-length': String(received!.body.length) });
    const bytes = Buffer.from(payloadOf(received!).document.base64, 'base64');
    expect(bytes).toHaveLength(3 * 1024 * 1024 + 1024);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(transaction!.sha256);
  });

  it.each([
    ['BEARER', 's3cret', { authorization: 'Bearer s3cret' }, '/documents?tenant=7'],
    ['HEADER', 'Basic dTpw', { authorization: 'Basic dTpw' }, '/documents?tenant=7'],
    ['QUERY', 'a&b c', {}, '/documents?tenant=7&token=a%26b+c'],
  ] as const)('authenticates at the client by %s (spec 5 rule 6)', async (auth, secret, headers, path) => {
    const client = await pushing(auth, secret, '/documents?tenant=7');
    await connectSandbox(client, { documents: 1 });
    await delivered(client, 1);
    expect(receiver.requests[0]).toMatchObject({ path, headers });
  });
});
