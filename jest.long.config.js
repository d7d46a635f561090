const { projects, testTimeout, workerIdleMemoryLimit, maxWorkers, testSequencer } = require('./jest.config.js');
const { specs, suites } = require('./test/suites/run-mode.js');

/**
 * Spec files that take long, because they send thousands of requests, wait for processes, reach limits of memory or build the
 * documentation site. They lie beside the others and are named `*.long-spec.ts`. As with `npm test`, a run that names none takes
 * them in suites.
 */
module.exports = {
  ...projects[1],
  displayName: 'long',
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  testTimeout,
  workerIdleMemoryLimit,
  maxWorkers,
  ...(testSequencer && { testSequencer }),
  testMatch: [...suites('long'), ...specs('<rootDir>/{src,test,tools}/**/*.long-spec.ts')],
};
