import { createTestClient } from '../harness/app/test-client';
import { eventually } from '../harness/eventually';
import { freePort } from '../harness/free-port';
import { connectSandbox, TestEngine } from '../harness/engine/test-engine';
import { ServiceProcess } from '../e2e/start/service-process';
import { WORKER_KEYS } from './campaigns/worker-keys';

const CONNECTIONS = 40;
const DOCUMENTS = 30;

describe(`A worker that is killed (kill -9) with ${CONNECTIONS} claimed connections`, () => {
  let api: TestEngine;
  const workers: ServiceProcess[] = [];

  beforeAll(async () => {
    api = await TestEngine.start({ role: 'api' });
  });
  afterAll(async () => {
    for (const worker of workers) await worker.kill('SIGKILL');
    await api.stop();
  });

  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await ServiceProcess.start('main', {
      DATABASE_URL: api.app.databaseUrl,
      ...WORKER_KEYS,
      ROLE: 'worker',
      WORKER_CONCURRENCY: String(CONNECTIONS),
      PORT: String(await freePort()),
      DATA_DIR: '/dev/null/docfetch',
    });
    workers.push(worker);
    return worker.ready();
  };

  it('leaves all its fetches visible as RUNNING; the next workers complete each of them once, under its uuid', async () => {
    const client = await createTestClient(api.app);
    const uuids: string[] = [];
    for (let made = 0; made < CONNECTIONS; made++) {
      const slow = { scenario: 'slow', delay_ms: 400, documents: DOCUMENTS, new_per_fetch: 0, document_size_kb: 4 };
      uuids.push(await connectSandbox(client, slow));
    }
    const running = () => api.count(`select count(*) from "fetch" where status = 'RUNNING'`);
    const doomed = await startWorker();
    await eventually(async () => (await running()) === CONNECTIONS, 'all are claimed', 60_000);
    await doomed.kill('SIGKILL');
    expect(await running()).toBe(CONNECTIONS);
    const before = new Map<string, string>();
    for (const uuid of uuids) {
      const { body } = await client.request('get', `/v1/connections/${uuid}/fetches`).expect(200);
      const [fetch, ...others] = (body as { data: { uuid: string; status: string }[] }).data;
      expect({ status: fetch!.status, others }).toEqual({ status: 'RUNNING', others: [] });
      before.set(uuid, fetch!.uuid);
    }

    // Nothing is manipulated: the leases expire by themselves.
    await Promise.all([startWorker(), startWorker()]);
    for (const uuid of uuids) {
      const fetches = await api.waitForFetches(uuid, 1, 90_000);
      expect(fetches).toEqual([
        expect.objectContaining({
          ...{ uuid: before.get(uuid), trigger: 'INITIAL', status: 'SUCCEEDED' },
          ...{ seen: DOCUMENTS, new: DOCUMENTS, duplicate: 0, filtered: 0, failed: 0 },
        }),
      ]);
    }
    expect(await api.count('select count(*) from transaction')).toBe(CONNECTIONS * DOCUMENTS);
    expect(await api.count('select count(*) from connection where lease_token is not null')).toBe(0);
  }, 240_000);
});
