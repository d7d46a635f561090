import { connectTo, type FilledMailbox, fillMailbox } from './campaigns/filled-mailbox';
import { FetchCrashTest } from './campaigns/killed-workers';
import { MAILBOX_KILLS } from './campaigns/kills';
import type { TestClient } from '../harness/app/test-client';
import { SeededRandom, seedOfRun } from './campaigns/seeded-random';

const DOCUMENTS = 500;

describe(`Workers that are killed (kill -9) ${MAILBOX_KILLS} times while they fetch ${DOCUMENTS} documents from Dovecot`, () => {
  const seed = seedOfRun();
  let mailbox: FilledMailbox;

  beforeAll(async () => {
    mailbox = await fillMailbox(new SeededRandom(seed), DOCUMENTS);
  });
  afterAll(() => mailbox?.server.stop());

  // Concurrently, because both mostly wait for a worker to start.
  it('record every document exactly once, sequentially and concurrently', async () => {
    const source = { hashes: mailbox.hashes, connect: (_: unknown, client: TestClient) => connectTo(client, mailbox) };
    const campaigns = await Promise.all([
      FetchCrashTest.start([source], new SeededRandom(seed + 1), false),
      FetchCrashTest.start([source], new SeededRandom(seed + 2), true),
    ]);
    try {
      const reports = await Promise.all(
        campaigns.map((campaign) => campaign.killWorkers(Math.ceil(MAILBOX_KILLS / 2))),
      );
      for (const report of reports) {
        process.stdout.write(`${JSON.stringify(report)}\n`);
        expect(report.inTheMiddle[0]).toBeGreaterThan(report.kills / 2);
      }
    } finally {
      for (const campaign of campaigns) await campaign.stop();
    }
  });
});
