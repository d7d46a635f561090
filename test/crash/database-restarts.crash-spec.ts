import { migrateDatabase } from '../../src/bootstrap/database/open-database';
import { Receiver } from '../fakes/receiver';
import { requestWithoutCredentials } from '../harness/app/test-client';
import { eventually } from '../harness/eventually';
import { TestEngine } from '../harness/engine/test-engine';
import { waitForAllDelivered, createPushClient } from '../e2e/provisioning/push/push-setup';
import { ServiceProcess } from '../e2e/start/service-process';
import { connectTo, type FilledMailbox, fillMailbox } from './campaigns/filled-mailbox';
import { PostgresServer } from '../harness/app/postgres-server';
import { SeededRandom, seedOfRun } from './campaigns/seeded-random';
import { freePort } from '../harness/free-port';
import { WORKER_KEYS } from './campaigns/worker-keys';

const DOCUMENTS = 500;
const CONNECTIONS = 3;
const RESTARTS = 8;

describe(`A database that is restarted ${RESTARTS} times under a service that fetches and pushes`, () => {
  const random = new SeededRandom(seedOfRun());
  let database: PostgresServer;
  let mailbox: FilledMailbox;
  let receiver: Receiver;
  /** The API in this process, which must survive the restarts too. */
  let engine: TestEngine;
  let worker: ServiceProcess;

  beforeAll(async () => {
    [database, mailbox, receiver] = await Promise.all([
      PostgresServer.start(),
      fillMailbox(random, DOCUMENTS),
      Receiver.start(),
    ]);
    await migrateDatabase(database.url);
    engine = await TestEngine.start({ role: 'api', databaseUrl: database.url });
  });
  afterAll(async () => {
    await worker?.kill('SIGKILL');
    await engine?.stop();
    await receiver?.stop();
    await mailbox?.server.stop();
    await database?.stop();
  });

  /** Repeats a query when the connection to the database is lost. */
  const ask = (text: string) => engine.count(text).catch(() => engine.count(text));

  it('loses nothing, records nothing twice, and recovers automatically', async () => {
    const client = await createPushClient(engine, receiver.url());
    const connections: string[] = [];
    for (let n = 0; n < CONNECTIONS; n++) connections.push(await connectTo(client, mailbox));
    worker = await ServiceProcess.start('main', {
      ...WORKER_KEYS,
      DATABASE_URL: database.url,
      ROLE: 'worker',
      PORT: String(await freePort()),
      DATA_DIR: '/dev/null/docfetch',
      LOG_LEVEL: 'silent',
    });
    await worker.ready();

    const recorded = () => ask('select count(*) from transaction');
    let inTheMiddle = 0;
    for (let restart = 0; restart < RESTARTS; restart++) {
      const missing = CONNECTIONS * DOCUMENTS - (await recorded());
      // A part of what is left, so that the last restart still happens in the middle, however fast the documents come.
      const enough = CONNECTIONS * DOCUMENTS - missing + Math.ceil((missing * random.next()) / (RESTARTS - restart));
      await eventually(async () => (await recorded()) >= enough, `${enough} documents are recorded`, 180_000);
      if ((await recorded()) < CONNECTIONS * DOCUMENTS) inTheMiddle++;
      await database.restart(restart % 2 ? 'fast' : 'immediate');
    }
    expect(inTheMiddle).toBeGreaterThan(RESTARTS / 2);

    for (const uuid of connections) {
      expect(await engine.waitForFetches(uuid, 1, 180_000)).toEqual([
        expect.objectContaining({
          status: 'SUCCEEDED',
          seen: DOCUMENTS,
          new: DOCUMENTS,
          duplicate: 0,
          filtered: 0,
          failed: 0,
        }),
      ]);
      const rows = await engine.transactions(uuid);
      expect(rows.map((row) => row.sha256).sort()).toEqual(mailbox.hashes);
    }
    await waitForAllDelivered(engine, client);
    expect(new Set(receiver.keys).size).toBe(CONNECTIONS * DOCUMENTS);
    expect(await engine.count(`select count(*) from connection where failing_since is not null`)).toBe(0);

    await requestWithoutCredentials(engine.app, 'get', '/health/ready').expect(200);
    await client.request('get', '/v1/transactions?limit=1').expect(200);
    expect(worker.child.exitCode).toBeNull();
    expect((await worker.kill('SIGTERM')).status).toBe(0);
  });
});
