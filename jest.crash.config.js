const { id, transform, testEnvironment, setupFilesAfterEnv, globalSetup } = require('./jest.config.js').projects[1];

/**
 * Slow proofs with processes and real servers: workers that are killed or suspended, databases that restart, lines that are
 * cut, endpoints that are away for days. `.ci/run` installs the servers. Repeat a run with `CRASH_SEED`; `CRASH_KILLS` says
 * how many workers are killed, `CUT_SECONDS` and `PAUSE_SECONDS` how long processes are cut off and paused (`npm run test:partitions`).
 */
module.exports = {
  testTimeout: 1_800_000,
  displayName: 'crash',
  id,
  testEnvironment,
  transform,
  setupFilesAfterEnv,
  globalSetup,
  globalTeardown: '<rootDir>/test/setup/stop-postgres.ts',
  maxWorkers: 1, // their processes use every core while they start; two files at once take longer than one after the other
  testMatch: ['<rootDir>/test/crash/**/*.crash-spec.ts'],
};
