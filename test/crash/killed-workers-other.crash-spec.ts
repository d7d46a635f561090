import { INTEGRATIONS } from '../../src/integrations/integration-registry';
import { pdfBytes } from '../interop/imap/invoice-mails';
import { FILLED_PROVIDERS, IN_CODE } from './campaigns/filled-providers';
import { FetchCrashTest } from './campaigns/killed-workers';
import { MAILBOX_KILLS } from './campaigns/kills';
import { SeededRandom, seedOfRun } from './campaigns/seeded-random';

/** Kills per group of providers: fewer than for the mailbox on a real server, and two at least, since one may find a provider idle. */
const KILLS = Math.max(2, Math.ceil(MAILBOX_KILLS / 20));
const DOCUMENTS = 60;

/** Requests per second. With lower limits, 60 documents take minutes, and what differs from faster providers is data. */
const SLOWEST = 4;

const isFast = (id: string): boolean =>
  INTEGRATIONS.find((integration) => integration.id === id)!.rateLimits.requestsPerSecond >= SLOWEST;

/** One worker fetches from a whole group, because each fetch mostly waits for the rate limit of its account. */
const GROUPS: [name: string, providers: string[]][] = [
  ['providers in code', Object.keys(FILLED_PROVIDERS).filter((id) => isFast(id) && IN_CODE.has(id))],
  ['providers in files', Object.keys(FILLED_PROVIDERS).filter((id) => isFast(id) && !IN_CODE.has(id))],
];

const contents = Array.from({ length: DOCUMENTS }, (_, n) => pdfBytes(`rest ${n}`, n % 20 === 1 ? 400_000 : 4_000));

describe(`Workers that are killed (kill -9) ${KILLS} times while they fetch ${DOCUMENTS} documents each`, () => {
  const seed = seedOfRun();

  it('cover every provider with an HTTP API', () => {
    const asked = INTEGRATIONS.filter(({ apiBaseUrl }) => apiBaseUrl !== undefined).map(({ id }) => id);
    expect(Object.keys(FILLED_PROVIDERS).sort()).toEqual(asked.sort());
  });

  it.each(GROUPS)('record every document of %s exactly once', async (_, providers) => {
    const filled = await Promise.all(providers.map((id) => FILLED_PROVIDERS[id]!(contents)));
    const campaign = await FetchCrashTest.start(
      filled.map(({ source }) => source),
      new SeededRandom(seed + 3),
      false,
    );
    try {
      const report = await campaign.killWorkers(KILLS);
      process.stdout.write(`${JSON.stringify({ providers, ...report })}\n`);
      for (const [n, id] of providers.entries()) {
        expect({ id, often: report.inTheMiddle[n]! > KILLS / 4 }).toEqual({ id, often: true });
      }
    } finally {
      await campaign.stop();
      for (const one of filled) await one.stop();
    }
  });
});
