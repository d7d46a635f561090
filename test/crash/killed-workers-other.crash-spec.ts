import { INTEGRATIONS } from '../../src/integrations/integration-registry';
import { pdfBytes } from '../interop/imap/invoice-mails';
import { FILLED_PROVIDERS } from './campaigns/filled-providers';
import { FetchCrashTest } from './campaigns/killed-workers';
import { SeededRandom, seedOfRun } from './campaigns/seeded-random';

/** Kills per provider: fewer than for the mailbox on a real server. */
const KILLS = Math.ceil(Number(process.env.CRASH_KILLS ?? 200) / 40);
const DOCUMENTS = 60;

/** Requests per second. With lower limits, 60 documents take minutes, and what differs from faster providers is data. */
const SLOWEST = 4;

const isFast = ([id]: readonly [string, unknown]): boolean =>
  INTEGRATIONS.find((integration) => integration.id === id)!.rateLimits.requestsPerSecond >= SLOWEST;

const contents = Array.from({ length: DOCUMENTS }, (_, n) => pdfBytes(`rest ${n}`, n % 20 === 1 ? 400_000 : 4_000));

describe(`Workers that are killed (kill -9) ${KILLS} times while they fetch ${DOCUMENTS} documents each`, () => {
  const seed = seedOfRun();

  it('cover every provider with an HTTP API', () => {
    const asked = INTEGRATIONS.filter(({ apiBaseUrl }) => apiBaseUrl !== undefined).map(({ id }) => id);
    expect(Object.keys(FILLED_PROVIDERS).sort()).toEqual(asked.sort());
  });

  it.each(Object.entries(FILLED_PROVIDERS).filter(isFast))(
    'record every document of %s exactly once',
    async (_, provider) => {
      const full = await provider(contents);
      const campaign = await FetchCrashTest.start(full.source, new SeededRandom(seed + 3), false);
      try {
        const report = await campaign.killWorkers(KILLS);
        process.stdout.write(`${JSON.stringify(report)}\n`);
        expect(report.inTheMiddle).toBeGreaterThan(0);
      } finally {
        await campaign.stop();
        await full.stop();
      }
    },
  );
});
