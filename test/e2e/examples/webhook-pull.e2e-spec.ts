import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { type WebhookBody, createWebhook } from '../connections/webhooks/webhook-helpers';
import { TestEngine, connectSandbox, type TransactionRow } from '../../harness/engine/test-engine';
import { createPullClient, waitForAllEvents } from '../provisioning/webhooks/webhook-receiver';
import { ExampleProcess, sha256Of, uuidsOf } from './example-process';
import { Gateway } from './gateway';
import { freePort } from '../../harness/free-port';

describe('docs/examples/webhook-pull.mjs', () => {
  let engine: TestEngine;
  let gateway: Gateway;
  let folder: string;
  let client: TestClient;
  let webhook: WebhookBody;
  let port: number;
  let connection: string;
  let running: ExampleProcess[];

  beforeAll(async () => (engine = await TestEngine.start()));
  afterAll(() => engine?.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webhook-pull-'));
    gateway = await Gateway.start(engine.app.url);
    running = [];
    client = await createPullClient(engine);
    port = await freePort();
    webhook = await createWebhook(client, {
      url: `http://127.0.0.1:${port}/`,
      events: ['document.available', 'fetch.finished'],
    });
  });

  afterEach(async () => {
    for (const example of running) await example.kill();
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  function run(script: string, env: Record<string, string> = {}): ExampleProcess {
    const known = { DOCFETCH_URL: gateway.url, API_KEY: client.apiKey, FOLDER: folder };
    const example = new ExampleProcess(script, { ...known, SECRET: webhook.secret, PORT: String(port), ...env });
    running.push(example);
    return example;
  }

  async function start(env: Record<string, string> = {}): Promise<ExampleProcess> {
    const example = run('webhook-pull.mjs', { RETRY_SECONDS: '1', ...env });
    await example.url();
    return example;
  }

  async function documents(count: number, fields: Record<string, unknown> = {}): Promise<TransactionRow[]> {
    connection = await connectSandbox(client, { documents: count, new_per_fetch: 1, document_size_kb: 4, ...fields });
    await engine.waitForFetches(connection, 1);
    return engine.transactions(connection);
  }

  const settled = (status: string) =>
    eventually(
      async () => (await engine.transactions(connection)).every((row) => row.status === status),
      `all documents are ${status}`,
    );

  /** Sends an event like the service, signed by the reference library; returns the status. */
  async function send(event: object, secret = webhook.secret, at = new Date()): Promise<number> {
    const [body, id] = [JSON.stringify(event), randomUUID()];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  }

  const announcing = ({ uuid, filename, sha256, size }: TransactionRow) => ({
    type: 'document.available',
    timestamp: new Date().toISOString(),
    data: { transaction_uuid: uuid, document_type: 'invoice', filename, sha256, size: Number(size) },
  });

  it('pulls and acknowledges each document once, regardless of repeated events', async () => {
    const example = await start();
    const all = await documents(3);
    for (const { transaction_uuid, sha256, path } of await example.waitForDocuments(3)) {
      expect(await sha256Of(path)).toBe(sha256);
      expect(sha256).toBe(all.find(({ uuid }) => uuid === transaction_uuid)!.sha256);
    }
    await settled('ACKNOWLEDGED');
    await waitForAllEvents(engine);
    expect(example.jsonOutput).toContainEqual(expect.objectContaining({ type: 'fetch.finished' }));

    const again = all.flatMap((row) => [row, row]).map((row) => send(announcing(row)));
    expect(await Promise.all(again)).toEqual(Array(6).fill(200));
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await example.waitForDocuments(4);
    expect(new Set(uuidsOf(example.processed)).size).toBe(4);
    expect(example.processed).toHaveLength(4);
  });

  it('rejects forged, altered or old messages, and pulls nothing', async () => {
    const [document] = await documents(1);
    await waitForAllEvents(engine);
    await start();
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    expect(await send(announcing(document!), other)).toBe(401);
    expect(await send(announcing(document!), webhook.secret, new Date(Date.now() - 310_000))).toBe(401);
    expect(await send({ type: 'document.available', data: { transaction_uuid: '../../x' } })).toBe(400);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(405);
    expect(await readdir(folder)).toEqual([]);
    expect(gateway.requests).toEqual([]);
  });

  it('answers immediately, and requests the rest after a kill during a download', async () => {
    // Only half of the document arrives.
    gateway.intercept = ({ url }, answer) => {
      if (!url!.endsWith('/document')) return;
      answer.writeHead(200, { 'content-length': 600_000 }).write(Buffer.alloc(1));
      return true;
    };
    const first = await start();
    const [document] = await documents(1, { document_size_kb: 600 });
    await waitForAllEvents(engine); // which requires the response
    const part = join(folder, `.${document!.uuid}.part`);
    await eventually(async () => (await stat(part).catch(() => null))?.size === 1, 'something has arrived');
    await first.kill();

    gateway.intercept = () => undefined;
    // One byte was wrong, so the whole document is fetched again.
    const second = await start();
    const [worked] = await second.waitForDocuments(1);
    expect(await sha256Of(worked!.path)).toBe(document!.sha256);
    await settled('ACKNOWLEDGED');
    const ranges = gateway.requests.filter(({ url }) => url!.endsWith('/document')).map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, 'bytes=1-', undefined]);
    await second.kill();
    expect((await start()).processed).toEqual([]);
  });

  it('retries failures without delaying the others', async () => {
    const example = await start();
    let failures = 0;
    gateway.intercept = ({ url }, answer) => {
      if (!url!.endsWith('/document') || failures > 0) return;
      failures++;
      answer.writeHead(403).end('{}');
      return true;
    };
    await documents(2);
    await settled('ACKNOWLEDGED');
    expect(failures).toBe(1);
    expect(new Set(uuidsOf(await example.waitForDocuments(2))).size).toBe(2);
    await eventually(async () => !(await readdir(folder)).some((name) => name.endsWith('.todo')), 'nothing is noted');
  });

  it('rejects invalid settings', async () => {
    await start({ ACCEPT_TYPES: 'none' });
    await documents(1);
    await settled('REJECTED');
  });

  it('polls documents that arrived while it was down, and no others', async () => {
    const example = await start();
    const had = await documents(1);
    await settled('ACKNOWLEDGED');
    await example.kill();
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await engine.waitForFetches(connection, 2);
    await waitForAllEvents(engine);
    const polling = run('polling.mjs', { POLL_SECONDS: '0' });
    expect(await polling.end()).toBe(0);
    expect(polling.processed).toHaveLength(1);
    expect(polling.processed[0]!.transaction_uuid).not.toBe(had[0]!.uuid);
  });

  it('does not start without a secret', async () => {
    expect(await run('webhook-pull.mjs', { SECRET: '' }).end()).toBe(1);
  });
});
