const { projects, testTimeout, workerIdleMemoryLimit, maxWorkers, testSequencer } = require('./jest.config.js');

const { testMatch, ...e2e } = projects[1];
/**
 * In session mode a whole run takes only these suites. There, the service sends the statements of a direct connection, except
 * for the start of connections and transactions, which every suite has.
 */
const OF_SESSION_MODE = ['<rootDir>/test/suites/e2e/{platform,processes}.suite.ts'];

const throughPgBouncer = (mode, matches) => ({
  ...e2e,
  displayName: mode,
  globals: { docfetchPooler: mode },
  testMatch: [...matches, '<rootDir>/test/pooler/**/*.pooler-spec.ts'],
  globalSetup: '<rootDir>/test/setup/start-poolers.ts',
  globalTeardown: '<rootDir>/test/setup/stop-poolers.ts',
});

/**
 * The e2e tests through PgBouncer, in transaction and in session mode; `.ci/run` installs it. Paths and `--selectProjects` work
 * as with `npm test`, and run every test in session mode too.
 */
module.exports = {
  testTimeout,
  workerIdleMemoryLimit,
  maxWorkers,
  ...(testSequencer && { testSequencer }),
  projects: [
    throughPgBouncer('transaction', testMatch),
    throughPgBouncer('session', testSequencer ? OF_SESSION_MODE : testMatch),
  ],
};
