const { projects, testTimeout, workerIdleMemoryLimit, maxWorkers, testSequencer } = require('./jest.config.js');
const { specs, suites } = require('./test/suites/run-mode.js');

const throughPgBouncer = (mode) => ({
  ...projects[1],
  displayName: mode,
  globals: { docfetchPooler: mode },
  testMatch: [
    ...suites(`pooler/${mode}`),
    ...specs('<rootDir>/test/e2e/**/*.e2e-spec.ts'),
    '<rootDir>/test/pooler/**/*.pooler-spec.ts',
  ],
  globalSetup: '<rootDir>/test/setup/start-poolers.ts',
  globalTeardown: '<rootDir>/test/setup/stop-poolers.ts',
});

/**
 * E2e tests through PgBouncer, in transaction and in session mode; `.ci/run` installs it. A whole run takes the suites of
 * `POOLER_SUITES` (test/suites/suites.ts). Paths and `--selectProjects` work as with `npm test`, for every e2e test.
 */
module.exports = {
  testTimeout,
  workerIdleMemoryLimit,
  maxWorkers,
  ...(testSequencer && { testSequencer }),
  projects: [throughPgBouncer('transaction'), throughPgBouncer('session')],
};
