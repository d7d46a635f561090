import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { TestEngine, connectSandbox } from '../../harness/engine/test-engine';
import { waitForAllDelivered } from '../provisioning/push/push-setup';
import { ExampleProcess, sha256Of, uuidsOf } from './example-process';
import { freePort } from '../../harness/free-port';

/** Receivers of `docs/examples` with a real service, by the paths of their addresses. */
export function describeReceiversWithService(receivers: readonly (readonly [script: string, path: string])[]): void {
  describe('The receivers of docs/examples with the service', () => serviceTests(receivers));
}

function serviceTests(receivers: readonly (readonly [script: string, path: string])[]): void {
  let engine: TestEngine;
  let folder: string;
  let client: TestClient;
  let running: ExampleProcess[];

  beforeAll(async () => (engine = await TestEngine.start()));
  afterAll(() => engine?.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pushed-'));
    running = [];
  });

  afterEach(async () => {
    for (const example of running) await example.kill();
    await rm(folder, { recursive: true });
  });

  it.each(receivers)(
    '%s processes every document once despite downtime, a kill and repeated pushes',
    async (script, path) => {
      const port = await freePort();
      client = await createTestClient(engine.app, {
        provisioning: { strategy: 'PUSH', url: `http://127.0.0.1:${port}${path}`, auth: 'BEARER', secret: 'token' },
      });
      const start = async (): Promise<ExampleProcess> => {
        const env = { SECRET: client.signingSecret, TOKEN: 'token', PORT: String(port), FOLDER: folder };
        const example = new ExampleProcess(script, env);
        running.push(example);
        await example.url();
        return example;
      };

      const connection = await connectSandbox(client, { documents: 3, new_per_fetch: 1, document_size_kb: 300 });
      await engine.waitForFetches(connection, 1);
      await eventually(
        async () => (await engine.transactions(connection)).every(({ attempts }) => attempts > 0),
        'each push has failed once',
      );
      const first = await start();
      await engine.advanceClock(40);
      const worked = await first.waitForDocuments(3);
      await waitForAllDelivered(engine, client);
      const rows = await engine.transactions(connection);
      expect(uuidsOf(worked)).toEqual(rows.map(({ uuid }) => uuid).sort());
      for (const { uuid, sha256 } of rows) {
        const file = (await readdir(folder)).find((name) => name.startsWith(`${uuid} `))!;
        expect(await sha256Of(join(folder, file))).toBe(sha256);
        expect(worked).toContainEqual(expect.objectContaining({ transaction_uuid: uuid, sha256 }));
      }

      await first.kill();
      const second = await start();
      for (const { uuid } of rows) await client.request('post', `/v1/transactions/${uuid}/redeliver`).expect(202);
      await engine.runPolls();
      await waitForAllDelivered(engine, client);
      await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
      const [another] = await second.waitForDocuments(1);
      expect(rows.map(({ uuid }) => uuid)).not.toContain(another!.transaction_uuid);
      await waitForAllDelivered(engine, client);
      expect(second.processed).toHaveLength(1);
      const pushed = await engine.count(
        'select count(*) from delivery_attempt where status = 200 and transaction_uuid = any($1)',
        rows.map(({ uuid }) => uuid),
      );
      expect(pushed).toBe(6);
    },
  );
}
