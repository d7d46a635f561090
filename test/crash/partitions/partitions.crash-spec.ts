import { seedOfRun } from '../campaigns/seeded-random';
import { cutOffApi } from './cut-off-api';
import { cutOffWorker } from './cut-off-worker';
import { differentClocks } from './different-clocks';
import { pauseWorker } from './paused-worker';
import { print } from './report';

/** For how many seconds processes are cut off: `npm run test:partitions` has longer ones. */
const CUTS = (process.env.CUT_SECONDS ?? '1,30').split(',').map(Number);
/** For how many seconds a worker is paused: longer than it takes until another one has all of its work. */
const PAUSE = Number(process.env.PAUSE_SECONDS ?? 40);
const CLOCKS_APART = 300;

/** Each of them has a service of its own. They wait most of the time, so they do so together. */
describe('Partitions and clocks', () => {
  const seed = seedOfRun();

  it.concurrent(`a worker that is cut off from the database for ${CUTS.join(', ')} s`, () =>
    cutOffWorker(CUTS, seed, print),
  );
  it.concurrent(`an API that is cut off from the database for ${CUTS.join(', ')} s`, () =>
    cutOffApi(CUTS, seed, print),
  );
  it.concurrent(`a worker that is paused for ${PAUSE} s`, () => pauseWorker(PAUSE, seed, print));
  it.concurrent.each([CLOCKS_APART, -CLOCKS_APART])('clocks that are %i s apart', (ahead) =>
    differentClocks(ahead, seed, print),
  );
});
