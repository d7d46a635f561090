import { Gate, Receiver } from '../fakes/receiver';
import { eventually } from '../harness/eventually';
import { waitForAllDelivered, listAttempts, isDelivered, createPushClient } from '../e2e/provisioning/push/push-setup';
import { ServiceProcess } from '../e2e/start/service-process';
import { TestEngine, connectSandbox } from '../harness/engine/test-engine';
import { freePort } from '../harness/free-port';
import { WORKER_KEYS } from './campaigns/worker-keys';

const DOCUMENTS = 100;

describe('A suspended worker that resumes after another has taken over its fetch', () => {
  let api: TestEngine;
  let receiver: Receiver;
  const workers: ServiceProcess[] = [];

  beforeAll(async () => {
    [api, receiver] = await Promise.all([TestEngine.start({ role: 'api' }), Receiver.start()]);
  });
  afterAll(async () => {
    for (const worker of workers) await worker.kill('SIGKILL');
    await api.stop();
    await receiver.stop();
  });

  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await ServiceProcess.start('main', {
      DATABASE_URL: api.app.databaseUrl,
      ...WORKER_KEYS,
      ROLE: 'worker',
      PORT: String(await freePort()),
      DATA_DIR: '/dev/null/docfetch',
    });
    workers.push(worker);
    return worker.ready();
  };

  /** Suspends it while it holds no lock, because the database would release its locks only after a minute. */
  const freeze = async (worker: ServiceProcess): Promise<void> => {
    for (;;) {
      worker.child.kill('SIGSTOP');
      const held = await api.count(
        `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
      if (held === 0) break;
      worker.child.kill('SIGCONT');
    }
    await api.rows(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`);
    await api.rows('update connection set leased_until = now() where lease_token is not null');
  };

  it('changes nothing: documents and counts are those of the new worker', async () => {
    const suspended = await startWorker();
    const client = await createPushClient(api, receiver.url());
    const uuid = await connectSandbox(client, {
      scenario: 'slow',
      delay_ms: 150,
      documents: DOCUMENTS,
      new_per_fetch: 0,
      document_size_kb: 4,
    });
    await eventually(async () => (await api.transactions(uuid)).length >= 20, 'the first batch is recorded');
    await freeze(suspended);
    const recorded = (await api.transactions(uuid)).length;
    expect(recorded).toBeLessThan(DOCUMENTS);
    const [lease] = await api.rows<{ lease_token: string }>('select lease_token from connection where uuid = $1', uuid);
    await startWorker();
    await eventually(async () => {
      const [now] = await api.rows<{ lease_token: string }>('select lease_token from connection where uuid = $1', uuid);
      return now!.lease_token !== lease!.lease_token;
    }, 'the other one takes over');
    suspended.child.kill('SIGCONT');

    const [fetch, ...more] = await api.waitForFetches(uuid, 1);
    expect(more).toEqual([]);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: DOCUMENTS, new: DOCUMENTS, duplicate: 0, failed: 0 });
    const ids = (await api.transactions(uuid)).map(({ external_id }) => external_id);
    expect(ids).toHaveLength(DOCUMENTS);
    expect(new Set(ids).size).toBe(DOCUMENTS);
    await waitForAllDelivered(api, client);
    for (const worker of workers.splice(0)) expect((await worker.kill('SIGTERM')).status).toBe(0);
  }, 600_000);

  it('records no push result that the other worker has recorded', async () => {
    receiver.clear();
    const gate = new Gate();
    receiver.next(gate.behavior);
    const suspended = await startWorker();
    const client = await createPushClient(api, receiver.url());
    const uuid = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 4 });
    await receiver.waitForRequests(1);
    await freeze(suspended);
    await startWorker();
    const [transaction] = await api.transactions(uuid);
    const done = await api.waitForTransaction(transaction!.uuid, 'the other one delivers it', isDelivered);
    gate.open();
    suspended.child.kill('SIGCONT');
    // Its shutdown waits for running work.
    expect((await suspended.kill('SIGTERM')).status).toBe(0);
    expect(await api.transactions(uuid)).toEqual([done]);
    expect(await listAttempts(api, done.uuid)).toHaveLength(1);
    expect(receiver.keys).toEqual([done.uuid, done.uuid]);
  }, 600_000);
});
