const { e2eCommand } = require('./test/suites/e2e-command.js');
const { specs, suites } = require('./test/suites/run-mode.js');
const { LONG_E2E_SUITES } = require('./test/suites/suites.ts');

const e2eSpecs = Object.values(LONG_E2E_SUITES)
  .flat()
  .map((place) => `<rootDir>/${place.endsWith('.ts') ? place : `${place}/**/*.e2e-spec.ts`}`);

/**
 * Spec files that take long, because they send thousands of requests, wait for processes, reach limits of memory or build the
 * documentation site. They lie beside the others and are named `*.long-spec.ts`, or are e2e tests that `LONG_E2E_SUITES` lists.
 * As with `npm test`, a run that names none takes them in suites.
 */
module.exports = {
  ...e2eCommand('long', [...suites('long'), ...specs('<rootDir>/{src,test,tools}/**/*.long-spec.ts', ...e2eSpecs)]),
  // A minute is enough for each on a quiet machine. How long they take is not what they test.
  testTimeout: 240_000,
};
