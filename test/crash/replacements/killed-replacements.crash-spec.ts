import { MAILBOX_KILLS } from '../campaigns/kills';
import { SeededRandom, seedOfRun } from '../campaigns/seeded-random';
import { ReplacementCrashTest } from './campaign';

/** Fewer than for fetches, as every life costs more: `CRASH_KILLS=1600` for a thorough run. */
const KILLS = Math.ceil(MAILBOX_KILLS / 8);
/** Fewer kills may, by chance, all come between two steps. */
const ENOUGH_TO_COMPARE = 10;

describe(`Workers that are killed (kill -9) ${KILLS} times while they replace data keys`, () => {
  const seed = seedOfRun();

  // Concurrently, because both mostly wait for a worker to start.
  it('lose no secret and no document, in the database and in a bucket, and destroy every former key in time', async () => {
    const campaigns = await Promise.all([
      ReplacementCrashTest.start('database', new SeededRandom(seed + 1)),
      ReplacementCrashTest.start('bucket', new SeededRandom(seed + 2)),
    ]);
    try {
      // Both come to their end, so that no worker is left.
      const ends = await Promise.allSettled(campaigns.map((campaign) => campaign.killWorkers(Math.ceil(KILLS / 2))));
      for (const end of ends) {
        if (end.status === 'rejected') throw end.reason;
        const report = end.value;
        process.stdout.write(`${JSON.stringify(report)}\n`);
        if (report.kills >= ENOUGH_TO_COMPARE) expect(report.inTheMiddle).toBeGreaterThan(report.kills / 4);
        expect(report.pulled).toBeGreaterThan(report.kills);
      }
    } finally {
      for (const campaign of campaigns) await campaign.stop();
    }
  });
});
