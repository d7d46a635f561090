import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultProxy } from '../../fakes/fault-proxy';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { TestEngine, connectSandbox, type TransactionRow } from '../../harness/engine/test-engine';
import { ExampleProcess, sha256Of, uuidsOf } from './example-process';
import { Gateway } from './gateway';

describe('docs/examples/polling.mjs', () => {
  let engine: TestEngine;
  let gateway: Gateway;
  let folder: string;
  let client: TestClient;
  let connection: string;
  let running: ExampleProcess[];

  beforeAll(async () => (engine = await TestEngine.start()));
  afterAll(() => engine?.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'polling-'));
    gateway = await Gateway.start(engine.app.url);
    running = [];
    client = await createTestClient(engine.app, {
      provisioning: { strategy: 'POLLING', url: null, auth: 'NONE', secret: null },
    });
  });

  afterEach(async () => {
    for (const example of running) await example.kill();
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  async function documents(count: number, fields: Record<string, unknown> = {}): Promise<TransactionRow[]> {
    connection = await connectSandbox(client, { documents: count, new_per_fetch: 1, document_size_kb: 4, ...fields });
    await engine.waitForFetches(connection, 1);
    return engine.transactions(connection);
  }

  function start(env: Record<string, string> = {}): ExampleProcess {
    const known = { DOCFETCH_URL: gateway.url, API_KEY: client.apiKey, FOLDER: folder, POLL_SECONDS: '0' };
    const example = new ExampleProcess('polling.mjs', { ...known, ...env });
    running.push(example);
    return example;
  }

  const statuses = async () => (await engine.transactions(connection)).map(({ status }) => status);

  it('stores every document once, acknowledges it, and resumes later', async () => {
    const all = await documents(3);
    const first = start();
    expect(await first.end()).toBe(0);
    expect(uuidsOf(first.processed)).toEqual(all.map(({ uuid }) => uuid).sort());
    for (const { transaction_uuid, sha256, path } of first.processed) {
      expect(await sha256Of(path)).toBe(sha256);
      expect(sha256).toBe(all.find(({ uuid }) => uuid === transaction_uuid)!.sha256);
    }
    expect(await statuses()).toEqual(Array(3).fill('ACKNOWLEDGED'));

    const again = start();
    expect(await again.end()).toBe(0);
    expect(again.processed).toEqual([]);

    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await engine.waitForFetches(connection, 2);
    const next = start({ POLL_SECONDS: '1' });
    const [worked] = await next.waitForDocuments(1);
    expect(all.map(({ uuid }) => uuid)).not.toContain(worked!.transaction_uuid);
    expect(next.processed).toHaveLength(1);
  });

  it('polls again after its interval', async () => {
    await documents(1);
    const example = start({ POLL_SECONDS: '1' });
    await example.waitForDocuments(1);
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    expect(new Set(uuidsOf(await example.waitForDocuments(2))).size).toBe(2);
  });

  it('loses nothing when killed before or after any request', async () => {
    const all = await documents(2);
    let kills = 0;
    for (let at = 1, ended = false; !ended; at++) {
      for (const before of [true, false]) {
        await rm(folder, { recursive: true });
        const example = start();
        let count = 0;
        gateway.intercept = (_, answer) => {
          if (++count !== at) return;
          if (before) void example.kill();
          else answer.once('close', () => void example.kill());
          return before;
        };
        ended = (await example.end()) === 0;
        if (!ended) kills++;
        gateway.intercept = () => undefined;
        const after = start();
        expect(await after.end()).toBe(0);
        const files = (await readdir(folder)).filter((name) => name.includes(' '));
        expect(files).toHaveLength(2);
        for (const name of files) {
          expect(await sha256Of(join(folder, name))).toBe(all.find(({ uuid }) => name.startsWith(uuid))!.sha256);
        }
        expect(new Set(uuidsOf([...example.processed, ...after.processed]))).toEqual(
          new Set(all.map(({ uuid }) => uuid)),
        );
      }
    }
    expect(kills).toBeGreaterThan(6);
    expect(await statuses()).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED']);
  });

  it('requests the rest of a document after a lost connection', async () => {
    const [document] = await documents(1, { document_size_kb: 600 });
    const line = await FaultProxy.start({ host: '127.0.0.1', port: gateway.port });
    try {
      line.faults((connection) => (connection <= 2 ? { stallAfter: 200_000 } : {}));
      const example = start({ DOCFETCH_URL: `http://127.0.0.1:${line.port}` });
      const part = join(folder, `.${document!.uuid}.part`);
      for (let had = 0, cuts = 0; cuts < 2; cuts++) {
        had = await eventually(async () => {
          const size = (await stat(part).catch(() => null))?.size ?? 0;
          return size > had && size;
        }, 'more has arrived');
        line.cutAll();
      }
      expect(await example.end()).toBe(0);
      expect(await sha256Of(example.processed[0]!.path)).toBe(document!.sha256);
      const asked = gateway.requests.filter(({ url }) => url!.endsWith('/document')).map(({ headers }) => headers);
      expect(asked[0]!.range).toBeUndefined();
      const ranges = asked.slice(1).map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range!)![1]));
      expect(ranges).toHaveLength(2);
      expect(ranges[1]).toBeGreaterThan(ranges[0]!);
      expect(asked[1]!['if-range']).toBe(`"${document!.sha256}"`);
    } finally {
      await line.stop();
    }
  });

  it('accepts no document with an unexpected hash, and keeps its cursor', async () => {
    await documents(1);
    gateway.intercept = ({ url }, answer) => {
      if (!url!.endsWith('/document')) return;
      answer.writeHead(200, { 'content-length': 100_000 }).end(Buffer.alloc(100_000));
      return true;
    };
    const example = start();
    expect(await example.end()).toBe(1);
    expect(example.stderr).toContain('another SHA-256');
    expect(await readdir(folder)).toEqual([]);
    expect(await statuses()).toEqual(['AVAILABLE']);
    gateway.intercept = () => undefined;
    expect(await start().end()).toBe(0);
    expect(await statuses()).toEqual(['ACKNOWLEDGED']);
  });

  it('waits for the time of a 429, and during server errors', async () => {
    await documents(1);
    const refusals = [429, 503, 502];
    gateway.intercept = (_, answer) => {
      const status = refusals.shift();
      if (status) answer.writeHead(status, status === 429 ? { 'retry-after': '2' } : {}).end();
      return status !== undefined;
    };
    const example = start();
    expect(await example.end()).toBe(0);
    expect(example.stderr).toMatch(/429.*again in 2 s/);
    expect(example.processed).toHaveLength(1);
  });

  it('rejects invalid selections, and omits deleted folders', async () => {
    const all = await documents(3);
    await engine.rows(
      "update transaction set document_type = case uuid when $1 then 'reminder' else 'invoice' end where connection_uuid = $2",
      all[0]!.uuid,
      connection,
    );
    gateway.intercept = ({ url }, answer) => {
      if (!url!.includes(all[1]!.uuid)) return;
      answer.writeHead(404).end('{"code": "DOCUMENT_NOT_AVAILABLE"}');
      return true;
    };
    const example = start({ ACCEPT_TYPES: 'credit_note,invoice' });
    expect(await example.end()).toBe(0);
    const [rejected, gone] = await engine.transactions(connection);
    expect(rejected).toMatchObject({
      status: 'REJECTED',
      last_error: { message: 'We have no use for documents of the type reminder.' },
    });
    expect(gone!.status).toBe('AVAILABLE');
    expect(example.stderr).toContain(`${all[1]!.uuid} is gone`);
    expect(await readFile(join(folder, 'cursor'), 'utf8')).not.toBe('');
  });

  it('does not start without a URL and a key', async () => {
    expect(await start({ API_KEY: '' }).end()).toBe(1);
  });
});
