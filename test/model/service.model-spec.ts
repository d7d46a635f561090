import fc from 'fast-check';
import { COMMANDS } from './commands/commands';
import { ModelRun, type Report } from './model-run';
import { finish } from './finish';
import { Model } from './model';
import { ServiceUnderTest } from './service-under-test';

/** At least this many commands are executed. */
const STEPS = Number(process.env.MODEL_STEPS ?? 10_000);
/** After this time no further run begins, so that a slow machine executes fewer commands; by default there is no limit. */
const MINUTES = Number(process.env.MODEL_MINUTES ?? Infinity);
/** The seed of the first run of commands; each further one has the next number, so that a failing one is repeated alone. */
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 30));
/** With a path, one run that fast-check has shortened. */
const PATH = process.env.MODEL_PATH;
/** Shortens a failing run, which takes a multiple of its time. */
const SHRINK = process.env.MODEL_SHRINK === '1';
/** The maximum length of one run of commands. */
const LENGTH = 500;

/** Starting the service takes seconds, and minutes on a machine that does a lot else. */
const START_MS = 600_000;

describe(`The service and its model, in ${STEPS} steps`, () => {
  let service: ServiceUnderTest;
  const report: Report = new Map();

  beforeAll(async () => {
    service = await ServiceUnderTest.start();
  }, START_MS);
  afterAll(async () => {
    process.stdout.write(`${[...report].map(([what, count]) => `${count} ${what}`).join(', ')}\n`);
    await service?.stop();
  }, START_MS);

  /** One run of random commands on a new model and new client applications. */
  const run = (seed: number) =>
    fc.assert(
      fc.asyncProperty(fc.commands([COMMANDS], { maxCommands: LENGTH, size: 'max' }), async (commands) => {
        const modelRun = await ModelRun.start(service, report);
        const model = new Model();
        try {
          await fc.asyncModelRun(() => ({ model, real: modelRun }), commands);
          await finish(model, modelRun);
        } finally {
          await modelRun.stop();
        }
      }),
      { seed, numRuns: 1, endOnFailure: !SHRINK, ...(PATH !== undefined && { path: PATH }) },
    );

  it(
    'agree',
    async () => {
      const end = performance.now() + MINUTES * 60_000;
      for (let seed = SEED; ; seed++) {
        try {
          await run(seed);
        } catch (error) {
          process.stdout.write(`To repeat it: MODEL_SEED=${seed} MODEL_STEPS=1 npm run test:model\n`);
          throw error;
        }
        report.set('runs', (report.get('runs') ?? 0) + 1);
        if ((report.get('steps') ?? 0) >= STEPS || performance.now() > end) break;
      }
    },
    2 ** 31 - 1,
  );
});
