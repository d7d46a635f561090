import { PushCrashTest } from './campaigns/push-campaign';
import { MAILBOX_KILLS } from './campaigns/kills';
import { SeededRandom, seedOfRun } from './campaigns/seeded-random';

/** A quarter of the kills of the fetch tests, because the work in flight is similar at every moment. */
const KILLS = Math.ceil(MAILBOX_KILLS / 4);

describe(`Workers that are killed (kill -9) ${KILLS} times while they push documents and send events`, () => {
  const seed = seedOfRun();

  // Concurrently, because both mostly wait for a worker to start.
  it('lose nothing, repeat only documents in flight under the same key, and send no event twice', async () => {
    const campaigns = await Promise.all([
      PushCrashTest.start(new SeededRandom(seed + 1)),
      PushCrashTest.start(new SeededRandom(seed + 2)),
    ]);
    try {
      const reports = await Promise.all(campaigns.map((campaign) => campaign.killWorkers(Math.ceil(KILLS / 2))));
      for (const report of reports) {
        process.stdout.write(`${JSON.stringify(report)}\n`);
        expect(report.inTheMiddle).toBeGreaterThan(report.kills / 4);
        expect(report.repeated).toBeGreaterThan(0);
      }
    } finally {
      for (const campaign of campaigns) await campaign.stop();
    }
  });
});
